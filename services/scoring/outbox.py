"""Publishing what the database says must be published, at least once."""

from __future__ import annotations

import asyncio

from sqlalchemy import delete, select

from services.runtime.bus import Bus
from services.runtime.database import Database
from services.scoring.schema import OUTBOX
from vallum.events.v1 import events_pb2 as ev

AT_ONCE = 32


async def publish(database: Database, bus: Bus) -> int:
    """Publish every fact in the outbox; how many. Each goes once it is on the bus: who dies in
    between publishes it again, under the same id."""
    done = 0
    while True:
        async with database.reading() as connection:
            query = select(OUTBOX.c.id, OUTBOX.c.event).order_by(OUTBOX.c.id).limit(AT_ONCE)
            rows = (await connection.execute(query)).all()
        if not rows:
            return done
        await asyncio.gather(*(bus.publish(ev.Event.FromString(row.event)) for row in rows))
        async with database.begin() as connection:
            gone = [row.id for row in rows]
            await connection.execute(delete(OUTBOX).where(OUTBOX.c.id.in_(gone)))
        done += len(rows)
