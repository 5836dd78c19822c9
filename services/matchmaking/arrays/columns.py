"""Waiting tickets as arrays, a row each, in the order of key, rating and id."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from services.matchmaking.model import LATE, Entrant, Waiting
from services.matchmaking.policy import Policy

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Flags = NDArray[np.bool_]
Sizes = NDArray[np.uint8]
Bits = NDArray[np.uint16]

TOO_MANY = 15
"""A size that no table has."""


class Columns(NamedTuple):
    """The tickets that some table has room for, and at the end one row more that fits nowhere."""

    names: NDArray[np.object_]
    key: Ints
    rating: Floats
    variance: Floats
    size: Sizes
    wants: Bits
    """Bit n: takes a table of n seats, and the queue has them."""
    reach: Floats
    """How far others may be from its rating."""
    since: Floats
    late: Flags
    bots: Flags
    """Has waited long enough for bots."""
    own: Floats
    """What it adds to any table, with `LATE`."""
    met: NDArray[np.int64]
    """Rows that met recently, each pair as `lower * rows + higher`, sorted."""

    @property
    def rows(self) -> int:
        """How many tickets."""
        return len(self.names)


def columns(waiting: Sequence[Waiting], policy: Policy, now_s: float) -> Columns:
    """Read the tickets, whatever their order; those too large for what they want are left out."""
    parties = [one.party for one in waiting]
    count = np.array(list(map(len, parties)), dtype=np.intp)
    size = np.minimum(count, TOO_MANY).astype(np.uint8)
    people = list(chain.from_iterable(parties))
    owner = np.repeat(np.arange(len(parties)), count)
    rating = np.bincount(owner, [one.mu for one in people]) / count
    variance = np.bincount(owner, np.square([one.sigma for one in people])) / count
    key = numbered([one.key for one in waiting])
    wants = wanted([one.seats for one in waiting], policy)
    names = [one.ticket for one in waiting]
    order = in_order(names, rating, key)
    order = order[wants[order] >> size[order] > 0]
    since = np.array([one.since_s for one in waiting], dtype=np.float64)
    waited = np.maximum(0.0, now_s - since)
    late = waited >= policy.bound_s
    urgency = policy.waiting * np.minimum(1.0, waited / policy.bound_s)
    after = np.inf if policy.bots_after_s is None else policy.bots_after_s
    return Columns(
        np.array(names, dtype=np.object_)[order],
        padded(key[order], -1),
        padded(rating[order], 0.0),
        padded(variance[order], 0.0),
        padded(size[order], TOO_MANY),
        padded(wants[order], 0),
        padded(np.minimum(policy.cap, policy.base + policy.per_s * waited)[order], 0.0),
        padded(since[order], 0.0),
        padded(late[order], False),
        padded((waited >= after)[order], False),
        padded((size * (1.0 + urgency) + LATE * late)[order], 0.0),
        acquaintances([one.avoid for one in waiting], people, owner, order),
    )


def repeated(cols: Columns, times: int) -> Columns:
    """The same tickets several times, each time with keys of their own."""
    keys = int(cols.key.max()) + 1
    time = np.repeat(np.arange(times), cols.rows)
    many = {
        name: np.append(np.tile(values[:-1], times), values[-1])
        for name, values in cols._asdict().items()
        if name not in ("names", "met")
    }
    many["key"][:-1] += time * keys
    lower, higher = np.divmod(cols.met, cols.rows + 1)
    start = np.arange(times)[:, None] * cols.rows
    met = (lower + start) * (times * cols.rows + 1) + higher + start
    return cols._replace(names=np.tile(cols.names, times), met=met.ravel(), **many)


def padded(values: NDArray[Any], filler: float) -> NDArray[Any]:
    """A column with the row that fits nowhere at its end."""
    return np.append(values, np.array([filler], dtype=values.dtype))


def numbered(names: Sequence[str]) -> Ints:
    """Each name's place among all that there are, sorted."""
    place = {name: number for number, name in enumerate(sorted(set(names)))}
    return np.array([place[name] for name in names], dtype=np.intp)


def in_order(names: Sequence[str], rating: Floats, key: Ints) -> Ints:
    """The tickets by key, rating and id. Ids are looked at only where the others are equal."""
    order = np.lexsort((rating, key))
    equal = (np.diff(rating[order]) == 0.0) & (np.diff(key[order]) == 0)
    tied = order[np.append(equal, False) | np.append(False, equal)]
    if not len(tied):
        return order
    place = np.zeros(len(order), dtype=np.intp)
    place[tied] = numbered([names[at] for at in tied.tolist()])
    return np.lexsort((place, rating, key))


def wanted(seats: Sequence[tuple[int, ...]], policy: Policy) -> Bits:
    """The seats that each takes, as bits."""
    bits = {
        some: sum(1 << size for size in set(policy.seats).intersection(some)) for some in set(seats)
    }
    return np.array([bits[some] for some in seats], dtype=np.uint16)


def acquaintances(
    avoid: Sequence[tuple[str, ...]], people: Sequence[Entrant], owner: Ints, order: Ints
) -> NDArray[np.int64]:
    """Which rows have met; `owner` has each person's ticket. Names are compared by their hashes:
    a look-up in a dict of a hundred thousand names costs ten times as much."""
    names = list(chain.from_iterable(avoid))
    if not names:
        return np.zeros(0, dtype=np.int64)
    row = np.full(len(avoid), -1, dtype=np.int64)
    row[order] = np.arange(len(order))
    theirs, whose = row[owner], np.repeat(row, list(map(len, avoid)))
    known = np.array([hash(one.player) for one in people], dtype=np.int64)
    sought = np.array(list(map(hash, names)), dtype=np.int64)
    by_hash = np.argsort(known)
    place = np.minimum(np.searchsorted(known[by_hash], sought), len(known) - 1)
    at = by_hash[place]
    here = (known[at] == sought) & (theirs[at] != whose) & (theirs[at] >= 0) & (whose >= 0)
    one, other = whose[here], theirs[at[here]]
    return np.sort(np.minimum(one, other) * (len(order) + 1) + np.maximum(one, other))
