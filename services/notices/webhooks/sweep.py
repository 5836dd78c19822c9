"""What webhooks do in their own time: what is due is hinted at again, facts are published, what is
old is forgotten, what was sealed with a former key is sealed anew.

Replicas do it side by side: whoever hints at deliveries of a webhook holds its row.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import monotonic
from typing import Any

import structlog
from redis.asyncio import Redis
from sqlalchemy import delete, select

from services.notices.webhooks import deliveries, hooks
from services.notices.webhooks.changes import publish
from services.notices.webhooks.schema import REQUESTS, WEBHOOKS
from services.notices.webhooks.sealing import Lost, Seal
from services.notices.webhooks.telling import Telling
from services.runtime.bus import Bus
from services.runtime.letters import DeadLetters
from services.runtime.repeats import forget
from services.runtime.rows import one

AT_ONCE = 200
"""Webhooks that one look hints for."""
TIDY = 3600.0
"""Seconds between two looks for what may be forgotten."""
LETTERS = 60.0
"""Seconds between two looks at facts that could not be handled."""

log = structlog.get_logger(__name__)


class Sweep:
    """`run` does it all, round after round."""

    def __init__(self, telling: Telling, bus: Bus, seal: Seal, redis: Redis, group: str) -> None:
        self._telling = telling
        self._bus = bus
        self._seal = seal
        self._letters = DeadLetters(redis, group)
        self._tidy = Every(TIDY)
        self._look = Every(LETTERS)

    async def run(self) -> None:
        """For ever."""
        while True:
            try:
                await self.round()
            except Exception as error:  # it stumbles, but it never ends
                log.warning("webhooks_stumbled", exc_info=error)
            await asyncio.sleep(self._telling.figures.look / 1000)

    async def round(self) -> None:
        """Everything that is due."""
        await publish(self._telling.database, self._bus)
        await self.hint()
        if self._look():
            await self._letters.take_back(self._telling.table)
        if self._tidy():
            await self.tidy()

    async def hint(self) -> None:
        """Tell workers of what is due and in nobody's hand."""
        telling = self._telling
        async with telling.database.reading() as connection:
            ids = await deliveries.waiting(connection, telling.now(), AT_ONCE)
        for id_ in ids:
            async with telling.database.begin() as connection:
                hook = await one(connection, WEBHOOKS, id_, hold=True)
                hints = await telling.due(connection, hook) if hook is not None else []
            await telling.hint(hints)

    async def tidy(self) -> None:
        """Forget what is old."""
        now, kept = self._telling.now(), self._telling.figures.kept
        async with self._telling.database.begin() as connection:
            await forget(connection, REQUESTS, now)
            await deliveries.prune(connection, now - kept)
            old = WEBHOOKS.c.deleted_ms < now - kept
            await connection.execute(delete(WEBHOOKS).where(old))

    async def reseal(self) -> None:
        """Seal with the first key of the key file what was sealed with another of it."""
        async with self._telling.database.begin() as connection:
            every = select(WEBHOOKS).order_by(WEBHOOKS.c.id).with_for_update()
            for row in (await connection.execute(every)).all():
                try:
                    if values := self._anew(row):
                        await hooks.put(connection, row.id, **values)
                except Lost:
                    log.warning("webhook_secret_lost", webhook=row.id)

    def _anew(self, row: Any) -> dict[str, bytes]:
        """The columns of a webhook that are to be sealed anew. Raises Lost."""
        sealed = {"secret": row.secret, "old_secret": row.old_secret}
        return {
            name: self._seal.closed(row.id, self._seal.opened(row.id, value))
            for name, value in sealed.items()
            if value is not None and not self._seal.is_current(row.id, value)
        }


class Every:
    """Says yes at most once in so many seconds, and at once the first time."""

    def __init__(self, seconds: float, now: Callable[[], float] = monotonic) -> None:
        self._seconds = seconds
        self._now = now
        self._due = now()

    def __call__(self) -> bool:
        """Whether it is time."""
        if self._now() < self._due:
            return False
        self._due = self._now() + self._seconds
        return True
