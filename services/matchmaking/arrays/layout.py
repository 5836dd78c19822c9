"""Who sits with whom: `table` has for each row the first row of its table, -1 for who is free."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from services.matchmaking.arrays.columns import Columns, Flags, Floats, Ints
from services.matchmaking.arrays.pricing import PAIRS, Sums, fair, friends, priced
from services.matchmaking.model import Group
from services.matchmaking.policy import Policy


def nobody(cols: Columns) -> Ints:
    """Everybody is free."""
    return np.full(cols.rows, -1, dtype=np.intp)


def laid(cols: Columns, found: Sequence[Group]) -> Ints:
    """Tables that were found otherwise."""
    table = nobody(cols)
    row = {name: at for at, name in enumerate(cols.names.tolist())}
    for group in found:
        rows = [row[name] for name in group.tickets]
        table[rows] = min(rows)
    return table


def by_length(table: Ints) -> Iterator[Ints]:
    """The tables of one ticket, of two…: the rows of each as a column, ascending."""
    seated = np.flatnonzero(table >= 0)
    order = seated[np.argsort(table[seated], kind="stable")]
    label = table[order]
    starts = np.flatnonzero(np.diff(label, prepend=-1))
    counts = np.diff(np.append(starts, len(label)))
    for count in np.flatnonzero(np.bincount(counts)).tolist():
        yield order[starts[counts == count] + np.arange(count)[:, None]]


def totals(cols: Columns, policy: Policy, members: Ints) -> tuple[Sums, Floats]:
    """What decides about tables, the rows of each as a column, ascending; and their spreads."""
    rating, size = cols.rating[members], cols.size[members]
    reach, late = cols.reach[members], np.logical_or.reduce(cols.late[members], axis=0)
    pairs = friends(size).sum(axis=0)
    for other in range(1, len(members)):
        for one in range(other):
            pairs += fair(cols, policy, members[one], members[other])
    low, high = rating.min(axis=0), rating.max(axis=0)
    within = (high <= (rating + reach).min(axis=0)) & ((rating - reach).max(axis=0) <= low)
    within |= late & (high - low <= policy.cap)
    sums = Sums(
        size.sum(axis=0, dtype=np.uint8),
        np.bitwise_and.reduce(cols.wants[members], axis=0),
        cols.own[members].sum(axis=0),
        pairs,
        late,
        np.logical_or.reduce(cols.bots[members], axis=0),
        within,
    )
    return sums, high - low


def worth_by_key(cols: Columns, policy: Policy, table: Ints) -> Floats:
    """The objective, for each key apart, with `LATE` for each overdue ticket that is seated."""
    worth = np.zeros(int(cols.key.max()) + 1)
    for members in by_length(table):
        one, _ = priced(totals(cols, policy, members)[0], policy)
        worth += np.bincount(cols.key[members[0]], one, len(worth))
    return worth


def poor(cols: Columns, table: Ints) -> Flags:
    """Rows that could do better: free, or at tables that bots must fill."""
    rows = table < 0
    for members in by_length(table):
        people = cols.size[members].sum(axis=0, dtype=np.uint8)
        full = np.bitwise_and.reduce(cols.wants[members], axis=0) >> people & 1
        rows[members[:, full == 0]] = True
    return rows


def groups(cols: Columns, policy: Policy, table: Ints) -> Iterator[Group]:
    """The tables as they are told."""
    for members in by_length(table):
        sums, spread = totals(cols, policy, members)
        _, seats = priced(sums, policy)
        quality = sums.pairs / PAIRS[seats]
        tickets = map(tuple, cols.names[members.T].tolist())
        bots = seats - sums.size
        yield from map(
            Group, tickets, seats.tolist(), bots.tolist(), quality.tolist(), spread.tolist()
        )


def ordered(cols: Columns, table: Ints) -> Ints:
    """All rows by key and rating, each table whole, at the place of its mean."""
    rows = np.arange(cols.rows)
    unit = np.where(table < 0, rows, table)
    counts = np.maximum(1, np.bincount(unit, minlength=cols.rows))
    mean = np.bincount(unit, cols.rating[:-1], cols.rows) / counts
    return np.lexsort((rows, unit, mean[unit], cols.key[:-1]))
