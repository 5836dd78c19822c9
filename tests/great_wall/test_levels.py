"""A small slice of what the soak tests say of the bots' strength: the same games each time."""

from __future__ import annotations

import pytest

from services.lab.simulate import Plan, play_one
from tests.bots.sequential import first_places

pytestmark = pytest.mark.timeout(300)

KEY = "great_wall"


@pytest.mark.parametrize(
    ("seats", "better", "worse", "games"),
    [(2, "greedy", "random", 6), (4, "greedy", "random", 6), (2, "easy", "greedy", 5)],
)
def test_a_level_wins_most_games_against_the_one_below(
    seats: int, better: str, worse: str, games: int
) -> None:
    shares = list(first_places(KEY, seats, better, worse, games))
    assert sum(shares) > games / 2


@pytest.mark.parametrize(("seats", "least"), [(2, 80), (3, 70), (4, 60)])
def test_a_table_of_greedy_bots_holds_the_wall_for_some_years(seats: int, least: int) -> None:
    plan = Plan(game=KEY, seats=seats, games=2, bots=("greedy",), seed="table")
    played = [play_one(plan, number) for number in range(plan.games)]
    scores = [place.score for one in played for place in one.places]
    assert sum(scores) / len(scores) >= least
    assert all(one.tale.breaches <= 5 for one in played)
