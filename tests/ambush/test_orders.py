"""Before the attacks: hands, hired guards, foraged cards and secret orders."""

from __future__ import annotations

import pytest

from services.gamekit.game import NATURE, IllegalAction, IllegalOptions
from services.gamekit.play import legal, start
from tests.ambush.cards import Card, Garrison, Goods, Tower
from tests.ambush.game import GAME
from tests.ambush.given import A, B, C, after, asked, cards, given, having, natured
from tests.ambush.moves import Forage, Fortify, PlaceOrder
from tests.ambush.nature import DealHands, DrawCards, Hand
from tests.ambush.state import AmbushOptions, Phase


def test_a_match_begins_with_four_cards_each_and_the_back_of_the_horde() -> None:
    state = start(GAME, 3, AmbushOptions())
    assert asked(state) == {NATURE: "deal"}
    state = natured(state, "deal", "horde")
    assert [len(camp.hand) for camp in state.camps] == [4, 4, 4]
    assert len(state.deck) == 18 - 12
    assert state.back is not None
    assert asked(state) == {A: "orders", B: "orders", C: "orders"}


def test_each_tower_with_a_guard_pays_a_coin_a_round() -> None:
    assert start(GAME, 2, AmbushOptions()).camps[A].goods == Goods(coins=3 + 3)


def test_a_guard_costs_a_coin_for_each_that_will_stand_there() -> None:
    state = after(given("raid", "raid"), (A, Fortify(Tower.GATE)))
    assert state.camps[A].guards == Garrison(1, 2, 1)
    assert state.camps[A].goods.coins == 6 - 2
    state = after(state, (A, Fortify(Tower.GATE)))
    assert state.camps[A].goods.coins == 1


def test_a_tower_holds_three_guards() -> None:
    state = having(given("raid", "raid"), A, guards=Garrison(gate=3), goods=Goods(coins=9))
    with pytest.raises(IllegalAction, match=r"tower_full \(tower=gate\)"):
        after(state, (A, Fortify(Tower.GATE)))


def test_a_guard_must_be_paid_for() -> None:
    state = having(given("raid", "raid"), A, goods=Goods(coins=1))
    with pytest.raises(IllegalAction, match=r"cannot_afford \(coins=2\)"):
        after(state, (A, Fortify(Tower.GATE)))


def test_a_forager_draws_one_card_and_is_then_asked_again() -> None:
    state = after(given("raid", "raid"), (A, Forage()))
    assert asked(state) == {NATURE: "draw", B: "orders"}
    state = natured(state, "draw")
    assert len(state.camps[A].hand) == 2
    assert state.camps[A].goods.coins == 6 - 1
    assert asked(state) == {A: "orders", B: "orders"}


def test_foraging_is_once_a_round_and_needs_a_coin_and_a_card() -> None:
    state = given("raid", "raid")
    again = having(state, A, foraged=True)
    poor = having(state, A, goods=Goods())
    bare = given("raid", "raid", deck=())
    for position, code in ((again, "already_foraged"), (poor, "afford"), (bare, "no_cards_left")):
        with pytest.raises(IllegalAction, match=code):
            after(position, (A, Forage()))


def test_a_short_deck_takes_the_discard_in() -> None:
    state = given("raid", "raid", deck=(), discard=cards("scout scout"))
    state = natured(after(state, (A, Forage())), "draw")
    assert state.camps[A].hand == cards("raid scout")
    assert (state.deck, state.discard) == (cards("scout"), ())


def test_an_order_is_a_card_of_the_hand_with_a_target_if_it_is_an_attack() -> None:
    state = given("raid scout", "raid", "raid")
    assert list(legal(GAME, state, A))[-3:] == [
        PlaceOrder(Card.RAID, B),
        PlaceOrder(Card.RAID, C),
        PlaceOrder(Card.SCOUT),
    ]
    for order, code in (
        (PlaceOrder(Card.SHIELD), "not_in_hand"),
        (PlaceOrder(None), "not_in_hand"),
        (PlaceOrder(Card.RAID), "bad_target"),
        (PlaceOrder(Card.RAID, A), "bad_target"),
        (PlaceOrder(Card.SCOUT, B), "takes_no_target"),
    ):
        with pytest.raises(IllegalAction, match=code):
            after(state, (A, order))


def test_under_a_truce_nobody_attacks_the_left_neighbour_in_round_one() -> None:
    state = given("raid", "raid", "raid", options=AmbushOptions(truce=True))
    with pytest.raises(IllegalAction, match="bad_target"):
        after(state, (C, PlaceOrder(Card.RAID, A)))
    after(state, (C, PlaceOrder(Card.RAID, B)))


def test_orders_are_revealed_when_the_last_one_is_placed() -> None:
    state = after(given("raid", "shield"), (B, PlaceOrder(Card.SHIELD)))
    assert asked(state) == {A: "orders"}
    state = after(state, (A, PlaceOrder(Card.RAID, B)))
    assert asked(state) == {NATURE: "reveal"}


def test_an_empty_hand_gives_no_order() -> None:
    state = after(given("raid", ""), (A, PlaceOrder(Card.RAID, B)))
    assert state.phase is Phase.REVEAL


def test_nature_cannot_deal_what_is_not_in_the_deck() -> None:
    state = given("", "", phase=Phase.DEAL)
    four, five = cards("raid raid raid raid"), cards("shield shield shield shield shield")
    for hands, code in (
        ((Hand(A, 4, four),), "wrong_seats"),
        ((Hand(A, 5, five), Hand(B, 4, four)), "wrong_size"),
        ((Hand(A, 4, ()), Hand(B, 4, four)), "wrong_size"),
        ((Hand(A, 4, four), Hand(B, 4, four)), "not_in_deck"),
    ):
        with pytest.raises(IllegalAction, match=code):
            after(state, (NATURE, DealHands(hands)))


def test_nature_cannot_draw_for_another() -> None:
    state = after(given("raid", "raid"), (A, Forage()))
    for move, code in (
        (DrawCards(B, 1, cards("raid")), "wrong_seat"),
        (DrawCards(A, 2, cards("raid raid")), "wrong_size"),
        (DrawCards(A, 1, ()), "wrong_size"),
    ):
        with pytest.raises(IllegalAction, match=code):
            after(state, (NATURE, move))


@pytest.mark.parametrize("rounds", [0, 6])
def test_a_match_has_one_to_five_rounds(rounds: int) -> None:
    with pytest.raises(IllegalOptions, match=r"bad_rounds \(field=rounds"):
        start(GAME, 2, AmbushOptions(rounds=rounds))


def test_a_truce_needs_three_seats() -> None:
    with pytest.raises(IllegalOptions, match="truce_needs_three"):
        start(GAME, 2, AmbushOptions(truce=True))
    start(GAME, 3, AmbushOptions(truce=True))
