"""From a fact to deliveries, and from what is due to hints for workers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import structlog
from google.protobuf.message import Message
from redis.exceptions import RedisError
from sqlalchemy.ext.asyncio import AsyncConnection

from services.notices.webhooks import deliveries, hooks
from services.notices.webhooks.bodies import body_of
from services.notices.webhooks.figures import Clock, Figures
from services.notices.webhooks.kinds import KIND_OF
from services.notices.webhooks.known import Known
from services.runtime.bus import Bus
from services.runtime.database import Database
from services.runtime.handling import Handlers
from vallum.events.v1 import events_pb2 as ev

log = structlog.get_logger(__name__)


class Telling:
    """The consumer of facts; `table` says which, and who handles them."""

    def __init__(
        self, database: Database, known: Known, bus: Bus, figures: Figures, clock: Clock
    ) -> None:
        self.database = database
        self.known = known
        self.figures = figures
        self.now = clock
        self._bus = bus
        self.table: Handlers = dict.fromkeys(KIND_OF, (self.tell,))

    async def tell(self, event: ev.Event, fact: Message) -> None:
        """Make a delivery for every webhook that wants to know of a fact; once, however often the
        fact comes. Raises Unavailable."""
        if not is_told(event, fact):
            return
        kind = KIND_OF[type(fact)]
        known = await self.known.of(event.tenant)
        ids = [row.id for row in known if hooks.wants(row, kind, event.subject)]
        if not ids:
            return
        told = {
            "event": event.id,
            "kind": kind,
            "subject": event.subject,
            "body": body_of(event, kind, fact),
        }
        async with self.database.begin() as connection:
            rows = await hooks.still(connection, ids)
            for row in rows:
                await deliveries.add(connection, row, told, self.now())
            hints = [hint for row in rows for hint in await self.due(connection, row)]
        await self.hint(hints)

    async def due(self, connection: AsyncConnection, hook: Any) -> list[str]:
        """The deliveries of a webhook that are to be hinted at now."""
        return await deliveries.due(connection, hook, self.figures, self.now())

    async def hint(self, ids: Iterable[str]) -> None:
        """Tell workers that deliveries are due. If Redis is away, the sweep tells them later."""
        try:
            for id_ in ids:
                due = ev.DeliveryDue(delivery=id_)
                await self._bus.publish(ev.Event(subject=f"deliveries/{id_}", delivery_due=due))
        except RedisError as error:
            log.warning("deliveries_not_hinted", error=str(error))


def is_told(event: ev.Event, fact: Message) -> bool:
    """Whether a fact is any tenant's affair: of turns, only those that a person is to take."""
    if isinstance(fact, ev.TurnOpened) and not fact.player:
        return False
    return bool(event.tenant)
