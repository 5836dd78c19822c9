"""The best tables of a few tickets, by trying all of them; shares no code with the arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations

from services.matchmaking.model import Group, Waiting, admissible, group_of, worth
from services.matchmaking.policy import Policy

Table = tuple[float, int]
"""What a table is worth, and its seats."""


def best_groups(waiting: Sequence[Waiting], policy: Policy, now_s: float) -> list[Group]:
    """Tables of the largest possible worth. A bit of a mask is a ticket."""
    known = dict(possible(waiting, policy, now_s))

    @cache
    def best(mask: int) -> tuple[float, tuple[int, ...]]:
        if not mask:
            return 0.0, ()
        low = mask & -mask
        found = best(mask ^ low)
        for table, (value, _) in by_lowest.get(low, ()):
            if table & mask == table:
                rest, tables = best(mask ^ table)
                if value + rest > found[0]:
                    found = value + rest, (table, *tables)
        return found

    by_lowest: dict[int, list[tuple[int, Table]]] = {}
    for table, priced in known.items():
        by_lowest.setdefault(table & -table, []).append((table, priced))
    _, chosen = best((1 << len(waiting)) - 1)
    return [group_of(members(waiting, mask), known[mask][1], policy) for mask in chosen]


def possible(
    waiting: Sequence[Waiting], policy: Policy, now_s: float
) -> Iterator[tuple[int, Table]]:
    """Every table there may be, each with its best seats."""
    for count in range(1, max(policy.seats) + 1):
        for some in combinations(range(len(waiting)), count):
            table = [waiting[at] for at in some]
            if sum(len(one.party) for one in table) > max(policy.seats):
                continue
            priced = [
                (worth(table, seats, policy, now_s), seats)
                for seats in policy.seats
                if admissible(table, seats, policy, now_s)
            ]
            if priced:
                yield sum(1 << at for at in some), max(priced)


def members(waiting: Sequence[Waiting], mask: int) -> list[Waiting]:
    """The tickets of a mask."""
    return [one for at, one in enumerate(waiting) if mask >> at & 1]
