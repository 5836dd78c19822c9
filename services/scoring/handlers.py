"""Which facts the scoring service acts on, and what it then does in its own time."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from time import monotonic

import structlog

from services.runtime.bus import Bus
from services.runtime.database import Database
from services.runtime.handling import Handlers as Routes
from services.runtime.letters import DeadLetters
from services.scoring import results
from services.scoring.archive import Archive, Name
from services.scoring.boards import Boards
from services.scoring.outbox import publish
from services.scoring.rating import rate_due
from services.scoring.together import Together
from vallum.events.v1 import events_pb2 as ev

EVERY = 15.0
"""Seconds between two looks for what was left undone."""
GATHER = 0.05
"""Seconds in which further results may join one that is to be rated."""

log = structlog.get_logger(__name__)


class Handlers:
    """`table` says which fact goes where. Each handler may run twice, and may be cut short: what
    it leaves undone stands in the database, and `run` does it."""

    def __init__(
        self,
        database: Database,
        boards: Boards,
        archive: Archive,
        bus: Bus,
        letters: DeadLetters,
    ) -> None:
        self.database = database
        self._boards = boards
        self._archive = archive
        self._bus = bus
        self._letters = letters
        self._unarchived: list[Name] = []
        self._storing = Together(self._store)
        self.wanted = asyncio.Event()
        """Set when there is something to do for `run`."""
        self.table: Routes = {
            ev.MatchFinished: (self.store_result, self.follow_up),
        }

    async def store_result(self, event: ev.Event, fact: ev.MatchFinished) -> None:
        """Write the result down, together with the id of the fact."""
        await self._storing.do(event)

    async def follow_up(self, event: ev.Event, fact: ev.MatchFinished) -> None:
        """Have the match rated and its record archived. Not here: facts that come together are
        rated together, and a rules service that is away must not hold up the others."""
        self._unarchived.append(Name(fact.game, results.id_of(event.subject)))
        self.wanted.set()

    async def run(self) -> None:
        """Do what is due, whenever something is, and now and then whatever was left undone."""
        looked = monotonic() - EVERY
        while True:
            self.wanted.clear()
            thorough = monotonic() - looked >= EVERY
            try:
                await self.catch_up(thorough=thorough)
                looked = monotonic() if thorough else looked
            except Exception as error:  # it stumbles, but it never ends
                log.warning("scoring_stumbled", exc_info=error)
            with suppress(TimeoutError):
                async with asyncio.timeout(EVERY):
                    await self.wanted.wait()
                await asyncio.sleep(GATHER)

    async def catch_up(self, *, thorough: bool = True) -> None:
        """Rate, archive, publish what is due: what was just told, or all that there is."""
        if thorough:
            await self._letters.take_back({ev.MatchFinished: (self.store_result,)})
        await rate_due(self.database)
        await self._boards.follow()
        if await self._archived(thorough=thorough):
            await rate_due(self.database)  # solo matches
            await self._boards.follow()
        await publish(self.database, self._bus)

    async def _archived(self, *, thorough: bool) -> int:
        """How many records were archived."""
        now, self._unarchived = self._unarchived, []
        if thorough:
            return await self._archive.sweep()
        return await self._archive.keep(now)

    async def _store(self, events: list[ev.Event]) -> None:
        async with self.database.begin() as connection:
            await results.store(connection, events, time.time_ns() // 1_000_000)
