"""Who waits, and what a table for them is worth. Pure.

The objective is said here once, one table at a time; `matching.form` maximises it with arrays, and
the tests hold the two together. docs/matchmaking.md says it in words.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from services.gamekit.record import Record
from services.matchmaking.policy import Policy, bots_may_fill, overdue, tolerance

BETA2 = (25.0 / 6.0) ** 2
"""The variance of one player's day, as the rating formula has it."""

LATE = 1000.0
"""What seating an overdue ticket adds: more than all that the others at its table could lose."""


class Entrant(Record, frozen=True):
    """A person in a ticket's party, and what is believed of his strength."""

    player: str
    mu: float = 25.0
    sigma: float = 25.0 / 3.0


class Waiting(Record, frozen=True):
    """A ticket as matching sees it. Tickets come together only if their `key` is the same."""

    ticket: str
    since_s: float
    party: tuple[Entrant, ...]
    seats: tuple[int, ...]
    """The sizes of table that it takes."""
    key: str = ""
    """Whatever must agree: options, clock, region."""
    avoid: tuple[str, ...] = ()
    """Players whom the party met recently."""

    @property
    def rating(self) -> float:
        """A party counts as its mean."""
        return sum(one.mu for one in self.party) / len(self.party)

    @property
    def variance(self) -> float:
        """The mean doubt about its members, squared."""
        return sum(one.sigma**2 for one in self.party) / len(self.party)

    def waited(self, now_s: float) -> float:
        """Seconds since it came."""
        return max(0.0, now_s - self.since_s)


class Group(Record, frozen=True):
    """A table to be: its tickets by rating, its seats, the bots among them."""

    tickets: tuple[str, ...]
    seats: int
    bots: int = 0
    quality: float = 0.0
    """Mean fairness of its pairs of seats, 0 to 1: what `objective` weighs."""
    spread: float = 0.0
    """The largest rating less the smallest."""


def fairness(one: Waiting, other: Waiting, policy: Policy) -> float:
    """Twice the chance of the weaker to come before the stronger, by the rating formula; less if
    the two met recently."""
    doubt = math.sqrt(one.variance + other.variance + 2.0 * BETA2)
    even = 1.0 - math.tanh(abs(one.rating - other.rating) / (2.0 * doubt))
    return even * (1.0 - policy.again) if met(one, other) else even


def met(one: Waiting, other: Waiting) -> bool:
    """Whether somebody of one party wants to avoid somebody of the other."""
    return any(person.player in other.avoid for person in one.party) or any(
        person.player in one.avoid for person in other.party
    )


def people(tickets: Iterable[Waiting]) -> int:
    """How many persons they are."""
    return sum(len(one.party) for one in tickets)


def admissible(tickets: Sequence[Waiting], seats: int, policy: Policy, now_s: float) -> bool:
    """Whether these may sit at a table of so many seats."""
    if seats not in policy.seats or not all(seats in one.seats for one in tickets):
        return False
    if len({one.key for one in tickets}) != 1 or people(tickets) > seats:
        return False
    longest = max(one.waited(now_s) for one in tickets)
    if people(tickets) < seats and not bots_may_fill(policy, longest):
        return False
    return within(tickets, policy, now_s)


def within(tickets: Sequence[Waiting], policy: Policy, now_s: float) -> bool:
    """Whether everybody is within everybody's tolerance: that of his own wait; with somebody
    overdue at the table, the cap."""
    ratings = [one.rating for one in tickets]
    low, high = min(ratings), max(ratings)
    if any(overdue(policy, one.waited(now_s)) for one in tickets):
        return high - low <= policy.cap
    return all(
        high - one.rating <= tolerance(policy, one.waited(now_s))
        and one.rating - low <= tolerance(policy, one.waited(now_s))
        for one in tickets
    )


def quality(tickets: Sequence[Waiting], seats: int, policy: Policy) -> float:
    """Mean over all pairs of seats: friends of one party count 1, a bot counts 0 with anybody."""
    pairs = sum(len(one.party) * (len(one.party) - 1) / 2.0 for one in tickets)
    for one, other in combinations(tickets, 2):
        pairs += len(one.party) * len(other.party) * fairness(one, other, policy)
    return pairs / (seats * (seats - 1) / 2.0)


def worth(tickets: Sequence[Waiting], seats: int, policy: Policy, now_s: float) -> float:
    """What an admissible table adds to the objective."""
    own = sum(len(one.party) * (1.0 + urgency(one, policy, now_s)) for one in tickets)
    own += LATE * sum(overdue(policy, one.waited(now_s)) for one in tickets)
    table = policy.fairness * quality(tickets, seats, policy) + policy.fuller * (seats - 2)
    return own + people(tickets) * table


def urgency(one: Waiting, policy: Policy, now_s: float) -> float:
    """What the wait of each person of a ticket adds, at most `policy.waiting`."""
    return policy.waiting * min(1.0, one.waited(now_s) / policy.bound_s)


def objective(
    groups: Iterable[Group], waiting: Mapping[str, Waiting], policy: Policy, now_s: float
) -> float:
    """What is maximised: the worth of all tables. `waiting` has the tickets by their ids."""
    return sum(
        worth([waiting[name] for name in one.tickets], one.seats, policy, now_s) for one in groups
    )


def group_of(tickets: Sequence[Waiting], seats: int, policy: Policy) -> Group:
    """These at a table of so many seats."""
    ratings = [one.rating for one in tickets]
    return Group(
        tuple(one.ticket for one in sorted(tickets, key=lambda one: (one.rating, one.ticket))),
        seats,
        seats - people(tickets),
        quality(tickets, seats, policy),
        max(ratings) - min(ratings),
    )
