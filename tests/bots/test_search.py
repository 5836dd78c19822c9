"""How a level of the search answers, on the toy of the beam's tests."""

from __future__ import annotations

from services.bots.policy import rng_for
from services.bots.search import Search
from tests.bots.test_beam import SEAT, Draw, Sacks, Stop, Toy


def answers(search: Search, left: tuple[int, ...]) -> set[tuple[object, ...]]:
    """What it plays in twenty turns that differ in their randomness alone."""
    return {
        search.choose(Toy(), Sacks(left), SEAT, rng_for("toy", turn, SEAT)) for turn in range(20)
    }


def test_who_never_slips_plays_the_best_plan() -> None:
    assert answers(Search(nodes=1000, width=8), (1, 0, 0)) == {(Draw(0), Stop())}


def test_who_slips_plays_another_plan_at_times() -> None:
    found = answers(Search(nodes=1000, width=8, slips=0.4), (1, 0, 0))
    assert found == {(Draw(0), Stop()), (Stop(),)}


def test_long_plans_are_never_slipped_in() -> None:
    assert len(answers(Search(nodes=1000, width=8, slips=1.0), (2, 2, 2))) == 1
