"""The checks of every game find the faults they are there for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from random import Random
from typing import Any

import msgspec
import pytest

from services.gamekit.conformance import check_playout, check_position, check_retirement
from services.gamekit.declaration import check_options_of, check_refused, check_tables
from services.gamekit.game import Game, Record, Seat
from services.gamekit.play import legal, play, start
from services.gamekit.secrecy import check_imagination, check_secrecy
from services.gamekit.testing import (
    Fault,
    perft,
    playout,
    playthrough,
    random_options,
    swap_hidden,
    written,
)
from tests.ambush.cards import Card, Goods
from tests.ambush.game import GAME, Ambush
from tests.ambush.given import A, B, given
from tests.ambush.moves import PlaceOrder
from tests.ambush.nature import RollRaid
from tests.ambush.state import AmbushOptions, State
from tests.gamekit import mutants


def check_secrets(game: Game[Any]) -> None:
    """The leak test over some matches."""
    for seed in range(4):
        steps = playout(game, 3, seed=seed)
        for viewer in (None, *map(Seat, range(3))):
            check_secrecy(game, steps, viewer, Random(seed))


def check_worlds(game: Game[Any]) -> None:
    """The check of imagination over some matches."""
    for seed in range(4):
        for step in playout(GAME, 3, seed=seed):
            for seat in map(Seat, range(3)):
                check_imagination(game, step.state, seat, Random(seed))


def check_positions(game: Game[Any]) -> None:
    """The check of positions over a match; the moves are those of the faultless game."""
    steps = playout(GAME, 3, seed=1)
    for state in (*(step.state for step in steps), steps[-1].after):
        check_position(game, state, 3, Random(1))


@pytest.mark.parametrize("check", [check_secrets, check_worlds, check_positions])
def test_the_faultless_game_passes(check: Callable[[Game[Any]], None]) -> None:
    check(GAME)


@pytest.mark.parametrize(
    ("mutant", "fault"),
    [
        (mutants.TellsByView, "can tell two worlds apart"),
        (mutants.TellsByQuestion, "can tell two worlds apart"),
        (mutants.TellsByScore, "can tell two worlds apart"),
        (mutants.TellsByRefusal, "can tell two worlds apart"),
        (mutants.TellsByCandidates, "can tell two worlds apart"),
        (mutants.TellsByDefault, "can tell two worlds apart"),
        (mutants.TellsByAnswer, "is told more of OpenAnswer"),
        (mutants.TellsByDeal, "is told more of OpenDeal"),
        (mutants.TellsByTheft, "is told more of OpenTheft"),
        (mutants.ForgetsTheVictim, "can tell two worlds apart"),
    ],
)
def test_a_leak_is_found(mutant: type[Ambush], fault: str) -> None:
    with pytest.raises(Fault, match=fault):
        check_secrets(mutant())


@pytest.mark.parametrize(
    ("mutant", "fault"),
    [
        (mutants.TellsByView, "does not see what it imagines"),
        (mutants.ForgetsTheVictim, "does not see what it imagines"),
        (mutants.ImaginesByWhim, "more than its chance"),
    ],
)
def test_a_faulty_imagination_is_found(mutant: type[Ambush], fault: str) -> None:
    with pytest.raises(Fault, match=fault):
        check_worlds(mutant())


@pytest.mark.parametrize(
    ("mutant", "fault"),
    [
        (mutants.AsksTwice, "out of order or doubled"),
        (mutants.EndsSilently, "questions and result disagree"),
        (mutants.NeverRests, "advance is not idempotent"),
        (mutants.ListsTwice, "lists an answer twice"),
        (mutants.CountsAnew, "another score"),
        (mutants.GivesUp, "an illegal default"),
    ],
)
def test_a_faulty_position_is_found(mutant: type[Ambush], fault: str) -> None:
    with pytest.raises(Fault, match=fault):
        check_positions(mutant())


def test_a_label_that_is_used_twice_is_found() -> None:
    options = AmbushOptions()
    for seed in range(9):
        check_playout(GAME, 4, options, playout(GAME, 4, options, seed))
    mutant = mutants.RollsTwice()
    steps = next(
        steps
        for steps in (playout(mutant, 4, options, seed) for seed in range(20))
        if sum(isinstance(step.action, RollRaid) for step in steps) > 1
    )
    with pytest.raises(Fault, match="label die is used twice"):
        check_playout(mutant, 4, options, steps)


def test_a_log_that_folds_otherwise_is_found() -> None:
    options = AmbushOptions()
    steps = playout(GAME, 2, options)
    check_playout(GAME, 2, options, steps)
    with pytest.raises(Fault, match="replay differs before"):
        check_playout(GAME, 2, AmbushOptions(rounds=2), steps)


def test_asking_who_has_left_is_found() -> None:
    state = given("raid", "raid", "raid")
    assert check_retirement(GAME, state, 3, Random(1))
    with pytest.raises(Fault, match="are asked"):
        check_retirement(mutants.AsksTheGone(), state, 3, Random(1))


class Loose(Record, frozen=True):
    """Holds what has no single encoding."""

    tags: frozenset[str] = frozenset()


class Inexact(Record, frozen=True):
    """Holds a number that differs between machines."""

    loose: tuple[Loose, ...] = ()
    share: float = 0.5


@pytest.mark.parametrize(("view", "what"), [(Loose, "FrozenSetType"), (Inexact, "FloatType")])
def test_a_record_that_is_no_plain_value_is_found(view: type[Record], what: str) -> None:
    class Impure(Ambush):
        View = view  # type: ignore[assignment]  # on purpose

    check_tables(GAME)
    with pytest.raises(Fault, match=f"{view.__name__} holds {what}"):
        check_tables(Impure())


def test_a_prompt_that_mixes_nature_and_seats_is_found() -> None:
    class Mixed(Ambush):
        moves: Mapping[str, mutants.Kinds] = {
            **GAME.moves,
            "loss": (*GAME.moves["loss"], *GAME.moves["roll"]),
        }

    with pytest.raises(Fault, match="loss mixes NATURE and seats"):
        check_tables(Mixed())


def test_options_are_checked_for_every_seat_count() -> None:
    check_options_of(GAME)
    check_refused(GAME, 2, AmbushOptions(truce=True))
    with pytest.raises(Fault, match="are accepted for 3 seats"):
        check_refused(GAME, 3, AmbushOptions(truce=True))


def test_a_playout_repeats_its_seed_and_ends() -> None:
    steps = playout(GAME, 3, seed=5)
    assert steps == playout(GAME, 3, seed=5)
    assert steps != playout(GAME, 3, seed=6)
    assert GAME.result(steps[-1].after) is not None
    for step, following in pairwise(steps):
        assert step.after == following.state


def test_perft_counts_lines_of_play() -> None:
    state = given("raid scout", "raid")
    assert perft(GAME, state, 0) == 1
    assert perft(GAME, state, 1) == len(list(legal(GAME, state, A))) == 6
    by_hand = 0
    for action in legal(GAME, state, A):
        by_hand += perft(GAME, play(GAME, state, A, action), 1)
    assert perft(GAME, state, 2) == by_hand


def test_a_second_world_differs_in_what_is_hidden() -> None:
    state = given("raid scout", "raid feint")
    others = [swap_hidden(GAME, state, A, Random(seed)) for seed in range(9)]
    assert all(GAME.view(other, A) == GAME.view(state, A) for other in others)
    assert any(GAME.view(other, B) != GAME.view(state, B) for other in others)


def test_random_options_fit_the_table() -> None:
    drawn = [random_options(GAME, 2, Random(seed)) for seed in range(40)]
    assert {one.rounds for one in drawn if isinstance(one, AmbushOptions)} == {1, 2, 3, 4, 5}
    assert not any(one.truce for one in drawn if isinstance(one, AmbushOptions))


def test_a_playthrough_can_be_read() -> None:
    text = playthrough(GAME, 2, AmbushOptions(rounds=1), seed=3)
    lines = text.splitlines()
    assert lines[:2] == [
        "Ambush, rules 1, 2 seats, seed 3",
        "options: rounds=1 hard=False truce=False",
    ]
    assert lines[3].startswith("   1 nature deal: deal_hands hands=(")
    assert "[deal/1/0/0=" in lines[3]
    assert any(line.startswith("place 1: seat ") for line in lines)
    assert written(PlaceOrder(Card.RAID, B)) == "card=raid target=1"
    assert written((Goods(1, 2), 3)) == "(coins=1 renown=2), 3"


def test_a_position_of_a_playout_survives_its_encoding() -> None:
    state = start(GAME, 4, AmbushOptions())
    data = msgspec.msgpack.encode(state)
    assert msgspec.msgpack.decode(data, type=State) == state
