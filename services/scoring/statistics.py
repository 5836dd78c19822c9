"""How matches go: distributions of scores, the balance of seats, what score lines bring."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import sqrt
from statistics import fmean, pstdev
from typing import Any, NamedTuple

from sqlalchemy import and_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from services.scoring.model import Who
from services.scoring.schema import LINES, RESULTS, SEATS
from vallum.scoring.v1 import scoring_pb2 as sc

BINS = 20
"""Bins of a histogram, at most."""
Z = 1.959964
"""The normal distribution's 97.5 % point."""


class SeatRow(NamedTuple):
    """One seat of one match, with its part of the first place."""

    match_id: str
    seat: int
    score: int
    place: int


async def statistics(
    connection: AsyncConnection, game: str, seats: int, mode: str, tenant: str | None
) -> sc.GetStatisticsResponse:
    """Of the matches of a game, as they ended."""
    chosen = [RESULTS.c.game == game]
    if seats:
        chosen.append(RESULTS.c.seat_count == seats)
    if mode:
        chosen.append(RESULTS.c.mode == mode)
    if tenant is not None:
        chosen.append(RESULTS.c.tenant == tenant)
    same = RESULTS.c.match_id == SEATS.c.match_id
    query = (
        select(SEATS.c.match_id, SEATS.c.seat, SEATS.c.score, SEATS.c.place)
        .join(RESULTS, same)
        .where(*chosen)
    )
    rows = [SeatRow(*row) for row in await connection.execute(query)]
    lines = (
        select(LINES.c.match_id, LINES.c.seat, LINES.c.key, LINES.c.points)
        .join(RESULTS, RESULTS.c.match_id == LINES.c.match_id)
        .where(*chosen)
    )
    return summed(rows, [tuple(row) for row in await connection.execute(lines)])


def summed(rows: Sequence[SeatRow], lines: Iterable[tuple[Any, ...]]) -> sc.GetStatisticsResponse:
    """The figures of some seats and the lines of their sheets. Pure."""
    firsts = firsts_of(rows)
    seat_counts: dict[str, int] = defaultdict(int)
    for row in rows:
        seat_counts[row.match_id] += 1
    by_seat: dict[int, list[SeatRow]] = defaultdict(list)
    for row in rows:
        by_seat[row.seat].append(row)
    return sc.GetStatisticsResponse(
        matches=len(seat_counts),
        scores=distribution([row.score for row in rows]),
        seats=[
            seat_statistics(seat, by_seat[seat], firsts, seat_counts) for seat in sorted(by_seat)
        ],
        lines=line_statistics(rows, lines, firsts),
    )


def firsts_of(rows: Iterable[SeatRow]) -> dict[tuple[str, int], float]:
    """Each seat's part of the first place: one, none, or a share of it."""
    winners: dict[str, list[int]] = defaultdict(list)
    for row in rows:
        if row.place == 1:
            winners[row.match_id].append(row.seat)
    return {
        (match_id, seat): 1 / len(seats) for match_id, seats in winners.items() for seat in seats
    }


def seat_statistics(
    seat: int,
    rows: Sequence[SeatRow],
    firsts: dict[tuple[str, int], float],
    seat_counts: dict[str, int],
) -> sc.SeatStatistics:
    """How one seat does."""
    part = fmean(firsts.get((row.match_id, seat), 0.0) for row in rows)
    low, high = wilson(part, len(rows))
    return sc.SeatStatistics(
        seat=seat,
        scores=distribution([row.score for row in rows]),
        firsts=part,
        firsts_low=low,
        firsts_high=high,
        firsts_fair=fmean(1 / seat_counts[row.match_id] for row in rows),
    )


def line_statistics(
    rows: Iterable[SeatRow],
    lines: Iterable[tuple[Any, ...]],
    firsts: dict[tuple[str, int], float],
) -> list[sc.LineStatistics]:
    """What each line of the sheets brings."""
    totals = {(row.match_id, row.seat): row.score for row in rows}
    points: dict[str, list[int]] = defaultdict(list)
    sheets: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for match_id, seat, key, value in lines:
        points[key].append(value)
        sheets[key].append((match_id, seat))
    return [
        sc.LineStatistics(
            key=key,
            count=len(points[key]),
            mean=fmean(points[key]),
            mean_total=fmean(totals[spot] for spot in sheets[key]),
            firsts=fmean(firsts.get(spot, 0.0) for spot in sheets[key]),
        )
        for key in sorted(points)
    ]


def distribution(values: Sequence[int]) -> sc.Distribution:
    """Numbers, summed up."""
    if not values:
        return sc.Distribution()
    least, most = min(values), max(values)
    width = (most - least) // BINS + 1
    bins = [0] * ((most - least) // width + 1)
    for value in values:
        bins[(value - least) // width] += 1
    return sc.Distribution(
        count=len(values),
        mean=fmean(values),
        deviation=pstdev(values),
        least=least,
        most=most,
        bins=bins,
        bin_width=width,
    )


def wilson(part: float, count: int) -> tuple[float, float]:
    """The 95 % interval of a share: it holds near 0 and 1 too."""
    middle = (part + Z * Z / (2 * count)) / (1 + Z * Z / count)
    half = Z / (1 + Z * Z / count) * sqrt(part * (1 - part) / count + Z * Z / (4 * count**2))
    return max(0.0, middle - half), min(1.0, middle + half)


async def head_to_head(
    connection: AsyncConnection, who: Who, other: Who, game: str
) -> sc.GetHeadToHeadResponse:
    """The matches that two players both sat in, by who was placed better."""
    mine, theirs = SEATS.alias("mine"), SEATS.alias("theirs")
    query = (
        select(mine.c.place.label("mine"), theirs.c.place.label("theirs"))
        .join(
            theirs,
            and_(mine.c.match_id == theirs.c.match_id, theirs.c.tenant == mine.c.tenant),
        )
        .where(mine.c.tenant == who.tenant, mine.c.player == who.name)
        .where(theirs.c.player == other.name)
    )
    if game:
        query = query.join(RESULTS, RESULTS.c.match_id == mine.c.match_id)
        query = query.where(RESULTS.c.game == game)
    answer = sc.GetHeadToHeadResponse()
    for row in await connection.execute(query):
        answer.won += row.mine < row.theirs
        answer.shared += row.mine == row.theirs
        answer.lost += row.mine > row.theirs
    return answer
