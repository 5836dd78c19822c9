"""Better tables among neighbours: the line is cut into blocks of a few tickets, tables kept whole,
and each block is seated anew in the best of all ways.

All blocks are solved at once: bit j of a mask is the j-th ticket of each block, so that an array
with a row for each mask and a column for each block holds everything about every possible table.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from services.matchmaking.arrays.columns import Columns, Flags, Floats, Ints
from services.matchmaking.arrays.pricing import Sums, fair, friends, priced
from services.matchmaking.policy import Policy

BLOCK = 8
"""Tickets in a block; no table has more."""
CHUNK = 1024
"""Blocks solved together: so many stay in the processor's cache."""
NEVER = -1e12
"""The worth of leaving out an overdue ticket that has a table."""


def improve(
    cols: Columns, policy: Policy, table: Ints, line: Ints, first: int, worse: Flags
) -> None:
    """Seat the tickets of `line` (rows, the tables whole) anew, block by block; nothing gets worse.

    `first` is the length of the first block: other lengths cut elsewhere. Only blocks with a row
    of `worse` are looked at.
    """
    if not len(line):
        return
    blocks = cut(cols, table, line, first)
    blocks = blocks[:, np.append(worse, False)[blocks].any(axis=0)]
    for start in range(0, blocks.shape[1], CHUNK):
        reseat(cols, policy, table, blocks[:, start : start + CHUNK])


def cut(cols: Columns, table: Ints, line: Ints, first: int) -> Ints:
    """Blocks of neighbours as columns of rows, each by rating. A block has one key."""
    unit = np.where(table[line] < 0, line, table[line])
    starts = np.flatnonzero(np.concatenate([[True], unit[1:] != unit[:-1]]))
    counts = np.diff(np.append(starts, len(line)))
    keys = cols.key[line[starts]]
    heads: list[int] = []
    room, last = 0, -1
    rows = zip(starts.tolist(), counts.tolist(), keys.tolist(), strict=True)
    for start, count, key in rows:
        if count > room or key != last:
            room = BLOCK if heads else max(count, first)
            heads.append(start)
        room, last = room - count, key
    begins = np.array(heads, dtype=np.intp)
    places = begins + np.arange(BLOCK, dtype=np.intp)[:, None]
    inside = places < np.append(begins[1:], len(line))
    blocks = np.where(inside, line[np.minimum(places, len(line) - 1)], cols.rows)
    blocks.sort(axis=0)
    return blocks


def reseat(cols: Columns, policy: Policy, table: Ints, blocks: Ints) -> None:
    """The best tables of each block, written into `table`."""
    worth, _ = priced(sums(cols, policy, blocks), policy)
    alone = [1 << bit for bit in range(BLOCK)]
    seated = np.append(table, -1)[blocks] >= 0
    tables_alone: Flags = np.isfinite(worth[alone])
    left_out = np.where(cols.late[blocks] & seated, NEVER, 0.0)
    worth[alone] = np.maximum(worth[alone], left_out)
    choice = best(worth, max(policy.seats))
    written = np.append(table, -1)
    rest = np.full(blocks.shape[1], (1 << BLOCK) - 1)
    across = np.arange(blocks.shape[1])
    while rest.any():
        masks = choice[rest, across]
        low = LOWEST[masks]
        label = blocks[low, across]
        single = (masks & (masks - 1)) == 0
        label = np.where(single & ~tables_alone[low, across], -1, label)
        for bit in range(BLOCK):
            member = (masks >> bit & 1).astype(np.bool_)
            written[blocks[bit, member]] = label[member]
        rest ^= masks
    table[:] = written[:-1]


def sums(cols: Columns, policy: Policy, blocks: Ints) -> Sums:
    """All that decides about every subset of each block. Row `2^j + s` is subset `s`, of tickets
    before the j-th, with the j-th; these are by rating, so the j-th is the highest."""
    shape = (1 << len(blocks), blocks.shape[1])
    rating, reach = cols.rating[blocks], cols.reach[blocks]
    size, friendly = cols.size[blocks], friends(cols.size[blocks])
    total = np.zeros(shape, dtype=np.uint8)
    wants = np.full(shape, 0xFFFF, dtype=np.uint16)
    own, pairs = np.zeros(shape), np.zeros(shape)
    low, high = np.full(shape, np.inf), np.full(shape, -np.inf)
    up, down = np.full(shape, np.inf), np.full(shape, -np.inf)
    late, bots = np.zeros(shape, dtype=np.bool_), np.zeros(shape, dtype=np.bool_)
    for j in range(len(blocks)):
        old, new = slice(0, 1 << j), slice(1 << j, 2 << j)
        total[new] = total[old] + size[j]
        wants[new] = wants[old] & cols.wants[blocks[j]]
        own[new] = own[old] + cols.own[blocks[j]]
        pairs[new] = pairs[old] + friendly[j] + with_each(cols, policy, blocks, j)
        low[new], high[new] = np.minimum(low[old], rating[j]), rating[j]
        up[new] = np.minimum(up[old], rating[j] + reach[j])
        down[new] = np.maximum(down[old], rating[j] - reach[j])
        late[new] = late[old] | cols.late[blocks[j]]
        bots[new] = bots[old] | cols.bots[blocks[j]]
    within = (high <= up) & (down <= low)
    within |= late & (high - low <= policy.cap)
    within[0] = False
    return Sums(total, wants, own, pairs, late, bots, within)


def with_each(cols: Columns, policy: Policy, blocks: Ints, j: int) -> Floats:
    """The fairness of the j-th ticket with all of each subset of the tickets before it."""
    total = np.zeros((1 << j, blocks.shape[1]))
    for i in range(j):
        weights = fair(cols, policy, blocks[i], blocks[j])
        total[1 << i : 2 << i] = total[: 1 << i] + weights
    return total


def best(worth: Floats, largest: int) -> NDArray[np.intp]:
    """For each mask that matters, the table of its lowest ticket in the best way to seat it; a
    ticket alone may be one that is left out."""
    total = np.zeros(worth.shape)
    choice = np.zeros(worth.shape, dtype=np.intp)
    possible = [bool(row.any()) for row in np.isfinite(worth)]
    for mask, subsets in plan(largest):
        value, chosen = total[mask], choice[mask]
        lowest = subsets[0]
        np.add(worth[lowest], total[mask ^ lowest], out=value)
        chosen[:] = lowest
        for subset in subsets[1:]:
            if possible[subset]:
                other = worth[subset] + total[mask ^ subset]
                better = other > value
                np.copyto(value, other, where=better)
                np.copyto(chosen, subset, where=better)
    return choice


LOWEST = np.array([0] + [(mask & -mask).bit_length() - 1 for mask in range(1, 1 << BLOCK)])


@cache
def plan(largest: int) -> list[tuple[int, list[int]]]:
    """The masks that are reached by taking the table of the lowest ticket away, again and again,
    from all; with each the possible tables of its lowest ticket, that ticket alone first."""
    full = (1 << BLOCK) - 1
    return [
        (mask, [mask & -mask | rest for rest in within(mask & (mask - 1), largest - 1)])
        for mask in [*range(2, full, 2), full]
    ]


def within(mask: int, most: int) -> list[int]:
    """The subsets of a mask with up to `most` bits, the smaller first."""
    bits = [1 << bit for bit in range(BLOCK) if mask >> bit & 1]
    return [
        sum(some) for count in range(min(most, len(bits)) + 1) for some in combinations(bits, count)
    ]
