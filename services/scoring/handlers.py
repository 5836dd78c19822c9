"""Which facts the scoring service acts on, and what it then does in its own time."""

from __future__ import annotations

import asyncio
import time

import structlog

from services.runtime.bus import Bus
from services.runtime.handling import Handlers as Routes
from services.scoring import results
from services.scoring.archive import Archive
from services.scoring.boards import Boards
from services.scoring.database import Database
from services.scoring.model import ladders_of
from services.scoring.outbox import publish
from services.scoring.rating import rate_due
from vallum.events.v1 import events_pb2 as ev

EVERY = 15.0
"""Seconds between two looks for what was left undone."""

log = structlog.get_logger(__name__)


class Handlers:
    """`table` says which fact goes where. Each handler may run twice, and may be cut short: what
    it leaves undone stands in the database, and `run` does it."""

    def __init__(self, database: Database, boards: Boards, archive: Archive, bus: Bus) -> None:
        self._database = database
        self._boards = boards
        self._archive = archive
        self._bus = bus
        self.wanted = asyncio.Event()
        """Set when there is something to do for `run`."""
        self.table: Routes = {
            ev.MatchFinished: (self.store_result, self.rate_players, self.archive_record),
        }

    async def store_result(self, event: ev.Event, fact: ev.MatchFinished) -> None:
        """Write the result down, together with the id of the fact."""
        now = time.time_ns() // 1_000_000
        async with self._database.begin() as connection:
            if not await results.first_time(connection, event.id, now):
                return
            if not await results.store(connection, event):
                log.error("second_result", match=fact.match.name, event_id=event.id)

    async def rate_players(self, event: ev.Event, fact: ev.MatchFinished) -> None:
        """Let the match's ladders take it in, and the leaderboards follow."""
        told = results.ended(fact.match, event.tenant)
        await rate_due(self._database, [ladder.key for ladder in ladders_of(told)])
        await self._boards.follow()

    async def archive_record(self, _event: ev.Event, _fact: ev.MatchFinished) -> None:
        """Have the record fetched; that may take until its rules service is there again."""
        self.wanted.set()

    async def run(self) -> None:
        """Do what is due, whenever something is: rate, archive, publish."""
        while True:
            self.wanted.clear()
            try:
                await self.catch_up()
            except Exception as error:  # it stumbles, but it never ends
                log.warning("scoring_stumbled", exc_info=error)
            try:
                async with asyncio.timeout(EVERY):
                    await self.wanted.wait()
            except TimeoutError:
                continue

    async def catch_up(self) -> None:
        """All that is due now."""
        await rate_due(self._database)
        if await self._archive.sweep():
            await rate_due(self._database)  # solo matches
        await self._boards.follow()
        await publish(self._database, self._bus)
