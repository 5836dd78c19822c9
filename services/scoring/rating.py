"""Rating: each ladder is the fold of its rounds, however late they come.

A ladder that has something due is folded in one transaction. What comes in order is added at the
end; what comes late undoes the rounds after it, and these are folded again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import and_, delete, func, insert, or_, select, tuple_, update
from sqlalchemy.ext.asyncio import AsyncConnection

from services.scoring import results
from services.scoring.database import Database
from services.scoring.formula import Belief, Finish
from services.scoring.ladders import Ladder, season_of
from services.scoring.model import (
    PROVISIONAL,
    Change,
    Entrant,
    Member,
    Rated,
    Round,
    Who,
    fold,
    round_of,
)
from services.scoring.schema import ADJUSTMENTS, CHANGES, ENTRIES, LADDERS, ROUNDS, STANDINGS
from services.scoring.upsert import put

AT_ONCE = 500
"""Rounds folded in one transaction."""

KEY = tuple(column.name for column in STANDINGS.primary_key)

encode = msgspec.msgpack.Encoder().encode
decode = msgspec.msgpack.Decoder(Member).decode
canonical = msgspec.json.Encoder(order="sorted").encode


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


async def restore(
    connection: AsyncConnection, key: str, members: Sequence[Who], season: str
) -> None:
    """Put members back to the last change that they have left."""
    known = await latest(connection, key, members)
    rows = []
    for who in members:
        member = known.get(who, Member())
        rows.append(standing_row(key, "", who, member, member.belief, member.matches))
        if member.season != season:
            member = Member()
        here = (member, member.season_belief, member.season_matches)
        rows.append(standing_row(key, season, who, *here))
    await put_standings(connection, rows)
    gone = {"matches": 0, "shown": False, "boarded": False, "version": STANDINGS.c.version + 1}
    for some in batches(members):
        later = (STANDINGS.c.ladder == key, STANDINGS.c.season > season)
        await connection.execute(
            update(STANDINGS).where(*later, among(STANDINGS, some)).values(gone)
        )


def batches(members: Sequence[Who]) -> Iterator[Sequence[Who]]:
    """Members, not too many for one statement."""
    return (members[start : start + AT_ONCE] for start in range(0, len(members), AT_ONCE))


def among(table: Any, members: Sequence[Who]) -> Any:
    """The rows of some members."""
    names = [(who.tenant, who.name) for who in members]
    return tuple_(table.c.tenant, table.c.name).in_(names)


async def latest(
    connection: AsyncConnection, key: str, members: Sequence[Who]
) -> dict[Who, Member]:
    """What each of some members was after his last change."""
    place = func.row_number().over(
        partition_by=(CHANGES.c.tenant, CHANGES.c.name),
        order_by=(CHANGES.c.time_ms.desc(), CHANGES.c.cause.desc()),
    )
    found: dict[Who, Member] = {}
    for some in batches(members):
        ranked = (
            select(CHANGES.c.tenant, CHANGES.c.name, CHANGES.c.member, place.label("place"))
            .where(CHANGES.c.ladder == key)
            .where(among(CHANGES, some))
            .subquery()
        )
        query = select(ranked.c.tenant, ranked.c.name, ranked.c.member).where(ranked.c.place == 1)
        for tenant, name, member in await connection.execute(query):
            found[Who(tenant, name)] = decode(member)
    return found


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


async def current(
    connection: AsyncConnection, key: str, members: Sequence[Who]
) -> dict[Who, Member]:
    """Members as they stand."""
    found: dict[Who, Member] = {}
    for some in batches(members):
        query = (
            select(STANDINGS.c.tenant, STANDINGS.c.name, STANDINGS.c.member)
            .where(STANDINGS.c.ladder == key, STANDINGS.c.season == "")
            .where(among(STANDINGS, some))
        )
        for tenant, name, member in await connection.execute(query):
            found[Who(tenant, name)] = decode(member)
    return found


async def write(connection: AsyncConnection, key: str, rated: Sequence[Rated]) -> None:
    """Write down what rounds did, and where their members stand now."""
    rounds, changes = [], []
    standings: dict[tuple[str, Who], dict[str, Any]] = {}
    for one in rated:
        where = {"ladder": key, "time_ms": one.round.time_ms, "cause": one.round.cause}
        inputs = canonical(one.inputs).decode()
        rounds.append(where | {"season": one.season, "formula": one.formula, "inputs_json": inputs})
        for change in one.changes:
            changes.append(where | change_row(change))
            who, now = change.who, change.member
            of_all_time = standing_row(key, "", who, now, now.belief, now.matches)
            of_season = standing_row(
                key, now.season, who, now, now.season_belief, now.season_matches
            )
            standings["", who], standings[now.season, who] = of_all_time, of_season
    await connection.execute(insert(ROUNDS), rounds)
    if changes:
        await connection.execute(insert(CHANGES), changes)
    await put_standings(connection, list(standings.values()))


def change_row(change: Change) -> dict[str, Any]:
    """What a round did to one member."""
    return {
        "tenant": change.who.tenant,
        "name": change.who.name,
        "mu_before": change.before.mu,
        "sigma_before": change.before.sigma,
        "mu_after": change.after.mu,
        "sigma_after": change.after.sigma,
        "place": change.place,
        "member": encode(change.member),
    }


def standing_row(
    key: str, season: str, who: Who, member: Member, belief: Belief, matches: int
) -> dict[str, Any]:
    """A line of the standings. The version and `boarded` are put by `put_standings`."""
    enough = Ladder.of(key).solo or member.matches >= PROVISIONAL
    return {
        "ladder": key,
        "season": season,
        "tenant": who.tenant,
        "name": who.name,
        "mu": belief.mu,
        "sigma": belief.sigma,
        "score": belief.score,
        "matches": matches,
        "shown": enough and matches > 0,
        "last_ms": member.last_ms,
        "member": encode(member),
    }


async def put_standings(connection: AsyncConnection, rows: Sequence[dict[str, Any]]) -> None:
    """Write lines of the standings; the leaderboards must still follow. In one order, lest
    transactions wait for each other."""
    ordered = sorted(rows, key=lambda row: tuple(row[name] for name in KEY))
    fresh = [row | {"version": 1, "boarded": False} for row in ordered]
    await put(connection, STANDINGS, fresh, version=STANDINGS.c.version + 1)


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
