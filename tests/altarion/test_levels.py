"""The levels of bots at two seats, in a few games that repeat; test_soak.py plays many."""

from __future__ import annotations

from itertools import cycle, islice

import pytest

from services.altarion.game import GAME
from services.bots.arena import match
from services.bots.policies import POLICIES
from tests.altarion.test_soak import settled

pytestmark = pytest.mark.timeout(300)


def points(better: str, worse: str, games: int) -> float:
    """The games that the better one wins, who sits at either seat in turn."""
    won = 0.0
    for number in range(games):
        bots = (better, worse) if number % 2 else (worse, better)
        seated = [POLICIES[bot] for bot in bots]
        places = match(GAME, GAME.Options(), seated, f"levels/{number}").result.places
        first = [bots[one.seat] for one in places if one.place == 1]
        won += first.count(better) / len(first)
    return won


def test_easy_beats_random() -> None:
    assert points("easy", "random", 8) >= 7


def test_hard_beats_easy() -> None:
    assert points("hard", "easy", 4) >= 3


@pytest.mark.parametrize(
    ("won", "of", "holds"), [(8, 10, True), (6, 10, False), (10, 10, True), (0, 10, False)]
)
def test_the_sequential_test_tells_shares_apart(won: int, of: int, holds: bool) -> None:
    games = cycle([1.0] * won + [0.0] * (of - won))
    assert settled(islice(games, 600), 0.7)[0] is holds
