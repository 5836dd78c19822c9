"""The best tables of neighbours: tickets stand in a line, and a table is a stretch of it.

With every stretch priced, the best set of stretches that do not overlap is found exactly, from left
to right.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from services.matchmaking.arrays.columns import Columns, Floats, Ints
from services.matchmaking.arrays.pricing import Sums, fair, friends, priced
from services.matchmaking.policy import Policy


class Run(NamedTuple):
    """All stretches of one length, each where it starts in the line."""

    sums: Sums
    highest: Floats
    """The highest rating that all its tickets tolerate."""
    lowest: Floats


class Stretches(NamedTuple):
    """Those of one length that may be tables."""

    starts: Ints
    length: int
    worth: Floats


def seat(cols: Columns, policy: Policy, line: Ints, lane: Ints, table: Ints) -> None:
    """Seat the best set of stretches of `line`: free rows, by rating within each lane. A table
    stays within one lane; `table` gets the first row of each one's table."""
    if not len(line):
        return
    found = list(stretches(cols, policy, line, lane))
    spans = np.array(chosen(found, len(line)), dtype=np.intp).reshape(-1, 2)
    starts, lengths = spans[:, 0], spans[:, 1]
    before = np.cumsum(lengths) - lengths
    places = np.arange(lengths.sum()) + np.repeat(starts - before, lengths)
    table[line[places]] = np.repeat(line[starts], lengths)


def stretches(cols: Columns, policy: Policy, line: Ints, lane: Ints) -> Iterator[Stretches]:
    """Every possible table, one length after the other."""
    rating = cols.rating[line]
    first = run = singles(cols, line)
    beside: list[Floats] = []
    for length in range(1, min(len(line), max(policy.seats)) + 1):
        if length > 1:
            beside.append(fair(cols, policy, line[: 1 - length], line[length - 1 :]))
            run = longer(run, first, beside)
        count = len(line) - length + 1
        low, high = rating[:count], rating[length - 1 :]
        within = (high <= run.highest) & (run.lowest <= low)
        within |= run.sums.late & (high - low <= policy.cap)
        within &= lane[:count] == lane[length - 1 :]
        worth, _ = priced(run.sums._replace(within=within), policy)
        starts = np.flatnonzero(np.isfinite(worth))
        yield Stretches(starts, length, worth[starts])


def singles(cols: Columns, line: Ints) -> Run:
    """Every ticket for itself."""
    rating, reach, size = cols.rating[line], cols.reach[line], cols.size[line]
    late, bots = cols.late[line], cols.bots[line]
    sums = Sums(size, cols.wants[line], cols.own[line], friends(size), late, bots, late)
    return Run(sums, rating + reach, rating - reach)


def longer(run: Run, first: Run, beside: Sequence[Floats]) -> Run:
    """Every stretch with the next ticket of the line. `beside[d - 1]` is the fairness of each
    ticket with the one `d` places on."""
    length = len(beside)
    count = len(run.highest) - 1
    old, new = run.sums, first.sums
    pairs = old.pairs[:-1] + new.pairs[length:]
    for distance, weights in enumerate(beside, start=1):
        start = length - distance
        pairs += weights[start : start + count]
    sums = Sums(
        old.size[:-1] + new.size[length:],
        old.wants[:-1] & new.wants[length:],
        old.own[:-1] + new.own[length:],
        pairs,
        old.late[:-1] | new.late[length:],
        old.bots[:-1] | new.bots[length:],
        old.within[:-1],
    )
    return Run(
        sums,
        np.minimum(run.highest[:-1], first.highest[length:]),
        np.maximum(run.lowest[:-1], first.lowest[length:]),
    )


def chosen(found: Sequence[Stretches], count: int) -> list[tuple[int, int]]:
    """The stretches of the best set, as (start, length)."""
    ends = np.concatenate([one.starts + one.length for one in found])
    lengths = np.repeat([one.length for one in found], [len(one.starts) for one in found])
    worths = np.concatenate([one.worth for one in found])
    order = np.argsort(ends, kind="stable")
    best, taken, at = [0.0] * (count + 1), [0] * (count + 1), 0
    rows = zip(ends[order].tolist(), lengths[order].tolist(), worths[order].tolist(), strict=True)
    for end, length, worth in rows:
        while at < end:
            at += 1
            best[at] = best[at - 1]
        if (total := best[end - length] + worth) > best[end]:
            best[end], taken[end] = total, length
    while at < count:
        at += 1
        best[at] = best[at - 1]
    return traced(taken)


def traced(taken: Sequence[int]) -> list[tuple[int, int]]:
    """The stretches that led to the end; `taken` says which one ends at each place, 0 none."""
    spans, at = [], len(taken) - 1
    while at > 0:
        if length := taken[at]:
            spans.append((at - length, length))
        at -= length or 1
    return spans
