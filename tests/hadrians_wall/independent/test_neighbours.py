"""Neighbours and what is passed to them: markets, scouts, neutral cards (4, 7, 8.5, 8.11)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from services.gamekit.chance import Chance
from services.gamekit.game import Seat
from services.hadrians_wall.cards import PlayerCard
from services.hadrians_wall.game import GAME
from services.hadrians_wall.rules.attack import Attack
from services.hadrians_wall.rules.defences import FillCippi, FillGuard, FillWall
from services.hadrians_wall.rules.finish import Finish
from services.hadrians_wall.rules.market import Trade
from services.hadrians_wall.rules.neighbours import Source
from services.hadrians_wall.rules.scouts import Scout
from services.hadrians_wall.state import HadriansWallOptions, Phase
from tests.hadrians_wall.independent import attack_oracle, facts
from tests.hadrians_wall.independent.facts import CARDS
from tests.hadrians_wall.independent.referee import (
    asked,
    attacked,
    changes,
    dealt,
    done,
    goods,
    refused,
    sheet,
)
from tests.hadrians_wall.independent.setting import given, seated

CARD = PlayerCard
MERCHANT: dict[str, Any] = {"market": 1, "traders": 9, "resource": 4}
SCOUT: dict[str, Any] = {"patricians": 9, "soldier": 3}
BLOCK = (0, 1, 5, 6)
NO_PASSING = HadriansWallOptions(resource_passing=False)


def test_a_trade_re_opens_a_neighbour_who_had_passed() -> None:
    state = seated(given(seats=3, **MERCHANT), 1, prospects=(CARD.FIGHTER,), fort=1, civilian=1)
    state = done(state, Finish(), seat=1)
    assert asked(state, 1) == ""
    state = done(state, Finish(), seat=2)

    # seat 0 buys good 5 of seat 1, who gets the resource and is asked again
    then = done(state, Trade(Source.LEFT, 1))
    assert sheet(then)["goods"][0] == 5
    assert changes(state, then, 1) == {"resource": 1, "passed": False}
    assert (asked(then, 1), asked(then, 2)) == ("actions", "")
    assert goods(then, 1) == "1 civilian, 1 resource"  # he kept what he had

    # the year waits for him
    then = done(then, Finish())
    assert then.phase is Phase.ACTIONS
    then = done(then, FillWall(), seat=1)
    assert goods(then, 1) == "2 civilian"
    then = done(then, Finish(), seat=1)
    assert then.phase is Phase.ATTACK
    assert goods(then, 1) == ""


def test_a_neighbour_can_be_re_opened_again_and_again() -> None:
    state = seated(given(seats=3, **MERCHANT), 2, fort=21, granary=2)
    for box in (1, 2, 3):
        state = done(state, Finish(), seat=2)
        state = done(state, Trade(Source.RIGHT, box))
        state = done(state, FillCippi(), seat=2)
    assert sheet(state, 2)["cippi"] == 3


def test_a_scout_in_a_neighbours_pattern_sends_him_the_soldier_and_re_opens_him() -> None:
    state = seated(given(seats=4, **SCOUT), 3, prospects=(CARD.FIGHTER,))
    state = done(state, Finish(), seat=3)
    then = done(state, Scout(Source.RIGHT, BLOCK))
    assert changes(state, then, 3) == {"soldier": 1, "passed": False}
    assert sheet(done(then, FillGuard(), seat=3), 3)["guard"] == 1
    own = done(seated(state, 0, prospects=(CARD.MERCHANT,)), Scout(Source.OWN, BLOCK))
    assert asked(own, 3) == ""  # one's own pattern passes nothing


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_neighbours_are_the_seats_to_the_left_and_right_alone(seats: int) -> None:
    names = list(CARDS)
    state = given(seats=seats, **MERCHANT)
    for seat in range(seats):
        state = seated(state, seat, prospects=(CARD(names[seat]),), **MERCHANT)
    for seat in range(seats):
        for source, beside in ((Source.LEFT, (seat + 1) % seats), (Source.RIGHT, seat - 1)):
            neighbour = beside % seats
            then = done(state, Trade(source, 1), seat=seat)
            assert sheet(then, seat)["goods"][0] == CARDS[names[neighbour]].good
            resources = [sheet(then, one)["resource"] for one in range(seats)]
            assert resources[seat] == 3
            assert resources[neighbour] == 5
            assert sum(resources) == 4 * seats


def test_with_two_seats_the_neutral_card_lies_on_the_right_of_both() -> None:
    state = given(seats=2, neutral=(CARD.RANGER,), **MERCHANT)
    state = seated(state, 1, prospects=(CARD.FIGHTER,), **MERCHANT)
    for seat in (0, 1):
        then = done(state, Trade(Source.RIGHT, 1), seat=seat)
        assert (sheet(then, seat)["goods"][0], then.pieces) == (6, 1)
    then = done(state, Trade(Source.LEFT, 1))
    assert (sheet(then)["goods"][0], sheet(then, 1)["resource"], then.pieces) == (5, 5, 0)


def test_pieces_on_the_neutral_card_bring_cards_that_hit_both_players() -> None:
    state = given(seats=2, year=2, neutral=(CARD.FIGHTER,), **MERCHANT, **SCOUT)
    state = done(state, Trade(Source.RIGHT, 1), Scout(Source.RIGHT, BLOCK), Finish())
    state = done(state, Finish(), seat=1)
    assert state.pieces == 2
    left = [number for number, card in enumerate(facts.FATE) if card.direction == "left"]
    state = seated(seated(state, 0, cohort_left=3), 1, cohort_left=3)
    state = attacked(state, *left[:4])  # two for the year, two for the pieces
    assert [sheet(state, seat)["disdain"] for seat in (0, 1)] == [1, 1]
    assert (state.pieces, state.neutral) == (0, ())
    assert state.neutral_used == (CARD.FIGHTER,)


def test_alone_one_neutral_card_may_be_used_several_times() -> None:
    state = given(neutral=(CARD.FIGHTER, CARD.RANGER), **MERCHANT, **SCOUT)
    state = done(state, Trade(Source.LEFT, 1), Trade(Source.LEFT, 2), Trade(Source.RIGHT, 3))
    state = done(state, Scout(Source.LEFT, BLOCK), Scout(Source.RIGHT, (10, 11, 12, 13)))
    assert sheet(state)["goods"][:3] == (5, 5, 6)
    assert (sheet(state)["renown"], state.pieces) == (2, 5)
    state = done(state, Finish())
    assert len(Attack.resolve(state, Chance(b"")).cards) == 1 + 5


def test_what_is_bought_of_fate_goes_to_nobody() -> None:
    state = given(seats=3, **MERCHANT)
    card = facts.fate(good=6)
    then = done(state, Trade(Source.FATE, 5), fate=(card,))
    assert (sheet(then)["goods"][4], then.discard, then.pieces) == (6, (card,), 0)
    assert not changes(state, then, 1)
    assert not changes(state, then, 2)


@pytest.mark.parametrize("seats", [1, 2, 3, 6])
def test_without_passing_the_piece_is_lost_and_a_card_comes_for_its_user(seats: int) -> None:
    state = given(seats=seats, options=NO_PASSING, **MERCHANT, **SCOUT)
    for seat in range(1, seats):
        state = done(state, Finish(), seat=seat)
    state = seated(state, 0, prospects=(CARD.MERCHANT,))
    for move in (Trade(Source.LEFT, 1), Trade(Source.RIGHT, 2)):
        before = state
        state = done(state, move)
        assert changes(before, state)["alarms"] == sheet(before)["alarms"] + 1
        assert not any(changes(before, state, other) for other in range(1, seats))
    state = done(state, Trade(Source.FATE, 3), fate=(facts.fate(good=1),))
    state = done(state, Scout(Source.OWN, BLOCK))
    assert (sheet(state)["alarms"], state.pieces) == (2, 0)
    assert all(asked(state, seat) == "" for seat in range(1, seats))


def test_cards_of_single_seats_come_after_the_common_ones_in_seat_order() -> None:
    state = replace(given(seats=3, year=2, options=NO_PASSING, alarms=1), phase=Phase.ATTACK)
    state = seated(state, 2, alarms=2)
    left = [number for number, card in enumerate(facts.FATE) if card.direction == "left"]
    labels: dict[str, int | str] = {f"fate/{n}": card for n, card in enumerate(left[:5])}
    then = dealt(state, labels, attack=False)
    assert then.phase is Phase.ATTACK  # the attack is left to a worker
    state = seated(seated(seated(state, 0, cohort_left=2), 1, cohort_left=2), 2, cohort_left=2)
    then = attacked(state, *left[:5])
    assert [sheet(then, seat)["disdain"] for seat in range(3)] == [1, 0, 2]
    assert [sheet(then, seat)["valour"] for seat in range(3)] == [1, 2, 0]
    assert then.discard == tuple(left[:5])


def test_who_has_no_neighbour_there_is_told_so() -> None:
    state = given(neutral=(CARD.FIGHTER,), **MERCHANT, **SCOUT)
    assert refused(state, Trade(Source.RIGHT, 1)) == "no_neighbour"
    assert refused(state, Scout(Source.RIGHT, BLOCK)) == "no_neighbour"
    assert refused(state, Scout(Source.FATE, BLOCK)) == "no_pattern"


def test_one_card_more_for_each_piece_is_what_the_view_announces() -> None:
    state = done(given(year=3, **MERCHANT), Trade(Source.LEFT, 1))
    shown = GAME.view(state, Seat(0))
    assert getattr(shown, "attack_cards") == attack_oracle.due(3, "normal", 0, 1) == 5  # noqa: B009
