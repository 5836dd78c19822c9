"""Every rating from nothing, by the log of results alone, against what the tables say."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import AsyncIterator, Iterable
from typing import Any

import msgspec
from sqlalchemy import and_, func, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from services.runtime.database import Database
from services.scoring import results
from services.scoring.ladders import Ladder
from services.scoring.model import Member, Rated, Round, Who, fold
from services.scoring.rating import adjustments
from services.scoring.rounds import Ended, ladders_of, round_of
from services.scoring.schema import ADJUSTMENTS, CHANGES, RESULTS, STANDINGS
from services.scoring.standings import change_row, standing_row

AT_ONCE = 500
TOLD = 20
"""Differences that are told one by one."""

Spot = tuple[str, str, str, str]


class Verdict(msgspec.Struct):
    """What came of it. `equal` is whether the tables say just what the log does."""

    results: int = 0
    ladders: int = 0
    changes: int = 0
    different: int = 0
    examples: list[str] = []

    @property
    def equal(self) -> bool:
        """Whether nothing differs."""
        return not self.different

    def differs(self, text: str) -> None:
        """Count a difference."""
        self.different += 1
        if len(self.examples) < TOLD:
            self.examples.append(text)


class Recomputing:
    """One run, in one snapshot of the database."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection
        self.verdict = Verdict()
        self._members: dict[str, dict[Who, Member]] = defaultdict(dict)
        self._standings: dict[Spot, dict[str, Any]] = {}

    async def run(self) -> Verdict:
        """Fold everything and compare."""
        stated = await self._adjustments()
        async for matches in self._matches():
            self.verdict.results += len(matches)
            upto = (matches[-1].time_ms, f"matches/{matches[-1].match_id}")
            now = [one for one in stated if one[1].key < upto]
            stated = stated[len(now) :]
            said = [
                (ladder.key, round_of(match, ladder))
                for match in matches
                for ladder in ladders_of(match)
            ]
            await self._compare(heapq.merge(now, said, key=lambda one: one[1].key))
        await self._compare(stated)
        await self._compare_totals()
        self.verdict.ladders = len(self._members)
        return self.verdict

    async def _compare(self, said: Iterable[tuple[str, Round]]) -> None:
        """Fold some rounds, and compare what they did with what is written down."""
        rated = [(key, one) for key, told in said for one in self._fold(key, told)]
        written = await self._changes({one.round.cause for _, one in rated})
        for key, one in rated:
            for change in one.changes:
                self.verdict.changes += 1
                spot = (key, one.round.cause, change.who.tenant, change.who.name)
                if written.pop(spot, None) != change_row(change):
                    self.verdict.differs(f"change {spot}")
        for spot in written:
            self.verdict.differs(f"change {spot} follows from nothing")

    def _fold(self, key: str, told: Round) -> Iterable[Rated]:
        for one in fold(Ladder.of(key), [told], self._members[key]):
            for change in one.changes:
                who, now = change.who, change.member
                seasons = {
                    "": (now.belief, now.matches),
                    now.season: (now.season_belief, now.season_matches),
                }
                for season, (belief, matches) in seasons.items():
                    row = standing_row(key, season, who, now, belief, matches)
                    self._standings[key, season, who.tenant, who.name] = row
            yield one

    async def _changes(self, causes: set[str]) -> dict[Spot, dict[str, Any]]:
        query = select(CHANGES).where(CHANGES.c.cause.in_(causes))
        found = {}
        for row in await self._connection.execute(query):
            values = dict(row._mapping)
            spot = (values.pop("ladder"), values.pop("cause"), row.tenant, row.name)
            del values["time_ms"]
            found[spot] = values
        return found

    async def _compare_totals(self) -> None:
        """The standings, and that nothing is written down that follows from nothing."""
        count = select(func.count()).select_from(CHANGES)
        total = (await self._connection.execute(count)).scalar_one()
        if total != self.verdict.changes:
            self.verdict.differs(f"{total} changes are written, {self.verdict.changes} follow")
        rows = await self._connection.stream(select(STANDINGS).where(STANDINGS.c.matches > 0))
        due = {spot for spot, row in self._standings.items() if row["matches"]}
        async for row in rows:
            values = dict(row._mapping)
            del values["version"], values["boarded"]
            spot = (row.ladder, row.season, row.tenant, row.name)
            due.discard(spot)
            if self._standings.get(spot) != values:
                self.verdict.differs(f"standing {spot}")
        for spot in sorted(due):
            self.verdict.differs(f"standing {spot} is missing")

    async def _adjustments(self) -> list[tuple[str, Round]]:
        query = select(ADJUSTMENTS.c.ladder, ADJUSTMENTS.c.id)
        rows = (await self._connection.execute(query)).all()
        rounds = await adjustments(self._connection, [row.id for row in rows])
        said = [(row.ladder, rounds[f"adjustments/{row.id}"]) for row in rows]
        return sorted(said, key=lambda one: one[1].key)

    async def _matches(self) -> AsyncIterator[list[Ended]]:
        """Every result in the order of the fold, some at a time."""
        after = (-1, "")
        while True:
            later = or_(
                RESULTS.c.finished_ms > after[0],
                and_(RESULTS.c.finished_ms == after[0], RESULTS.c.match_id > after[1]),
            )
            query = (
                select(RESULTS.c.finished_ms, RESULTS.c.match_id)
                .where(later, RESULTS.c.imported.is_(False))
                .order_by(RESULTS.c.finished_ms, RESULTS.c.match_id)
                .limit(AT_ONCE)
            )
            rows = (await self._connection.execute(query)).all()
            if not rows:
                return
            names = [row.match_id for row in rows]
            found = await results.load(self._connection, names)
            yield [found[name] for name in names]
            after = (rows[-1].finished_ms, rows[-1].match_id)


async def recomputed(database: Database) -> Verdict:
    """Whether every rating is what the log of results says."""
    async with database.snapshot() as connection:
        return await Recomputing(connection).run()
