"""Nobody overdue is passed over: the longest wait first, each gets a table if there can be one
without anybody who sits with a longer wait."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from heapq import heapify, heappop, heappush
from typing import NamedTuple

import numpy as np

from services.matchmaking.arrays.columns import Columns, Flags, Ints
from services.matchmaking.policy import Policy


class Partner(NamedTuple):
    """Somebody who may be asked to a table; the first to ask come first."""

    seated: bool
    distance: float
    row: int
    size: int
    rating: float


def serve(cols: Columns, policy: Policy, table: Ints) -> bool:
    """Seat who is overdue and free; whether anybody was. Others may lose their tables by it, and
    are asked again if they are overdue too."""
    waiting = [
        (float(cols.since[row]), int(row)) for row in np.flatnonzero(cols.late[:-1] & (table < 0))
    ]
    heapify(waiting)
    served = False
    while waiting:
        _, row = heappop(waiting)
        found = company(cols, policy, table, row)
        if found is None:
            continue
        served = True
        for label in {int(table[one]) for one in found} - {-1}:
            left = np.flatnonzero(table == label)
            table[left] = -1
            for one in left[cols.late[left]].tolist():
                if one not in found:
                    heappush(waiting, (float(cols.since[one]), one))
        table[found] = min(found)
    return served


def company(cols: Columns, policy: Policy, table: Ints, row: int) -> list[int] | None:
    """The rows of the table that disturbs the fewest, and is nearest, for somebody overdue."""
    near = within_cap(cols, policy, row)
    near = near[~bound(cols, table, row)[near]]
    size, rating = int(cols.size[row]), float(cols.rating[row])
    best: tuple[int, float, list[int]] | None = None
    for seats in sorted(set(policy.seats)):
        if cols.wants[row] >> seats & 1 and seats > size:
            takers = near[(cols.wants[near] >> seats & 1).astype(np.bool_)]
            asked = nearest(cols, table, takers, rating, seats - size)
            for some in fillings(asked, rating, seats - size, policy.cap):
                disturbed = sum(one.seated for one in some)
                far = sum(one.distance for one in some)
                if best is None or (disturbed, far) < best[:2]:
                    best = disturbed, far, [row, *(one.row for one in some)]
    return sorted(best[2]) if best else None


def within_cap(cols: Columns, policy: Policy, row: int) -> Ints:
    """The other rows of the same key whose ratings are near enough."""
    first, last = np.searchsorted(cols.key[:-1], [cols.key[row], cols.key[row] + 1])
    far = np.abs(cols.rating[first:last] - cols.rating[row])
    near = first + np.flatnonzero(far <= policy.cap)
    others: Ints = near[near != row]
    return others


def bound(cols: Columns, table: Ints, row: int) -> Flags:
    """Who sits with somebody overdue who has waited longer than `row`."""
    since = cols.since[:-1]
    longer = (since < since[row]) | ((since == since[row]) & (np.arange(cols.rows) < row))
    held = np.zeros(cols.rows + 1, dtype=np.bool_)
    held[table[longer & cols.late[:-1] & (table >= 0)]] = True
    return held[table]


def nearest(cols: Columns, table: Ints, rows: Ints, rating: float, places: int) -> list[Partner]:
    """Enough of each size on each side, free or seated: with anybody further away there is no
    table that there is not with one of these."""
    partners: list[Partner] = []
    side, seated = cols.rating[rows] < rating, table[rows] >= 0
    far = np.abs(cols.rating[rows] - rating)
    order = np.argsort(far, kind="stable")
    for size in range(1, places + 1):
        for below in (True, False):
            for taken in (True, False):
                alike = (cols.size[rows] == size) & (side == below) & (seated == taken)
                for at in order[alike[order]][: places // size].tolist():
                    row = int(rows[at])
                    partners.append(
                        Partner(taken, float(far[at]), row, size, float(cols.rating[row]))
                    )
    return sorted(partners)


def fillings(
    asked: Sequence[Partner], rating: float, places: int, cap: float
) -> Iterator[list[Partner]]:
    """Parties that fill so many places, all within `cap` of one another."""
    for low in sorted({rating, *(one.rating for one in asked if one.rating < rating)}):
        inside = [one for one in asked if one.rating >= low and one.rating - low <= cap]
        if rating - low <= cap:
            for sizes in partitions(places, places):
                some = [
                    one
                    for size in set(sizes)
                    for one in [one for one in inside if one.size == size][: sizes.count(size)]
                ]
                if len(some) == len(sizes):
                    yield some


@cache
def partitions(total: int, largest: int) -> list[tuple[int, ...]]:
    """The ways to fill `total` places with parties of up to `largest`."""
    if not total:
        return [()]
    return [
        (size, *rest)
        for size in range(min(total, largest), 0, -1)
        for rest in partitions(total - size, size)
    ]
