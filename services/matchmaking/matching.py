"""Which tables are formed now: `form`. Pure, and the same for any order of the tickets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from services.matchmaking.arrays import blocks, exact, windows
from services.matchmaking.arrays.columns import Columns, Ints, columns, repeated
from services.matchmaking.arrays.layout import groups, laid, nobody, ordered, poor, worth_by_key
from services.matchmaking.arrays.overdue import serve
from services.matchmaking.greedy import greedy
from services.matchmaking.model import Group, Waiting
from services.matchmaking.policy import MOST_SEATS, Policy

FEW = 1000
"""With so many tickets, the plain way is one of those to begin: nothing worse is ever formed."""
SOME = 4000
"""With so many, several ways to begin are tried, and every block is looked at; with more, only
where somebody could do better."""
CUTS = (blocks.BLOCK, blocks.BLOCK // 2)
"""How long the first block is, one pass after the other."""
REPAIRS = 16
"""How many neighbourhoods are seated in the best way."""


def form(waiting: Sequence[Waiting], policy: Policy, now_s: float) -> list[Group]:
    """Disjoint admissible tables of high worth.

    Ticket ids are unique, and nobody is in two of these tickets.
    """
    if not waiting or not (cols := columns(waiting, policy, now_s)).rows:
        return []
    table = begun(cols, waiting, policy, now_s)
    if cols.rows <= SOME:
        repair(cols, policy, table)
    if serve(cols, policy, table):
        line_up(cols, policy, cols.key[:-1], table)
        polish(cols, policy, table)
        serve(cols, policy, table)
        line_up(cols, policy, cols.key[:-1], table)
    return list(groups(cols, policy, table))


def begun(cols: Columns, waiting: Sequence[Waiting], policy: Policy, now_s: float) -> Ints:
    """Good tables, found according to how many wait."""
    if np.bincount(cols.key[:-1]).max() <= blocks.BLOCK:
        table = nobody(cols)
        rows = np.arange(cols.rows)
        blocks.improve(cols, policy, table, rows, blocks.BLOCK, rows >= 0)
        return table
    if cols.rows <= SOME:
        begins = beginnings(cols, policy)
        if cols.rows <= FEW:
            begins.append(laid(cols, greedy(waiting, policy, now_s)))
        return best_of(cols, policy, begins)
    table = fullest(cols, policy)
    polish(cols, policy, table)
    return table


def beginnings(cols: Columns, policy: Policy) -> list[Ints]:
    """Ways to begin: neighbours of several kinds."""
    kinds: list[tuple[NDArray[Any], ...]] = [(), (cols.wants,), (cols.wants, cols.size)]
    return [fullest(cols, policy), *(neighbours(cols, policy, *kind) for kind in kinds)]


def fullest(cols: Columns, policy: Policy) -> Ints:
    """Tables of the largest size that each takes, then of those left over."""
    largest = cols.wants.copy()
    for bit in range(MOST_SEATS):
        larger = largest >> (bit + 1) > 0
        largest[larger] &= ~np.uint16(1 << bit)
    table = neighbours(cols._replace(wants=largest), policy, largest)
    line_up(cols, policy, cols.key[:-1], table)
    return table


def neighbours(cols: Columns, policy: Policy, *kinds: NDArray[Any]) -> Ints:
    """Tables of neighbours that are alike in these columns, then of those left over."""
    table = nobody(cols)
    for count in range(len(kinds), -1, -1):
        lane = cols.key[:-1]
        for column in kinds[:count]:
            lane = lane * (int(column.max()) + 1) + column[:-1]
        line_up(cols, policy, lane, table)
    return table


def line_up(cols: Columns, policy: Policy, lane: Ints, table: Ints) -> None:
    """Seat who is free with neighbours of the same lane."""
    free = np.flatnonzero(table < 0)
    line = free[np.argsort(lane[free], kind="stable")]
    windows.seat(cols, policy, line, lane[line], table)


def best_of(cols: Columns, policy: Policy, tables: Sequence[Ints]) -> Ints:
    """Each of these polished, and for each key the best. All are worked on at once, as tickets of
    different keys."""
    many = repeated(cols, len(tables))
    offset = np.arange(len(tables))[:, None] * cols.rows
    table = np.where(np.array(tables) < 0, -1, np.array(tables) + offset).ravel()
    polish(many, policy, table)
    worth = worth_by_key(many, policy, table).reshape(len(tables), -1)
    taken = worth.argmax(axis=0)[cols.key[:-1]]
    of_each = np.where(table < 0, -1, table % cols.rows).reshape(len(tables), -1)
    best: Ints = of_each[taken, np.arange(cols.rows)]
    return best


def polish(cols: Columns, policy: Policy, table: Ints) -> None:
    """Seat neighbours anew where that is better; then those who could do better, wherever they
    are, among themselves."""
    everybody = cols.rows <= SOME
    for first in CUTS:
        worse = np.full(cols.rows, True) if everybody else poor(cols, table)
        blocks.improve(cols, policy, table, ordered(cols, table), first, worse)
    for first in CUTS:
        worse = poor(cols, table)
        line = ordered(cols, table)
        blocks.improve(cols, policy, table, line[worse[line]], first, worse)


def repair(cols: Columns, policy: Policy, table: Ints) -> None:
    """Seat neighbourhoods in the best way: keys of a few tickets whole, then around those who could
    do better, the longest wait first."""
    counts = np.bincount(cols.key[:-1])
    small = (counts > blocks.BLOCK) & (counts <= exact.MOST)
    whole = np.searchsorted(cols.key[:-1], np.flatnonzero(small))
    worse = np.flatnonzero(poor(cols, table) & ~small[cols.key[:-1]])
    longest = worse[np.lexsort((worse, cols.since[worse]))]
    for row in [*whole.tolist(), *longest.tolist()][:REPAIRS]:
        exact.settle(cols, policy, table, around(cols, table, row))


def around(cols: Columns, table: Ints, row: int) -> Ints:
    """Somebody's neighbours of the same key, tables whole, as many as can be settled exactly."""
    line = ordered(cols, table)
    line = line[cols.key[line] == cols.key[row]]
    unit = np.where(table[line] < 0, line, table[line])
    starts = np.append(np.flatnonzero(np.diff(unit, prepend=-1)), len(line))
    first = int(np.searchsorted(starts, np.flatnonzero(line == row)[0], side="right")) - 1
    last = first + 1
    while True:
        below = first > 0 and starts[last] - starts[first - 1] <= exact.MOST
        if below:
            first -= 1
        above = last < len(starts) - 1 and starts[last + 1] - starts[first] <= exact.MOST
        if above:
            last += 1
        if not (below or above):
            return np.sort(line[starts[first] : starts[last]])
