"""Which tables are formed now: `form`. Pure, and the same for any order of the tickets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from services.matchmaking.arrays import blocks, windows
from services.matchmaking.arrays.columns import Columns, Ints, columns, repeated
from services.matchmaking.arrays.layout import groups, nobody, ordered, poor, worth_by_key
from services.matchmaking.arrays.overdue import serve
from services.matchmaking.greedy import greedy
from services.matchmaking.model import Group, Waiting
from services.matchmaking.policy import Policy

FEW = 200
"""With so many tickets, several ways to begin are tried, the plain one among them."""
SOME = 4000
"""With so many, every block is looked at; with more, only where somebody could do better."""
CUTS = (blocks.BLOCK, blocks.BLOCK // 2)
"""How long the first block is, one pass after the other."""


def form(waiting: Sequence[Waiting], policy: Policy, now_s: float) -> list[Group]:
    """Disjoint admissible tables of high worth, in the order of their first tickets.

    Ticket ids are unique, and nobody is in two of these tickets.
    """
    if not waiting:
        return []
    cols = columns(waiting, policy, now_s)
    if cols.rows > FEW or np.bincount(cols.key[:-1]).max() <= blocks.BLOCK:
        table = neighbours(cols, policy, cols.wants)
        finish(cols, policy, table)
    else:
        table = best_of(cols, policy, beginnings(cols, policy, now_s))
    return sorted(groups(cols, policy, table), key=lambda one: one.tickets)


def beginnings(cols: Columns, policy: Policy, now_s: float) -> list[Ints]:
    """Ways to begin: the plain one, and neighbours of several kinds."""
    plain = nobody(cols)
    row = {one.ticket: at for at, one in enumerate(cols.tickets)}
    for group in greedy(cols.tickets, policy, now_s):
        rows = [row[ticket] for ticket in group.tickets]
        plain[rows] = min(rows)
    return [
        plain,
        neighbours(cols, policy),
        neighbours(cols, policy, cols.wants),
        neighbours(cols, policy, cols.wants, cols.size),
    ]


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
    """Each of these finished, and for each key the best. All are worked on at once, as tickets of
    different keys."""
    many = repeated(cols, len(tables))
    offset = np.arange(len(tables))[:, None] * cols.rows
    table = np.where(np.array(tables) < 0, -1, np.array(tables) + offset).ravel()
    finish(many, policy, table)
    worth = worth_by_key(many, policy, table).reshape(len(tables), -1)
    taken = worth.argmax(axis=0)[cols.key[:-1]]
    of_each = np.where(table < 0, -1, table % cols.rows).reshape(len(tables), -1)
    best: Ints = of_each[taken, np.arange(cols.rows)]
    return best


def finish(cols: Columns, policy: Policy, table: Ints) -> None:
    """Better tables, and nobody overdue passed over."""
    polish(cols, policy, table)
    if serve(cols, policy, table):
        line_up(cols, policy, cols.key[:-1], table)
        polish(cols, policy, table)
        serve(cols, policy, table)
        line_up(cols, policy, cols.key[:-1], table)


def polish(cols: Columns, policy: Policy, table: Ints) -> None:
    """Seat neighbours anew where that is better; then those who could do better, wherever they
    are, among themselves."""
    everybody = cols.rows <= SOME
    for first in CUTS:
        worse = np.full(cols.rows, True) if everybody else poor(cols, policy, table)
        blocks.improve(cols, policy, table, ordered(cols, table), first, worse)
    for first in CUTS:
        worse = poor(cols, policy, table)
        line = ordered(cols, table)
        blocks.improve(cols, policy, table, line[worse[line]], first, worse)
