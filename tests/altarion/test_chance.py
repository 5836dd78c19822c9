"""Chapter 13: what is drawn under which label, questions in their order, time-outs."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml

from services.altarion.defaults import default
from services.altarion.game import GAME
from services.altarion.goods import Mineral, Stock, each
from services.altarion.rules.arrivals import PlaceHero
from services.altarion.rules.dispute import KeepPeace, Loot
from services.altarion.rules.exploration import StopExploring
from services.altarion.rules.mines import RollInstead
from services.altarion.rules.mining import Mine, Pick
from services.altarion.rules.movement import ChooseHero, Move
from services.altarion.rules.trade import DeclineOffer, OfferNothing
from services.altarion.rules.tribute import BuildNothing
from services.altarion.state import Phase, Stage, State, Turn
from services.gamekit.chance import Chance
from services.gamekit.game import NATURE, Action, NatureMove, Seat
from services.gamekit.play import legal, open_decision, play, settle, start
from services.gamekit.testing import playout
from tests.altarion.table import BRAKKA, CORE, FAR, MIRREL, SAEL, TORVIN, Table, at, given, player

TIMEOUTS: dict[str, str] = yaml.safe_load((Path(__file__).parent / "rules.yaml").read_text())[
    "timeout_defaults"
]
ORDER = tuple(TIMEOUTS)
"""The questions, in the order in which they may occur (13.3)."""


def test_13_3_the_questions_are_those_of_the_rules() -> None:
    asked = {prompt for prompt, kinds in GAME.moves.items() if not issubclass(kinds[0], NatureMove)}
    assert asked == set(ORDER)


@pytest.mark.parametrize("seats", [2, 4])
def test_13_3_nobody_is_asked_where_there_is_one_answer(seats: int) -> None:
    for seed in range(3):
        for step in playout(GAME, seats, seed=seed):
            if step.seat != NATURE:
                assert len(list(legal(GAME, step.state, step.seat))) > 1


def test_13_1_labels_name_round_seat_hero_and_what_is_rolled() -> None:
    for step in playout(GAME, 3, seed=5):
        state: State = step.state
        for draw in step.draws:
            what, *rest = draw.label.split("/")
            if what in ("die", "loss"):
                assert int(rest[0]) == state.round
                owner = state.sheets[int(rest[1])].hero(int(rest[2]))
                assert owner is not None
            elif what in ("nation", "hero", "mining", "exploration"):
                assert len(rest) == 1
            else:
                assert draw.label == "first"


def test_13_1_piles_count_their_draws() -> None:
    drawn: dict[str, int] = {}
    for step in playout(GAME, 6, seed=2):
        for draw in step.draws:
            pile, _, number = draw.label.partition("/")
            if pile in ("nation", "hero", "mining", "exploration"):
                assert int(number) == drawn.get(pile, 0)
                drawn[pile] = int(number) + 1
    assert drawn["mining"] > 48
    assert drawn["exploration"] > 36


OTHER = player(at(SAEL, FAR[0]))


def turn(stage: Stage, **fields: Any) -> Table:
    """Brakka's turn has come to a stage."""
    return given(
        player(at(BRAKKA, CORE, deposits=(Mineral.VERDANE,)), crowns=9, stock=each(2)),
        player(at(SAEL, 31), at(MIRREL, 0), stock=Stock(umbrine=2, verdane=5)),
        turn=Turn(BRAKKA, stage, **fields),
    )


def market() -> Table:
    """Two neighbours with something to exchange."""
    return given(
        player(at(BRAKKA, CORE, acted=True), stock=each(2)),
        player(at(SAEL, 31, acted=True), stock=each(2)),
    )


def hall() -> Table:
    """A player who could build."""
    rich = player(at(BRAKKA, CORE), crowns=60, stock=each(12))
    return given(rich, OTHER, phase=Phase.SPECIALS)


POSITIONS: dict[str, tuple[Table, Action[Any]]] = {
    "place": (
        given(player(at(BRAKKA, CORE), arriving=TORVIN), OTHER, phase=Phase.ARRIVALS, queue=(0,)),
        PlaceHero(42),
    ),
    "hero": (given(player(at(TORVIN, CORE), at(BRAKKA, 4)), OTHER), ChooseHero(TORVIN)),
    "spend": (turn(Stage.SPEND), RollInstead()),
    "move": (turn(Stage.MOVE, die=1), Move(21)),
    "dispute": (turn(Stage.DISPUTE, die=1), KeepPeace()),
    "action": (turn(Stage.ACTION, die=1), Mine()),
    "pick": (
        given(
            player(at(BRAKKA, CORE), stock=each(2) - Stock(verdane=1, umbrine=1)),
            OTHER,
            turn=Turn(BRAKKA, Stage.PICK, die=1, due=1),
        ),
        Pick(Mineral.VERDANE),
    ),
    "more": (turn(Stage.MORE, die=1), StopExploring()),
    "loot": (
        turn(Stage.LOOT, die=1, foe=Seat(1), target=SAEL, won=True, due=2),
        Loot(Mineral.VERDANE),
    ),
    "offer": (market(), OfferNothing()),
    "answer": (
        market().plays(0, next(move for move in market().answers() if move != OfferNothing())),
        DeclineOffer(),
    ),
    "special": (hall(), BuildNothing()),
}


@pytest.mark.parametrize("prompt", ORDER)
def test_13_4_a_time_out_is_answered_as_the_rules_say(prompt: str) -> None:
    table, answer = POSITIONS[prompt]
    assert table.prompt == prompt
    assert default(table.state, Seat(table.seat)) == answer
    assert GAME.default(table.state, Seat(table.seat)) == answer
    assert answer in table.answers()


def test_13_4_a_match_of_nothing_but_time_outs_comes_to_an_end() -> None:
    for seats in (2, 6):
        chance, rng = Chance(b"idle"), Random(1)
        state, _ = settle(GAME, start(GAME, seats, GAME.Options()), chance)
        while decisions := GAME.decisions(state):
            decision = rng.choice(decisions)
            assert open_decision(GAME, state, decision.seat) == decision
            state = play(GAME, state, decision.seat, default(state, decision.seat))
            state, _ = settle(GAME, state, chance)
        assert GAME.result(state) is not None
