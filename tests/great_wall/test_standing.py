"""What bots that reckon make of a position in which a turn is over."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from services.bots.sequel import span_of
from services.gamekit.game import Seat
from services.gamekit.testing import playout
from services.great_wall.endgame import sheet
from services.great_wall.evaluate import evaluate
from services.great_wall.game import GAME
from services.great_wall.standing import standing
from services.great_wall.state import State
from services.great_wall.tasks.task import Phase


def turns(seats: int) -> Iterator[State]:
    """A position of each turn of a match, and the last one."""
    span, steps = None, playout(GAME, seats)
    for step in steps:
        if span_of(GAME, step.state) != span:
            span = span_of(GAME, step.state)
            yield step.state
    yield steps[-1].after


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_what_some_are_ahead_the_others_are_behind(seats: int) -> None:
    for state in turns(seats):
        leads = [standing(state, Seat(seat)) for seat in range(seats)]
        assert sum(leads) == pytest.approx(0, abs=1e-6)
        assert len(set(leads)) > 1 or state.year == 1


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_in_the_end_it_is_the_lead_over_the_mean_of_the_others(seats: int) -> None:
    *_, over = turns(seats)
    assert over.phase is Phase.OVER
    mine, *others = (sheet(over, Seat(seat)).total for seat in range(seats))
    assert standing(over, Seat(0)) == pytest.approx(mine - sum(others) / len(others))


def test_alone_it_is_what_guides_the_next_move() -> None:
    for state in turns(1):
        assert standing(state, Seat(0)) == evaluate(state, Seat(0))


@pytest.mark.parametrize("seats", [2, 4])
def test_the_honour_of_all_rivals_counts_as_much_as_ones_own(seats: int) -> None:
    *_, state, _ = turns(seats)
    own, other, *more = state.clans
    before = standing(state, Seat(0))
    richer = replace(state, clans=(own, replace(other, honour=other.honour + 6), *more))
    assert standing(richer, Seat(0)) == pytest.approx(before - 6 / (seats - 1))


def test_a_command_card_shows_its_worth_when_all_turns_are_over() -> None:
    for state in turns(2):
        choosing = {one.prompt for one in GAME.decisions(state)} & {"command", "space"}
        assert GAME.shows_after(state) == (1 + len(state.clans) if choosing else 1)
