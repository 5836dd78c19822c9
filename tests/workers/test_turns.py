from __future__ import annotations

from random import Random
from typing import Any

import pytest

from services.bots import FALLBACK, POLICIES
from services.bots.search import Search
from services.gamekit.chance import Chance
from services.gamekit.game import NATURE, Action, Game, Seat
from services.gamekit.play import nature_due, play, sample, settle, start
from services.gamekit.testing import playout, swap_hidden
from services.workers import queues
from services.workers.queues import BOTS, INVASIONS, Turn
from services.workers.turn import Position, decide
from tests.ambush.game import GAME
from tests.every_game.cases import GAMES

HIDES_NOTHING = {"altarion"}
"""Games whose positions are seen whole by everybody."""
WORLDS = 12


def test_an_id_fits_a_request_id_even_with_the_longest_match_id() -> None:
    turn = Turn("ambush", "m" * 63, Seat(5), 2**32 - 1)
    assert len(turn.id + queues.FALLBACK) <= 64


def test_long_ids_of_different_turns_differ() -> None:
    ids = ["m" * 62 + "a", "m" * 62 + "b"]
    turns = [Turn("ambush", one, Seat(s), d) for one in ids for s in (0, 1) for d in (1, 2)]
    assert len({turn.id for turn in turns}) == 8


def test_bots_and_nature_wait_in_queues_of_their_own() -> None:
    assert Turn("ambush", "m", Seat(0), 1).queue == BOTS
    assert Turn("ambush", "m", NATURE, 1).queue == INVASIONS


def test_nature_is_resolved_from_its_draws_alone_as_the_host_would() -> None:
    chance, seed = Chance(b"match"), b"match"
    rng = Random(1)
    state, _ = settle(GAME, start(GAME, 3, GAME.Options()), chance)
    while nature_due(GAME, state, deferred=True) is None:
        decision = rng.choice(GAME.decisions(state))
        state = play(GAME, state, decision.seat, sample(GAME, state, decision, rng))
        state, _ = settle(GAME, state, chance)
    kind = nature_due(GAME, state, deferred=True)
    assert kind is not None
    hosts = Chance(seed)
    expected = kind.resolve(state, hosts)
    draws = {draw.label: str(draw.result) for draw in hosts.taken()}
    turn = Turn("ambush", "m", NATURE, 1)
    position = Position(1, 1, state, "", draws)
    assert decide(GAME, turn, position, POLICIES[FALLBACK], 0) == (expected,)


def answers(game: Game[Any], state: Any, seat: Seat, policy: Any) -> list[tuple[Action[Any], ...]]:
    """What a bot answers to each of the worlds that it may be dealt: a sample of its decisions
    in which each world counts as often as another."""
    turn = Turn(game.meta.key, "m", seat, 1)
    dealt = (game.imagine(state, seat, Chance(b"world %d" % number)) for number in range(WORLDS))
    return [decide(game, turn, Position(1, 1, one, "", {}), policy, 0) for one in dealt]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.meta.key)
def test_a_bot_decides_alike_in_all_worlds_that_look_the_same_to_it(game: Game[Any]) -> None:
    rng, others = Random(46), 0
    steps = [step for step in playout(game, 3, seed=46) if step.seat != NATURE]
    for step in rng.sample(steps, 5):
        world = swap_hidden(game, step.state, step.seat, rng)
        others += world != step.state
        for policy in (POLICIES["random"], POLICIES["greedy"], Search(nodes=60, width=3)):
            here, there = (answers(game, one, step.seat, policy) for one in (step.state, world))
            assert here == there
    assert bool(others) is (game.meta.key not in HIDES_NOTHING), "these are different worlds"
