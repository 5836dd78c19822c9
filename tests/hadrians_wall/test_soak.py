"""How strong the bots are: a better level wins, and alone the best of them earns the highest title.

It takes some hours of two cores.
"""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from services.lab.figures import summary
from services.lab.simulate import Plan, simulate
from tests.bots.sequential import first_places, verdict

pytestmark = [pytest.mark.soak, pytest.mark.timeout(4 * 3600)]

KEY = "hadrians_wall"
LEVELS = ("random", "greedy", "easy", "medium", "hard")
STEPS = tuple(zip(LEVELS[1:], LEVELS, strict=False))
MOST = 400
"""Games after which the mean decides."""

Record = Callable[[str, object], None]
"""Keeps a figure in the report of the run."""


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize(("better", "worse"), STEPS)
def test_a_level_wins_against_the_one_below(
    seats: int, better: str, worse: str, record_property: Record
) -> None:
    found = verdict(first_places(KEY, seats, better, worse, MOST))
    record_property("verdict", found)
    assert found.more, found


def test_alone_hard_earns_the_highest_title_on_average(record_property: Record) -> None:
    plan = Plan(game=KEY, seats=1, games=100, bots=("hard",), seed="strength")
    figures = summary(list(simulate(plan, jobs=os.cpu_count() or 1)), seconds=1.0)
    record_property("scores", figures["scores"])
    assert not figures["failures"]
    assert figures["scores"]["mean"] >= 70
