"""Saying that a webhook was changed: as a fact, for the audit log and for whoever wants to know."""

from __future__ import annotations

import secrets
from typing import Any

from sqlalchemy import delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from services.notices.webhooks.schema import OUTBOX
from services.runtime.auth import Role, caller
from services.runtime.bus import Bus
from services.runtime.database import Database
from services.runtime.rows import timestamp
from vallum.events.v1 import events_pb2 as ev

ITSELF = "service:notices"
"""Who did what the platform does in its own time."""
OURS = (Role.NOBODY, Role.SERVICE)
AT_ONCE = 32


async def changed(
    connection: AsyncConnection, row: Any, now: int, action: str, detail: str = "", cause: str = ""
) -> None:
    """The caller, or in the name of a worker the platform itself, has done `action` to a webhook;
    written in the transaction that does it."""
    who, name = caller(), f"webhooks/{row.id}"
    by = ITSELF if who.role in OURS else f"{who.role.name.lower()}:{who.subject}"
    fact = ev.Event(
        id=f"{name}/{secrets.token_hex(8)}",
        subject=name,
        occurred_at=timestamp(now),
        cause=cause,
        tenant=row.tenant,
        webhook_changed=ev.WebhookChanged(action=action, by=by, key=who.key, detail=detail),
    )
    await connection.execute(insert(OUTBOX), [{"event": fact.SerializeToString()}])


async def publish(database: Database, bus: Bus) -> None:
    """Publish every fact of the outbox, at least once."""
    while True:
        async with database.reading() as connection:
            query = select(OUTBOX).order_by(OUTBOX.c.id).limit(AT_ONCE)
            rows = (await connection.execute(query)).all()
        if not rows:
            return
        for row in rows:
            await bus.publish(ev.Event.FromString(row.event))
        async with database.begin() as connection:
            gone = [row.id for row in rows]
            await connection.execute(delete(OUTBOX).where(OUTBOX.c.id.in_(gone)))
