"""Which tables are formed now: `form`. Pure, and the same for any order of the tickets."""

from __future__ import annotations

from collections.abc import Sequence

from services.matchmaking.greedy import greedy
from services.matchmaking.model import Group, Waiting
from services.matchmaking.policy import Policy


def form(waiting: Sequence[Waiting], policy: Policy, now_s: float) -> list[Group]:
    """Disjoint admissible tables of high worth, in the order of their first tickets.

    Ticket ids are unique, and nobody is in two of these tickets.
    """
    return sorted(greedy(waiting, policy, now_s), key=lambda one: one.tickets)
