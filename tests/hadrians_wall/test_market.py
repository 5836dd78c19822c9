"""The market and its neighbours (sections 4 and 7)."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from services.gamekit.game import Seat
from services.gamekit.play import open_decision
from services.hadrians_wall.cards import FATE, PlayerCard
from services.hadrians_wall.game import GAME
from services.hadrians_wall.rules.defences import FillCippi
from services.hadrians_wall.rules.finish import Finish
from services.hadrians_wall.rules.market import Trade
from services.hadrians_wall.rules.neighbours import Source
from services.hadrians_wall.state import HadriansWallOptions, Phase
from tests.hadrians_wall.table import after, fate_card, given, refused, seated, sheet

OPEN: dict[str, Any] = {"market": 1, "traders": 9, "resource": 3}


def test_a_neighbour_gets_the_resource_and_his_good_is_written() -> None:
    state = seated(given(seats=3, **OPEN), 1, prospects=(PlayerCard.RANGER,))
    then = after(state, Trade(Source.LEFT, 1))
    assert then.sheets[0].goods[0] == 6
    assert then.sheets[0].renown == 1
    assert (then.sheets[0].resource, then.sheets[1].resource, then.sheets[2].resource) == (2, 1, 0)


def test_the_right_neighbour_is_the_seat_before() -> None:
    state = seated(given(seats=3, **OPEN), 2, prospects=(PlayerCard.FIGHTER,))
    then = after(state, Trade(Source.RIGHT, 1))
    assert (then.sheets[0].goods[0], then.sheets[2].resource) == (5, 1)


def test_a_passed_neighbour_who_is_paid_may_go_on() -> None:
    state = after(seated(given(seats=3, **OPEN), 1, fort=1), Finish(), seat=1)
    assert open_decision(GAME, state, Seat(1)) is None
    state = after(state, Trade(Source.LEFT, 1))
    assert open_decision(GAME, state, Seat(1)) is not None
    state = after(state, FillCippi(), Finish(), seat=1)
    assert state.sheets[1].cippi == 1


def test_the_year_waits_for_a_neighbour_who_was_paid_last() -> None:
    state = after(given(seats=3, **OPEN), Finish(), seat=1)
    state = after(after(state, Finish(), seat=2), Trade(Source.LEFT, 1), Finish())
    assert state.phase is Phase.ACTIONS
    assert after(state, Finish(), seat=1).phase is Phase.ATTACK


def test_the_top_fate_card_trades_too_and_goes_to_the_discard() -> None:
    card = fate_card(good=4)
    then = after(given(**OPEN), Trade(Source.FATE, 8), fate=(card,))
    assert (then.sheets[0].goods[7], then.sheets[0].builder) == (4, 1)
    assert then.discard == (card,)
    assert card not in then.pile


def test_while_its_fate_card_is_due_a_seat_waits() -> None:
    state = GAME.advance(Trade(Source.FATE, 1).apply(given(seats=3, **OPEN), Seat(0)))
    assert [one.prompt for one in GAME.decisions(state)] == ["fate_good", "actions", "actions"]
    assert open_decision(GAME, state, Seat(0)) is None


def test_distinct_goods_bring_renown_and_repeats_none() -> None:
    state = given(year=2, **{**OPEN, "resource": 8})
    renown = [0]
    for box, good in enumerate((1, 2, 2, 3, 4, 5, 6, 1), 1):
        state = after(state, Trade(Source.FATE, box), fate=(fate_card_left(state.pile, good),))
        renown.append(state.sheets[0].renown)
    assert [now - before for before, now in pairwise(renown)] == [
        1, 1, 0, 1, 2, 2, 3, 0,
    ]  # fmt: skip
    assert state.sheets[0].servant == 1
    assert state.sheets[0].goods == (1, 2, 2, 3, 4, 5, 6, 1)


def fate_card_left(pile: tuple[int, ...], good: int) -> int:
    """A card with that good that is still in the pile."""
    return next(card for card in pile if FATE[card].good == good)


def test_ones_own_prospect_is_not_traded() -> None:
    assert refused(given(**OPEN), Trade(Source.OWN, 1)) == "own_prospect"


def test_a_market_box_needs_its_traders_and_is_filled_once() -> None:
    few = given(**{**OPEN, "traders": 4})
    assert refused(few, Trade(Source.LEFT, 2)) == "needs_citizens"
    assert refused(after(few, Trade(Source.LEFT, 1)), Trade(Source.LEFT, 1)) == "box_filled"
    assert refused(few, Trade(Source.LEFT, 9)) == "no_such_box"
    assert refused(given(traders=9, resource=1), Trade(Source.LEFT, 1)) == "not_built"


def test_alone_the_neutral_cards_are_the_neighbours() -> None:
    cards = (PlayerCard.RANGER, PlayerCard.FIGHTER)
    then = after(given(neutral=cards, **OPEN), Trade(Source.LEFT, 1), Trade(Source.RIGHT, 2))
    assert then.sheets[0].goods[:2] == (6, 5)
    assert then.pieces == 2


def test_with_one_neutral_card_there_is_no_right_neighbour() -> None:
    state = given(neutral=(PlayerCard.RANGER,), **OPEN)
    assert refused(state, Trade(Source.RIGHT, 1)) == "no_neighbour"


def test_two_players_have_the_neutral_card_between_them() -> None:
    state = given(seats=2, neutral=(PlayerCard.RANGER,), **OPEN)
    then = after(state, Trade(Source.LEFT, 1), Trade(Source.RIGHT, 2))
    assert then.sheets[0].goods[:2] == (1, 6)
    assert (then.sheets[1].resource, then.pieces) == (1, 1)


def test_without_resource_passing_the_payer_has_an_attack_coming() -> None:
    options = HadriansWallOptions(resource_passing=False)
    then = after(given(seats=3, options=options, **OPEN), Trade(Source.LEFT, 1))
    assert (then.sheets[0].alarms, then.sheets[1].resource) == (1, 0)
    alone = after(given(options=options, **OPEN), Trade(Source.LEFT, 1))
    assert (alone.sheets[0].alarms, alone.pieces) == (1, 0)


def test_trading_costs_a_resource() -> None:
    assert sheet(given(**OPEN), Trade(Source.LEFT, 1)).resource == 2
    assert refused(given(**{**OPEN, "resource": 0}), Trade(Source.LEFT, 1)) == "cannot_afford"
