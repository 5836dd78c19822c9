"""Every shipped bot on every hosted game."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from services.bots import POLICIES, policies, rng_for
from services.bots.arena import match
from services.bots.policy import Policy
from services.bots.search import Search
from services.gamekit.chance import Chance
from services.gamekit.game import NATURE, Game, Seat
from services.gamekit.play import open_decision, play
from services.gamekit.testing import playout, swap_hidden
from tests.ambush.game import GAME as AMBUSH
from tests.every_game.cases import CASES, GAMES, Case

SEED = 1202
QUICK: dict[str, Policy] = {
    "random": POLICIES["random"],
    "greedy": POLICIES["greedy"],
    "search": Search(nodes=60, width=3),
}
"""The shipped kinds of bot; the levels differ in their budgets alone."""


def turns(case: Case, seed: int, most: int) -> Iterator[tuple[Any, Seat]]:
    """Some (position, seat that is asked) of a random match."""
    rng = Random(seed)
    steps = list(playout(case.game, case.seats, case.options(seed), seed))
    asked = [(step.state, step.seat) for step in steps if step.seat != NATURE]
    yield from rng.sample(asked, min(most, len(asked)))


@pytest.mark.parametrize("name", QUICK)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_a_bot_answers_is_legal(case: Case, name: str) -> None:
    for state, seat in turns(case, SEED, 4):
        imagined = case.game.imagine(state, seat, Chance(b"imagined"))
        after = imagined
        for action in QUICK[name].choose(case.game, imagined, seat, rng_for("m", 1, seat)):
            assert open_decision(case.game, after, NATURE) is None
            after = play(case.game, after, seat, action)


@pytest.mark.parametrize("name", QUICK)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_bot_repeats_itself(case: Case, name: str) -> None:
    for state, seat in turns(case, SEED + 1, 2):
        answers = [
            QUICK[name].choose(case.game, state, seat, rng_for("m", 1, seat)) for _ in range(2)
        ]
        assert answers[0] == answers[1]


@pytest.mark.parametrize("name", QUICK)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_a_bot_cannot_see_changes_nothing(case: Case, name: str) -> None:
    """Whatever world is dealt to it, a bot in a second world is dealt the same ones: so the
    distribution of its answers is the same, not only alike."""
    rng = Random(SEED)
    for state, seat in turns(case, SEED + 2, 3):
        twin = swap_hidden(case.game, state, seat, rng)
        answers = [
            QUICK[name].choose(
                case.game,
                case.game.imagine(world, seat, Chance(b"dealt")),
                seat,
                rng_for("m", 1, seat),
            )
            for world in (state, twin)
        ]
        assert answers[0] == answers[1]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.meta.key)
def test_a_match_between_bots_comes_to_its_end_and_can_be_repeated(game: Game[Any]) -> None:
    bots = [QUICK["greedy"], QUICK["random"]]
    matches = [match(game, game.Options(), bots, "seed") for _ in range(2)]
    assert matches[0] == matches[1]


def test_searching_beats_random_play_at_ambush() -> None:
    """Expected at level strength: 12 of 24, with a deviation of 2.4."""
    bots = [Search(nodes=400, width=2), POLICIES["random"]]
    wins = 0
    for number in range(24):
        seats = bots if number % 2 == 0 else bots[::-1]
        result = match(AMBUSH, AMBUSH.Options(), seats, f"{SEED}/{number}").result
        wins += [one.seat for one in result.places if one.place == 1] == [number % 2]
    assert wins >= 18


def test_further_policies_come_from_modules() -> None:
    assert policies(("tests.workers.policies",)).keys() > POLICIES.keys()
