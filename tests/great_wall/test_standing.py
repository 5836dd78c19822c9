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


def test_what_one_is_ahead_the_other_is_behind() -> None:
    for state in turns(2):
        assert standing(state, Seat(0)) == pytest.approx(-standing(state, Seat(1)))


def test_in_the_end_the_lead_is_what_it_is() -> None:
    *_, over = turns(2)
    assert over.phase is Phase.OVER
    first, second = (sheet(over, Seat(seat)).total for seat in range(2))
    assert standing(over, Seat(0)) == first - second


@pytest.mark.parametrize("seats", [1, 3, 4])
def test_of_any_but_two_it_is_what_guides_the_next_move(seats: int) -> None:
    for state in turns(seats):
        assert standing(state, Seat(0)) == evaluate(state, Seat(0))


def test_a_rivals_honour_counts_as_much_as_ones_own() -> None:
    *_, state, _ = turns(2)
    own, other = state.clans[0], state.clans[1]
    before = standing(state, Seat(0))
    richer = replace(state, clans=(own, replace(other, honour=other.honour + 7), *state.clans[2:]))
    assert standing(richer, Seat(0)) == pytest.approx(before - 7)


def test_a_command_card_shows_its_worth_when_all_turns_are_over() -> None:
    for state in turns(2):
        choosing = {one.prompt for one in GAME.decisions(state)} & {"command", "space"}
        assert GAME.shows_after(state) == (1 + len(state.clans) if choosing else 1)
