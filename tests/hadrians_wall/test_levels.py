"""A small slice of what the soak tests say of the bots' strength: the same games each time."""

from __future__ import annotations

import pytest

from services.lab.simulate import Plan, play_one
from tests.bots.sequential import first_places


@pytest.mark.parametrize(
    ("better", "worse", "games"),
    [("greedy", "random", 4), ("easy", "greedy", 6), ("medium", "easy", 2)],
)
def test_a_level_wins_most_games_against_the_one_below(better: str, worse: str, games: int) -> None:
    shares = list(first_places("hadrians_wall", 2, better, worse, games))
    assert sum(shares) > games / 2


def test_alone_medium_plays_as_a_practised_player_does() -> None:
    plan = Plan(game="hadrians_wall", seats=1, games=3, bots=("medium",), seed="strength")
    scores = [play_one(plan, number).places[0].score for number in range(plan.games)]
    assert sum(scores) / len(scores) >= 52
