from __future__ import annotations

from random import Random

from services.bots import FALLBACK, POLICIES
from services.gamekit.chance import Chance
from services.gamekit.game import NATURE, Seat
from services.gamekit.play import nature_due, play, sample, settle, start
from services.workers import queues
from services.workers.queues import BOTS, INVASIONS, Turn
from services.workers.turn import Position, decide
from tests.ambush.game import GAME


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
