"""The plain way: the longest wait first, each with the nearest who fit.

What `matching.form` is compared with, and one of the places it starts from.
"""

from __future__ import annotations

from collections.abc import Sequence

from services.matchmaking.model import Group, Waiting, admissible, group_of, people, within
from services.matchmaking.policy import Policy


def greedy(waiting: Sequence[Waiting], policy: Policy, now_s: float) -> list[Group]:
    """Tables by the longest wait; cost grows with the square of the tickets of one key."""
    free = {one.ticket: one for one in sorted(waiting, key=lambda one: (one.since_s, one.ticket))}
    groups = []
    for ticket in list(free):
        if ticket not in free:
            continue
        first = free[ticket]
        others = [one for one in free.values() if one.key == first.key and one is not first]
        others.sort(key=lambda one: (abs(one.rating - first.rating), one.since_s, one.ticket))
        found = fullest(first, others, policy, now_s)
        if found:
            groups.append(found)
            for name in found.tickets:
                del free[name]
    return groups


def fullest(
    first: Waiting, others: Sequence[Waiting], policy: Policy, now_s: float
) -> Group | None:
    """The largest table that the nearest fill; else one with bots."""
    sizes = sorted(set(first.seats) & set(policy.seats), reverse=True)
    tables = [(seated(first, others, seats, policy, now_s), seats) for seats in sizes]
    full = [(table, seats) for table, seats in tables if people(table) == seats]
    for table, seats in full + tables:
        if admissible(table, seats, policy, now_s):
            return group_of(table, seats, policy)
    return None


def seated(
    first: Waiting, others: Sequence[Waiting], seats: int, policy: Policy, now_s: float
) -> list[Waiting]:
    """`first` and whoever still fits in, the nearest first."""
    table = [first]
    for one in others:
        if people(table) >= seats:
            break
        if people(table) + len(one.party) <= seats and company([*table, one], seats, policy, now_s):
            table.append(one)
    return table


def company(table: Sequence[Waiting], seats: int, policy: Policy, now_s: float) -> bool:
    """Whether these may sit together, seats still to be filled or not."""
    return within(table, policy, now_s) and all(seats in one.seats for one in table)
