"""Rating: each ladder is the fold of its rounds, however late they come.

A ladder that has something due is folded in one transaction. What comes in order is added at the
end; what comes late undoes the rounds after it, and these are folded again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from sqlalchemy import and_, delete, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from services.runtime.database import Database
from services.scoring import results
from services.scoring.formula import Belief, Finish
from services.scoring.ladders import Ladder, season_of
from services.scoring.model import Entrant, Rated, Round, Who, fold
from services.scoring.rounds import round_of
from services.scoring.schema import ADJUSTMENTS, CHANGES, ENTRIES, LADDERS, ROUNDS
from services.scoring.standings import current, restore, write

AT_ONCE = 500
"""Rounds folded in one transaction."""


class Head(NamedTuple):
    """The last round that a ladder has taken in."""

    time_ms: int
    cause: str


START = Head(-1, "")


async def rate_due(database: Database, ladders: Iterable[str] | None = None) -> int:
    """Fold what is due, in these ladders or in all; how many rounds were rated."""
    keys = list(ladders) if ladders is not None else await due_ladders(database)
    rated = 0
    for key in sorted(set(keys)):
        while done := await rate_some(database, key):
            rated += done
    return rated


async def due_ladders(database: Database) -> list[str]:
    """The ladders that have something to take in."""
    async with database.reading() as connection:
        query = select(ENTRIES.c.ladder).where(ENTRIES.c.due).distinct()
        return list((await connection.execute(query)).scalars())


async def rate_some(database: Database, key: str) -> int:
    """Fold some rounds of one ladder, the earliest first; how many."""
    async with database.begin() as connection:
        head = await locked_head(connection, key)
        first = await earliest_due(connection, key)
        if first is None:
            return 0
        if first <= head:
            await undo(connection, key, first)
        rounds = await next_rounds(connection, key, first)
        rated = await folded(connection, Ladder.of(key), rounds)
        last = Head(*rounds[-1].key)
        await write(connection, key, rated)
        await taken_in(connection, key, first, last)
        return len(rated)


async def locked_head(connection: AsyncConnection, key: str) -> Head:
    """A ladder's last round. Nobody else folds it until the transaction ends."""
    query = select(LADDERS.c.head_ms, LADDERS.c.head_cause).where(LADDERS.c.key == key)
    row = (await connection.execute(query.with_for_update())).one_or_none()
    return Head(*row) if row else START


async def earliest_due(connection: AsyncConnection, key: str) -> Head | None:
    """The first of what a ladder must take in."""
    query = (
        select(ENTRIES.c.time_ms, ENTRIES.c.cause)
        .where(ENTRIES.c.ladder == key, ENTRIES.c.due)
        .order_by(ENTRIES.c.time_ms, ENTRIES.c.cause)
        .limit(1)
    )
    row = (await connection.execute(query)).one_or_none()
    return Head(*row) if row else None


def from_on(table: Any, key: str, first: Head) -> Any:
    """The rows of a ladder from a round on."""
    later = or_(
        table.c.time_ms > first.time_ms,
        and_(table.c.time_ms == first.time_ms, table.c.cause >= first.cause),
    )
    return and_(table.c.ladder == key, later)


async def undo(connection: AsyncConnection, key: str, first: Head) -> None:
    """Forget what a round and all after it did: they are due again."""
    query = select(CHANGES.c.tenant, CHANGES.c.name).where(from_on(CHANGES, key, first)).distinct()
    members = [Who(*row) for row in await connection.execute(query)]
    for table in (CHANGES, ROUNDS):
        await connection.execute(delete(table).where(from_on(table, key, first)))
    again = update(ENTRIES).where(from_on(ENTRIES, key, first)).values(due=True)
    await connection.execute(again)
    await restore(connection, key, members, season_of(first.time_ms))


async def next_rounds(connection: AsyncConnection, key: str, first: Head) -> list[Round]:
    """The rounds of a ladder from `first` on, as they count now."""
    query = (
        select(ENTRIES.c.time_ms, ENTRIES.c.cause)
        .where(from_on(ENTRIES, key, first))
        .order_by(ENTRIES.c.time_ms, ENTRIES.c.cause)
        .limit(AT_ONCE)
    )
    return await rounds_of(connection, key, [Head(*row) for row in await connection.execute(query)])


async def rounds_of(connection: AsyncConnection, key: str, heads: Sequence[Head]) -> list[Round]:
    """What matches and adjustments say to a ladder."""
    ladder = Ladder.of(key)
    names = [one.cause for one in heads]
    matches = await results.load(
        connection, [results.id_of(name) for name in names if name.startswith("matches/")]
    )
    stated = await adjustments(
        connection, [results.id_of(name) for name in names if name.startswith("adjustments/")]
    )
    return [
        stated[name] if name in stated else round_of(matches[results.id_of(name)], ladder)
        for name in names
    ]


async def adjustments(connection: AsyncConnection, ids: Sequence[str]) -> dict[str, Round]:
    """Adjustments by admins, by their names."""
    if not ids:
        return {}
    query = select(ADJUSTMENTS).where(ADJUSTMENTS.c.id.in_(ids))
    return {
        f"adjustments/{row.id}": Round(
            row.at_ms,
            f"adjustments/{row.id}",
            (Entrant(Who(row.tenant, row.name), Finish(1)),),
            Belief(row.mu, row.sigma),
        )
        for row in await connection.execute(query)
    }


async def folded(
    connection: AsyncConnection, ladder: Ladder, rounds: Sequence[Round]
) -> list[Rated]:
    """Rate rounds that come after everything that the ladder has taken in."""
    names = {entrant.who for one in rounds for entrant in one.entrants}
    members = await current(connection, ladder.key, list(names))
    return list(fold(ladder, rounds, members))


async def taken_in(connection: AsyncConnection, key: str, first: Head, last: Head) -> None:
    """Note how far a ladder has come."""
    upto = or_(
        ENTRIES.c.time_ms < last.time_ms,
        and_(ENTRIES.c.time_ms == last.time_ms, ENTRIES.c.cause <= last.cause),
    )
    done = update(ENTRIES).where(from_on(ENTRIES, key, first), upto).values(due=False)
    await connection.execute(done)
    head = {"head_ms": last.time_ms, "head_cause": last.cause}
    await connection.execute(update(LADDERS).where(LADDERS.c.key == key).values(**head))
