"""What is best for a few tickets, by trying everything; shares no code with the arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations

from services.matchmaking.model import Group, Waiting, admissible, group_of, worth
from services.matchmaking.policy import Policy, overdue
from tests.matchmaking.crowds import by_id

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


def passed_over(
    waiting: Sequence[Waiting], groups: Sequence[Group], policy: Policy, now_s: float
) -> Iterator[str]:
    """Overdue tickets left waiting although there is a table for them without anybody who sits
    with somebody overdue who has waited longer: found by trying all."""
    known = by_id(waiting)
    table = {name: one.tickets for one in groups for name in one.tickets}
    for late in waiting:
        if late.ticket in table or not overdue(policy, late.waited(now_s)):
            continue
        open_to_it = [
            one
            for one in waiting
            if one is not late
            and one.key == late.key
            and not any(
                overdue(policy, known[name].waited(now_s)) and known[name].since_s <= late.since_s
                for name in table.get(one.ticket, ())
            )
        ]
        if any(
            admissible([late, *some], seats, policy, now_s)
            for count in range(max(policy.seats))
            for some in combinations(open_to_it, count)
            for seats in policy.seats
        ):
            yield late.ticket
