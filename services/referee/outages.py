"""When nobody could move: outages are written down, and counted for no clock.

The sweep signs a sheet every round. A gap between two signatures that is longer than a passing
hitch is an outage, whether the hosts were down or the storage.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from redis.asyncio import Redis

from services.referee.table import Table

HITCH_MS = 5_000
"""A shorter gap is not counted."""

REMEMBERED = 50


class Span(NamedTuple):
    """From `start` to `end`, in milliseconds since 1970."""

    start: int
    end: int


class Outages:
    """The latest outages of one game's service."""

    def __init__(self, redis: Redis, game: str) -> None:
        self._redis: Any = redis  # its types do not tell bytes from str
        self._sheet = f"alive:{game}"
        self._list = f"outages:{game}"
        self._spans: tuple[Span, ...] = ()

    async def sign(self, now: int) -> None:
        """Say that the service is there at `now`, and learn of the outages there have been."""
        last = int(await self._redis.getset(self._sheet, now) or now)
        if now - last > HITCH_MS:
            await self._redis.rpush(self._list, f"{last} {now}")
            await self._redis.ltrim(self._list, -REMEMBERED, -1)
        rows = await self._redis.lrange(self._list, 0, -1)
        self._spans = tuple(Span(*map(int, row.split())) for row in rows)

    def uncounted(self, table: Table) -> Span | None:
        """The first outage that a table's running clocks still count."""
        if table.clocks is None:
            return None
        running = [since for since in table.clocks.since if since]
        for span in self._spans:
            if span.end > table.clocks.outage_end and any(since < span.end for since in running):
                return span
        return None
