"""What other services have done for a tenant, as they tell on the bus: it belongs into the audit
log as well."""

from __future__ import annotations

from sqlalchemy import insert

from services.accounts.schema import AUDIT, REQUESTS
from services.runtime.database import Database
from services.runtime.handling import Handlers
from services.runtime.rows import insert_new, now_ms
from vallum.events.v1 import events_pb2 as ev

GROUP = "accounts"
BUS = "bus"
"""As the table of requests names who brings facts: each is written down once."""


class Hearing:
    """A consumer of facts; `table` says which."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.table: Handlers = {ev.WebhookChanged: (self.webhook,)}

    async def webhook(self, event: ev.Event, fact: ev.WebhookChanged) -> None:
        """Somebody has changed a webhook, or the platform has given up on one."""
        row = {
            "at_ms": event.occurred_at.ToMilliseconds(),
            "tenant": event.tenant[:32],
            "actor": fact.by,
            "key": fact.key,
            "action": fact.action,
            "target": event.subject,
            "detail": fact.detail,
        }
        seen = {"caller": BUS, "request_id": event.id, "body": b"", "target": event.subject}
        async with self._database.begin() as connection:
            if await insert_new(connection, REQUESTS, {**seen, "at_ms": now_ms()}):
                await connection.execute(insert(AUDIT), [row])
