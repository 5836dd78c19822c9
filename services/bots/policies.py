"""The bots by name."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

from services.bots.policy import Policy
from services.bots.search import Search
from services.bots.simple import Chancer, Greedy

POLICIES: Mapping[str, Policy] = {
    "random": Chancer(),
    "greedy": Greedy(),
    "easy": Search(nodes=1_000, width=2, slips=0.4, ahead=2, haste=0.33),
    "medium": Search(nodes=4_000, width=8, slips=0.15, ahead=2, finalists=10),
    "hard": Search(nodes=40_000, width=100, ahead=2, finalists=40, worlds=4),
}
"""Every policy that a seat may be given to; the levels differ in what they may look at,
in how often they slip where there is little to look at, and, where a game tells spans of a match
apart, in how far ahead they compare plans and how often they are too hasty to."""

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
