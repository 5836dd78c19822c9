"""Nobody overdue is passed over: the longest wait first, each gets a table if there can be one
without anybody who sits with a longer overdue wait."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from heapq import heapify, heappop, heappush
from typing import NamedTuple

import numpy as np

from services.matchmaking.arrays.columns import Columns, Ints, Sizes
from services.matchmaking.policy import Policy

MISSES = 1000
"""When so many in a row have found nobody, the others wait for the next tick."""

SLACK = 1e-6
"""More than a rounding error of ratings."""


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
    free = np.flatnonzero(cols.late[:-1] & (table < 0))
    waiting = [(float(cols.since[row]), row) for row in free.tolist()]
    heapify(waiting)
    board = Board(cols, policy, table) if waiting else None
    served, missed = False, 0
    while board and waiting and missed < MISSES:
        _, row = heappop(waiting)
        if table[row] >= 0:
            continue
        if found := board.company(row):
            served, missed = True, 0
            for one in board.seat(found):
                heappush(waiting, (float(cols.since[one]), one))
        else:
            missed += 1
    return served


class Board:
    """The tables while the overdue are served."""

    def __init__(self, cols: Columns, policy: Policy, table: Ints) -> None:
        self._cols, self._policy, self._table = cols, policy, table
        self._held = np.full(cols.rows + 1, np.inf)
        """Since when the longest wait of each table is overdue; the last stands for who is free."""
        seated = np.flatnonzero(cols.late[:-1] & (table >= 0))
        np.minimum.at(self._held, table[seated], cols.since[seated])

    def seat(self, rows: list[int]) -> list[int]:
        """Seat these together; the overdue who have lost their tables by it."""
        lost = []
        for label in {int(self._table[row]) for row in rows} - {-1}:
            left = np.flatnonzero(self._table == label)
            self._table[left] = -1
            self._held[label] = np.inf
            lost += [row for row in left[self._cols.late[left]].tolist() if row not in rows]
        self._table[rows] = label = min(rows)
        self._held[label] = self._cols.since[rows][self._cols.late[rows]].min()
        return lost

    def company(self, row: int) -> list[int] | None:
        """The rows of the table that disturbs the fewest, and is nearest, for somebody overdue."""
        cols, size, rating = self._cols, int(self._cols.size[row]), float(self._cols.rating[row])
        near = self._askable(row)
        best: tuple[int, float, list[int]] | None = None
        for seats in sorted(set(self._policy.seats)):
            if not cols.wants[row] >> seats & 1 or seats <= size:
                continue
            takers = near[(cols.wants[near] >> seats & 1).astype(np.bool_)]
            if not can_fill(cols.size[takers], seats - size):
                continue
            asked = nearest(cols, self._table, takers, rating, seats - size)
            for some in fillings(asked, rating, seats - size, self._policy.cap):
                disturbed = sum(one.seated for one in some)
                far = sum(one.distance for one in some)
                if best is None or (disturbed, far) < best[:2]:
                    best = disturbed, far, [row, *(one.row for one in some)]
        return sorted(best[2]) if best else None

    def _askable(self, row: int) -> Ints:
        """The other rows of the same key that are near enough, but those who sit with somebody
        overdue who has waited as long, or longer."""
        cols, rating, cap = self._cols, float(self._cols.rating[row]), self._policy.cap
        first, last = np.searchsorted(cols.key[:-1], [cols.key[row], cols.key[row] + 1])
        around = [rating - cap - SLACK, rating + cap + SLACK]
        low, high = first + np.searchsorted(cols.rating[first:last], around)
        near = low + np.flatnonzero(np.abs(cols.rating[low:high] - rating) <= cap)
        others: Ints = near[(near != row) & (self._held[self._table[near]] > cols.since[row])]
        return others


def can_fill(sizes: Sizes, places: int) -> bool:
    """Whether parties of these sizes can fill so many places, whatever their strength."""
    counts = np.bincount(sizes, minlength=places + 1).tolist()
    return any(
        all(parts.count(one) <= counts[one] for one in set(parts))
        for parts in partitions(places, places)
    )


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
