"""Who waits in a queue, as a matchmaker knows it: read once, then followed change by change.

It may be behind; a claim of somebody who is not there any more takes nobody.
"""

from __future__ import annotations

from typing import Any

from services.matchmaking.asked import read_asked
from services.matchmaking.model import Waiting
from services.matchmaking.storage import Corner

AT_ONCE = 2_000
"""Tickets read at a time."""


class Mirror:
    """One queue. `waiting` has everybody by ticket."""

    def __init__(self, corner: Corner, queue: str) -> None:
        self.waiting: dict[str, Waiting] = {}
        self.backfill: set[str] = set()
        """Those that take a seat in a running match."""
        self._corner = corner
        self._queue = queue
        self._known = -1
        """The number of the last change that is in; -1: nothing is known yet."""

    async def follow(self) -> None:
        """Take in what has changed; everything where that cannot be told."""
        if self._known < 0 or not await self._catch_up():
            await self._load()

    def drop(self, ticket: str) -> Waiting | None:
        """Somebody waits no more."""
        self.backfill.discard(ticket)
        return self.waiting.pop(ticket, None)

    def forget(self) -> None:
        """Read everything anew next time."""
        self._known = -1

    async def _load(self) -> None:
        number, ids = await self._corner.run("whole", self._queue)
        self.waiting.clear()
        self.backfill.clear()
        await self._take_in([one.decode() for one in ids])
        self._known = int(number)

    async def _catch_up(self) -> bool:
        """Whether every change since the last one known could be read."""
        log = self._corner.key("queue", self._queue, "log")
        changed: dict[str, bool] = {}
        while True:
            start = f"({self._known}-0" if self._known else "-"
            rows: Any = await self._corner.redis.xrange(log, min=start, count=AT_ONCE)
            for id_, row in rows:
                number = int(id_.partition(b"-")[0])
                if number != self._known + 1:
                    return False
                self._known = number
                ((sign, ticket),) = row.items()
                changed[ticket.decode()] = sign == b"+"
            if len(rows) < AT_ONCE:
                break
        for ticket, here in changed.items():
            if not here:
                self.drop(ticket)
        await self._take_in([ticket for ticket, here in changed.items() if here])
        return await self._agrees()

    async def _agrees(self) -> bool:
        """Whether the log has not been begun anew meanwhile."""
        last = await self._corner.redis.get(self._corner.key("queue", self._queue, "n"))
        return int(last or 0) >= self._known

    async def _take_in(self, ids: list[str]) -> None:
        for at in range(0, len(ids), AT_ONCE):
            lot = ids[at : at + AT_ONCE]
            pipeline = self._corner.redis.pipeline(transaction=False)
            for ticket in lot:
                pipeline.hmget(self._corner.key("ticket", ticket), "b", "n")
            for ticket, (body, since) in zip(lot, await pipeline.execute(), strict=True):
                if body:
                    asked = read_asked(body)
                    self.waiting[ticket] = asked.waiting(ticket, int(since))
                    if asked.backfill:
                        self.backfill.add(ticket)
