"""The plain way: the longest wait first, each with the nearest who fit.

What `matching.form` is compared with, and one of the places it starts from.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from services.matchmaking.model import Group, Waiting, admissible, group_of, people, within
from services.matchmaking.policy import Policy

LOOK = 100
"""How many of the nearest are asked."""


class Line:
    """Tickets in a row, out of which some go."""

    def __init__(self, tickets: Sequence[Waiting]) -> None:
        self._tickets = tickets
        self._ratings = [one.rating for one in tickets]
        self._before = list(range(-1, len(tickets) - 1))
        self._after = list(range(1, len(tickets) + 1))

    def nearest(self, at: int) -> Iterator[Waiting]:
        """Who is left, from the ticket in place `at` outwards."""
        low, high, rating = self._before[at], self._after[at], self._ratings[at]
        while low >= 0 or high < len(self._tickets):
            below = rating - self._ratings[low] if low >= 0 else float("inf")
            above = self._ratings[high] - rating if high < len(self._ratings) else float("inf")
            if below <= above:
                yield self._tickets[low]
                low = self._before[low]
            else:
                yield self._tickets[high]
                high = self._after[high]

    def take(self, at: int) -> None:
        """The ticket in place `at` goes."""
        before, after = self._before[at], self._after[at]
        if before >= 0:
            self._after[before] = after
        if after < len(self._tickets):
            self._before[after] = before


def greedy(waiting: Sequence[Waiting], policy: Policy, now_s: float) -> list[Group]:
    """Tables by the longest wait."""
    by_rating = sorted(waiting, key=lambda one: (one.key, one.rating, one.ticket))
    places: dict[str, tuple[Line, int]] = {}
    for key in sorted({one.key for one in waiting}):
        tickets = [one for one in by_rating if one.key == key]
        line = Line(tickets)
        places |= {one.ticket: (line, at) for at, one in enumerate(tickets)}
    groups: list[Group] = []
    gone: set[str] = set()
    for one in sorted(waiting, key=lambda one: (one.since_s, one.ticket)):
        if one.ticket in gone:
            continue
        line, at = places[one.ticket]
        found = fullest(one, list(islice(line.nearest(at), LOOK)), policy, now_s)
        if found:
            groups.append(found)
            gone.update(found.tickets)
            for name in found.tickets:
                places[name][0].take(places[name][1])
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
        room = people(table) + len(one.party) <= seats and seats in one.seats
        if room and within([*table, one], policy, now_s):
            table.append(one)
    return table
