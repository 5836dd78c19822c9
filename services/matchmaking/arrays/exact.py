"""The best tables of a few tickets, by comparing all ways to seat them."""

from __future__ import annotations

import numpy as np

from services.matchmaking.arrays.blocks import NEVER, sums
from services.matchmaking.arrays.columns import Columns, Floats, Ints
from services.matchmaking.arrays.pricing import priced
from services.matchmaking.policy import Policy

MOST = 12
"""The cost doubles with each ticket more."""


def settle(cols: Columns, policy: Policy, table: Ints, rows: Ints) -> None:
    """Seat these rows of one key, up to `MOST`, ascending, in the best way. Their tables are
    among them."""
    worth = priced(sums(cols, policy, rows[:, None]), policy)[0][:, 0]
    tables = np.flatnonzero(np.isfinite(worth))
    bits = 1 << np.arange(len(rows))
    left_out = np.where(cols.late[rows] & (table[rows] >= 0), NEVER, 0.0)
    worth[bits] = np.maximum(worth[bits], left_out)
    table[rows] = -1
    for mask in best(worth, tables[(tables & (tables - 1)) > 0], len(rows)):
        members = rows[(mask & bits) > 0]
        if len(members) > 1 or mask in tables:
            table[members] = members[0]


def best(worth: Floats, tables: Ints, count: int) -> list[int]:
    """The parts of the best way to take all of `count` bits apart; `tables` are the masks with
    several bits that may be parts, and each bit may be one."""
    total = np.zeros(1 << count)
    choice = np.zeros(1 << count, dtype=np.intp)
    lowest = tables & -tables
    for at in range(count - 1, -1, -1):
        low = 1 << at
        rests = np.arange(1 << (count - 1 - at))
        masks = (rests << (at + 1)) | low if at else np.array([(1 << count) - 1])
        value = worth[low] + total[masks ^ low]
        chosen = np.full(len(masks), low)
        for part in tables[lowest == low].tolist():
            holding = np.flatnonzero(masks & part == part)
            other = worth[part] + total[masks[holding] ^ part]
            better = other > value[holding]
            value[holding[better]] = other[better]
            chosen[holding[better]] = part
        total[masks], choice[masks] = value, chosen
    parts, rest = [], (1 << count) - 1
    while rest:
        parts.append(int(choice[rest]))
        rest ^= parts[-1]
    return parts
