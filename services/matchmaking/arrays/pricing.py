"""What many possible tables are worth, all at once: `model.worth` with arrays."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from services.matchmaking.arrays.columns import TOO_MANY, Bits, Columns, Flags, Floats, Ints, Sizes
from services.matchmaking.model import BETA2
from services.matchmaking.policy import Policy

PAIRS = np.array([max(1.0, size * (size - 1) / 2.0) for size in range(TOO_MANY + 1)])
"""How many pairs so many seats are."""


class Sums(NamedTuple):
    """What decides about tables; all arrays have one shape."""

    size: Sizes
    wants: Bits
    own: Floats
    pairs: Floats
    """Fairness, summed over the pairs of persons."""
    late: Flags
    bots: Flags
    within: Flags
    """Everybody is within everybody's tolerance."""


def fair(cols: Columns, policy: Policy, one: Ints, other: Ints) -> Floats:
    """The fairness of rows with others, times the pairs of persons that they are. `one` is the
    lower row of each two."""
    doubt = np.sqrt(cols.variance[one] + cols.variance[other] + 2.0 * BETA2)
    even = 1.0 - np.tanh(np.abs(cols.rating[other] - cols.rating[one]) / (2.0 * doubt))
    if len(cols.met):
        code = one.astype(np.int64) * (cols.rows + 1) + other
        at = np.minimum(np.searchsorted(cols.met, code), len(cols.met) - 1)
        even[cols.met[at] == code] *= 1.0 - policy.again
    weight: Floats = even * cols.size[one] * cols.size[other]
    return weight


def friends(size: Sizes) -> Floats:
    """The pairs within each party, which are as fair as can be."""
    pairs: Floats = size * (size - 1.0) / 2.0
    return pairs


def priced(sums: Sums, policy: Policy) -> tuple[Floats, Sizes]:
    """The worth of each table, minus infinity where there can be none, and its best seats."""
    seats = np.minimum(sums.size, TOO_MANY)
    ok = sums.within & ((sums.wants >> seats) & 1).astype(np.bool_)
    worth = np.where(ok, valued(sums, seats, policy), -np.inf)
    if sums.bots.any():
        for more in sorted(set(policy.seats)):
            filled = sums.within & sums.bots & (sums.size < more)
            filled &= (sums.wants & (1 << more)).astype(np.bool_)
            with_bots = np.where(filled, valued(sums, np.uint8(more), policy), -np.inf)
            better = with_bots > worth
            worth = np.where(better, with_bots, worth)
            seats = np.where(better, np.uint8(more), seats)
    return worth, seats


def valued(sums: Sums, seats: Any, policy: Policy) -> Floats:
    """The worth of tables with so many seats."""
    table = policy.fairness * sums.pairs / PAIRS[seats] + policy.fuller * (seats - 2.0)
    worth: Floats = sums.own + sums.size * table
    return worth
