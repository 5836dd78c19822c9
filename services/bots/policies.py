"""The bots by name."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

from services.bots.policy import Policy
from services.bots.search import Hindsight, Search
from services.bots.simple import Chancer, Greedy

POLICIES: Mapping[str, Policy] = {
    "random": Chancer(),
    "greedy": Greedy(),
    "easy": Search(1_000, 2, 0.4, hindsight=Hindsight(1)),
    "medium": Search(
        4_000,
        8,
        0.15,
        hindsight=Hindsight(2, finalists=10, worlds=2, late=2, reckoned=True, haste=0.1),
        duel=Hindsight(2, finalists=10, late=2, haste=0.1),
    ),
    "hard": Search(
        40_000,
        100,
        hindsight=Hindsight(2, finalists=12, worlds=3, late=3, reckoned=True),
        duel=Hindsight(2, finalists=12, worlds=2, late=16, reckoned=True),
    ),
}
"""Every policy that a seat may be given to; the levels differ in what they may look at,
in how often they slip where there is little to look at, and, where a game tells spans of a match
apart, in their hindsight."""

FALLBACK = "random"
"""Takes a turn that a seat's own policy has failed at: it needs nothing but the rules."""


def policies(extra: tuple[str, ...] = ()) -> dict[str, Policy]:
    """The shipped policies and the `POLICIES` of each module named in `extra`.

    Raises ImportError for a module that is not there, AttributeError for one without `POLICIES`.
    """
    known = dict(POLICIES)
    for name in extra:
        known |= import_module(name).POLICIES
    return known
