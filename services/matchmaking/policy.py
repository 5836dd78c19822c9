"""What a queue promises: how far apart players may be, how long they wait, when bots fill in.

A policy is data. Ratings and tolerances are in the unit of `mu` (a newcomer has 25 ± 8.3), times in
seconds. docs/matchmaking.md says how groups are chosen by it.
"""

from __future__ import annotations

from services.gamekit.record import Record

MOST_SEATS = 8


class Policy(Record, frozen=True):
    """The rules of one queue. The defaults are those of a casual queue."""

    base: float = 4.0
    """A ticket's tolerance when it comes: nobody at its table is further from its rating."""
    per_s: float = 0.15
    """What each second of waiting adds."""
    cap: float = 25.0
    """The widest tolerance."""
    bound_s: float = 60.0
    """From then on a ticket is overdue: it comes first, and at its table everybody's tolerance
    is the cap."""
    seats: tuple[int, ...] = (2, 3, 4)
    """The sizes of table that the queue fills."""
    bots_after_s: float | None = 30.0
    """When bots may fill the seats of a table: its longest wait counts. None: never."""
    bots_level: str = "easy"
    """The policy of these bots."""
    accept_s: float = 0.0
    """How long the players of a table have to accept it; 0 asks nobody."""
    again: float = 0.5
    """The part of a pair's fairness that is lost when the two met recently, 0 to 1."""
    fairness: float = 1.0
    """The weight of fairness beside having a table at all (1 for each person)."""
    waiting: float = 1.0
    """The weight of the wait of somebody who is nearly overdue."""
    fuller: float = 0.1
    """What each seat beyond two is worth to each person at the table."""

    def __post_init__(self) -> None:
        """Raises ValueError for what no queue can do."""
        numbers = (self.base, self.per_s, self.accept_s, self.fairness, self.waiting, self.fuller)
        if not all(0.0 <= number < float("inf") for number in numbers):
            raise ValueError("tolerances, times and weights are not negative")
        if not (self.base <= self.cap < float("inf") and 0.0 < self.bound_s < float("inf")):
            raise ValueError("the cap is no less than the base, and the bound is above 0")
        if not 0.0 <= self.again <= 1.0:
            raise ValueError("again is a part, 0 to 1")
        if self.bots_after_s is not None and not 0.0 <= self.bots_after_s < float("inf"):
            raise ValueError("bots_after_s is not negative")
        if not self.seats or not all(2 <= seats <= MOST_SEATS for seats in self.seats):
            raise ValueError(f"tables have 2 to {MOST_SEATS} seats")


CASUAL = Policy()
RANKED = Policy(
    base=2.0, per_s=0.05, cap=12.0, bound_s=180.0, bots_after_s=None, accept_s=20.0, again=0.25
)
DEFAULTS = {"casual": CASUAL, "ranked": RANKED}
"""The policy of a queue that has none of its own, by its mode."""


def tolerance(policy: Policy, waited_s: float) -> float:
    """How far from a ticket's rating others may be once it has waited so long."""
    return min(policy.cap, policy.base + policy.per_s * max(0.0, waited_s))


def overdue(policy: Policy, waited_s: float) -> bool:
    """Whether a ticket has waited to its bound."""
    return waited_s >= policy.bound_s


def bots_may_fill(policy: Policy, waited_s: float) -> bool:
    """Whether bots may fill a table whose longest wait is `waited_s`."""
    return policy.bots_after_s is not None and waited_s >= policy.bots_after_s


def sentence(policy: Policy, seats: tuple[int, ...], waited_s: float) -> str:
    """What a ticket tells its player: "now matching ±5.5 for 4 seats, bots from 30 s on"."""
    wide = policy.cap if overdue(policy, waited_s) else tolerance(policy, waited_s)
    said = f"now matching ±{wide:.1f} for {listed(seats)} seats"
    if policy.bots_after_s is None:
        return said
    if bots_may_fill(policy, waited_s):
        return said + ", bots may fill in"
    return said + f", bots from {policy.bots_after_s:g} s on"


def listed(seats: tuple[int, ...]) -> str:
    """Numbers as they are said: "2", "2 or 4", "2, 3 or 4"."""
    names = [str(one) for one in sorted(set(seats))]
    return " or ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
