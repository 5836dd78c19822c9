"""Carrying out orders: scouts, raids, feints, and the window in which they are answered."""

from __future__ import annotations

import pytest

from services.gamekit.game import NATURE, Decision, IllegalAction
from services.gamekit.play import legal
from tests.ambush.cards import Card, Garrison, Goods, Reply, Tower
from tests.ambush.game import GAME
from tests.ambush.given import A, B, C, after, answered, asked, cards, given, natured, ordered
from tests.ambush.moves import Answer, KeepCard, LoseGuard, TakeSpoils
from tests.ambush.nature import RevealOrders, RevealReplies, RollRaid, StealCard
from tests.ambush.state import Given, Loss, Order, Phase, Spoils, Trophy


def test_shields_first_then_scouts_feints_and_raids() -> None:
    state = ordered(given("raid", "feint", "shield"), ("raid", B), ("feint", A), ("shield", None))
    assert state.camps[C].braced
    assert state.attack is not None
    assert state.attack.order == Order(B, Card.FEINT, A)
    assert state.orders == (Order(A, Card.RAID, B),)
    assert state.discard == cards("feint raid shield")


def test_a_scout_keeps_one_of_two_cards_and_returns_the_other() -> None:
    state = given("scout", "shield", deck=cards("raid feint"))
    state = natured(ordered(state, ("scout", None), ("shield", None)), "draw")
    assert asked(state) == {A: "keep"}
    assert list(legal(GAME, state, A)) == [KeepCard(Card.FEINT), KeepCard(Card.RAID)]
    state = after(state, (A, KeepCard(Card.RAID)))
    assert state.camps[A].hand == cards("raid")
    assert state.deck == cards("feint")


def test_a_card_that_was_not_scouted_cannot_be_kept() -> None:
    state = given("scout", "shield", deck=cards("raid feint"))
    state = natured(ordered(state, ("scout", None), ("shield", None)), "draw")
    for card in (Card.SHIELD, None):
        with pytest.raises(IllegalAction, match="not_offered"):
            after(state, (A, KeepCard(card)))


def test_a_single_scouted_card_is_no_choice() -> None:
    state = given("scout", "scout", deck=(), discard=())
    state = ordered(state, ("scout", None), ("scout", None))
    state = natured(state, "draw")
    assert asked(state) == {A: "keep"}
    state = after(state, (A, KeepCard(Card.SCOUT)))
    state = natured(state, "draw")
    assert state.camps[B].hand == cards("scout")
    assert state.phase is Phase.STORM


def test_the_window_asks_all_who_hold_a_card_whatever_card_it_is() -> None:
    state = given("raid raid", "shield scout", "shield raid")
    state = ordered(state, ("raid", B), ("shield", None), ("shield", None))
    assert GAME.decisions(state) == (
        Decision(B, "reply", about="raid"),
        Decision(C, "reply", about="raid"),
    )


def test_nobody_is_asked_with_an_empty_hand() -> None:
    state = ordered(given("raid", "shield"), ("raid", B), ("shield", None))
    assert asked(state) == {NATURE: "unmask"}


def test_a_reply_needs_its_card() -> None:
    state = ordered(given("raid", "shield shield"), ("raid", B), ("shield", None))
    assert list(legal(GAME, state, B)) == [Answer(Reply.PASS), Answer(Reply.SHIELD)]
    for reply, code in ((Reply.AMBUSH, r"not_in_hand \(card=feint\)"), (None, "no_reply")):
        with pytest.raises(IllegalAction, match=code):
            after(state, (B, Answer(reply)))


def test_a_shield_stops_a_raid_and_is_discarded() -> None:
    state = ordered(given("raid", "shield shield"), ("raid", B), ("shield", None))
    state = answered(state, (B, "shield"))
    assert state.phase is Phase.STORM
    assert state.camps[B].hand == ()
    assert state.camps[B].goods.coins == 6


def test_who_shields_another_earns_a_coin() -> None:
    state = given("raid", "shield shield", "shield shield")
    state = ordered(state, ("raid", B), ("shield", None), ("shield", None))
    state = answered(state, (B, "pass"), (C, "shield"))
    assert state.phase is Phase.STORM
    assert [camp.goods.coins for camp in state.camps] == [6, 6, 7]


def test_an_ambush_costs_the_attacker_a_guard_and_stops_nothing() -> None:
    state = ordered(given("raid", "feint shield"), ("raid", B), ("shield", None))
    state = answered(state, (B, "ambush"))
    assert asked(state) == {NATURE: "roll", A: "loss"}


def test_a_raid_succeeds_above_the_towers_and_the_shield_of_its_target() -> None:
    window = ordered(given("raid", "shield"), ("raid", B), ("shield", None))
    state = natured(window, "unmask")
    assert after(state, (NATURE, RollRaid(4))).phase is Phase.STORM
    won = after(state, (NATURE, RollRaid(5)))
    assert won.camps[A].agenda == (Spoils(Goods(coins=3), Goods(renown=2)),)
    assert won.camps[B].agenda == (Loss(),)
    assert asked(won) == {A: "spoils", B: "loss"}
    best = after(state, (NATURE, RollRaid(6)))
    assert best.camps[A].agenda == (Spoils(Goods(coins=4), Goods(renown=3)),)
    with pytest.raises(IllegalAction, match="no_such_roll"):
        after(state, (NATURE, RollRaid(7)))


def test_raider_and_victim_choose_in_any_order() -> None:
    window = ordered(given("raid", "shield"), ("raid", B), ("shield", None))
    state = after(natured(window, "unmask"), (NATURE, RollRaid(5)))
    spoils, loss = (A, TakeSpoils(Goods(renown=2))), (B, LoseGuard(Tower.SOUTH))
    assert after(state, spoils, loss) == after(state, loss, spoils)
    done = after(state, spoils, loss)
    assert done.camps[A].goods == Goods(coins=6, renown=2)
    assert done.camps[B].guards == Garrison(1, 1, 0)
    with pytest.raises(IllegalAction, match="not_offered"):
        after(state, (A, TakeSpoils(Goods(coins=99))))


def test_a_believed_feint_steals_a_card_as_a_hidden_trophy() -> None:
    state = ordered(given("feint", "raid shield"), ("feint", B), ("shield", None))
    state = answered(state, (B, "pass"))
    assert asked(state) == {NATURE: "steal"}
    with pytest.raises(IllegalAction, match="wrong_seat"):
        after(state, (NATURE, StealCard(B, A, Card.RAID)))
    with pytest.raises(IllegalAction, match="not_in_hand"):
        after(state, (NATURE, StealCard(A, B, Card.SCOUT)))
    state = natured(state, "steal")
    assert state.camps[A].trophies == (Trophy(B, Card.RAID),)
    assert state.camps[B].hand == ()


def test_a_shield_against_a_feint_saves_the_card_and_brings_the_feinter_renown() -> None:
    state = given("feint", "raid shield shield")
    state = answered(ordered(state, ("feint", B), ("shield", None)), (B, "shield"))
    assert state.phase is Phase.STORM
    assert state.camps[A].goods.renown == 1
    assert state.camps[B].hand == cards("raid")


def test_nature_reveals_what_was_chosen_and_nothing_else() -> None:
    state = ordered(given("raid", "shield shield"), ("raid", B), ("shield", None))
    state = after(state, (B, Answer(Reply.SHIELD)))
    with pytest.raises(IllegalAction, match="wrong_replies"):
        after(state, (NATURE, RevealReplies((Given(B, Reply.PASS),))))
    unrevealed = given("", "", phase=Phase.REVEAL)
    with pytest.raises(IllegalAction, match="wrong_orders"):
        after(unrevealed, (NATURE, RevealOrders((Order(A, Card.RAID, B),))))
