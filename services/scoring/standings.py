"""What rounds did, and where everybody stands: writing and reading the tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from sqlalchemy import func, insert, select, tuple_, update
from sqlalchemy.ext.asyncio import AsyncConnection

from services.scoring.formula import Belief
from services.scoring.ladders import Ladder
from services.scoring.model import PROVISIONAL, Change, Member, Rated, Who
from services.scoring.schema import CHANGES, ROUNDS, STANDINGS
from services.scoring.upsert import put

AT_ONCE = 500
"""Members of one statement."""
KEY = tuple(column.name for column in STANDINGS.primary_key)

encode = msgspec.msgpack.Encoder().encode
decode = msgspec.msgpack.Decoder(Member).decode
canonical = msgspec.json.Encoder(order="sorted").encode


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
