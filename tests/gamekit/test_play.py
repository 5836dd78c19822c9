"""Playing: who may do what, what NATURE does in between, and folding a log."""

from __future__ import annotations

from collections import Counter
from random import Random

import msgspec
import pytest

from services.gamekit.chance import Chance, Dealt
from services.gamekit.game import NATURE, Action, Decision, IllegalAction, IllegalOptions, snake
from services.gamekit.play import (
    Entry,
    allowed,
    guard,
    legal,
    nature_due,
    open_decision,
    play,
    replay,
    sample,
    settle,
    start,
)
from tests.ambush.cards import Card, Reply, Tower
from tests.ambush.game import GAME
from tests.ambush.given import A, B, C, after, given, ordered
from tests.ambush.moves import Answer, Forage, Fortify, LoseGuard, PlaceOrder
from tests.ambush.nature import DealHands, RevealOrders, RollRaid, ShowHorde
from tests.ambush.state import AmbushOptions, Phase
from tests.ambush.storm import Storm

OPTIONS = AmbushOptions()


def code_of(seat: int, action: Action, state: object) -> str:  # type: ignore[type-arg]  # any
    with pytest.raises(IllegalAction) as caught:
        guard(GAME, state, seat, action)  # type: ignore[arg-type]  # any
    return str(caught.value)


def test_an_action_is_named_for_its_class() -> None:
    assert snake("FillBox") == "fill_box"
    assert msgspec.json.encode(Fortify(Tower.GATE)) == b'{"kind":"fortify","tower":"gate"}'
    assert msgspec.json.encode(PlaceOrder(None)) == (
        b'{"kind":"place_order","card":null,"target":null}'
    )


def test_only_who_is_asked_may_move() -> None:
    state = after(given("raid", "raid"), (A, PlaceOrder(Card.RAID, B)))
    assert open_decision(GAME, state, A) is None
    assert open_decision(GAME, state, B) == Decision(B, "orders")
    assert code_of(A, Forage(), state) == "not_your_turn"
    assert code_of(7, Forage(), state) == "not_your_turn"
    assert code_of(NATURE, RollRaid(3), state) == "not_your_turn"


def test_an_answer_must_be_to_the_question() -> None:
    state = given("raid", "raid")
    assert code_of(A, LoseGuard(Tower.GATE), state) == "wrong_prompt (prompt=orders)"
    assert code_of(A, RollRaid(3), state) == "wrong_prompt (prompt=orders)"


def test_an_action_has_refusals_of_its_own() -> None:
    state = given("raid", "raid")
    assert code_of(A, PlaceOrder(Card.SCOUT), state) == "not_in_hand (card=scout)"
    assert not allowed(PlaceOrder(Card.SCOUT), state, A)
    assert allowed(PlaceOrder(Card.RAID, B), state, A)


def test_nobody_moves_when_the_match_is_over() -> None:
    state = given("raid", "raid", phase=Phase.OVER)
    assert code_of(A, Forage(), state) == "game_over"
    assert list(legal(GAME, state, A)) == []


def test_playing_goes_on_to_the_next_question_and_leaves_the_old_position_alone() -> None:
    state = given("raid", "raid")
    before = msgspec.msgpack.encode(state)
    done = play(GAME, play(GAME, state, A, PlaceOrder(Card.RAID, B)), B, PlaceOrder(Card.RAID, A))
    assert done.phase is Phase.REVEAL
    assert msgspec.msgpack.encode(state) == before


def test_legal_lists_the_answers_kind_by_kind_in_a_stable_order() -> None:
    state = given("raid scout", "raid")
    assert list(legal(GAME, state, A)) == [
        Fortify(Tower.NORTH),
        Fortify(Tower.GATE),
        Fortify(Tower.SOUTH),
        Forage(),
        PlaceOrder(Card.RAID, B),
        PlaceOrder(Card.SCOUT),
    ]
    assert list(legal(GAME, after(state, (A, PlaceOrder(Card.SCOUT))), A)) == []


def test_a_sample_is_legal_and_kinds_come_up_alike() -> None:
    state = given("raid scout", "raid")
    rng = Random(1)
    drawn = [sample(GAME, state, Decision(A, "orders"), rng) for _ in range(600)]
    assert set(drawn) == set(legal(GAME, state, A))
    for count in Counter(type(action) for action in drawn).values():
        assert count == pytest.approx(200, abs=45)


def test_a_question_without_an_answer_is_a_fault_of_the_game() -> None:
    with pytest.raises(LookupError, match="no answer to loss of seat 0"):
        sample(GAME, given("", "", camps=(BARE, BARE)), Decision(A, "loss"), Random(1))


BARE = msgspec.structs.replace(given("", "").camps[A], guards=type(given("", "").camps[A].guards)())


def test_nature_is_played_until_somebody_must_decide() -> None:
    state, entries = settle(GAME, start(GAME, 2, OPTIONS), Chance(b"x"))
    assert [type(entry.action) for entry in entries] == [DealHands, ShowHorde]
    assert [len(entry.draws) for entry in entries] == [8, 1]
    assert {entry.seat for entry in entries} == {NATURE}
    assert GAME.decisions(state) == (Decision(A, "orders"), Decision(B, "orders"))
    assert settle(GAME, state, Chance(b"x")) == (state, [])


def test_a_deferred_move_is_left_to_a_worker_unless_asked_for() -> None:
    state = given("", "", phase=Phase.STORM)
    assert nature_due(GAME, state) is None
    assert nature_due(GAME, state, deferred=True) is Storm
    assert settle(GAME, state, Chance(b"x"))[1] == []
    _, entries = settle(GAME, state, Chance(b"x"), deferred=True)
    assert isinstance(entries[0].action, Storm)


def test_a_worker_makes_the_same_move_from_the_results_alone() -> None:
    state = given("", "", phase=Phase.STORM)
    _, (entry, *_) = settle(GAME, state, Chance(b"x"), deferred=True)
    results = {draw.label: draw.result for draw in entry.draws}
    assert Storm.resolve(state, Dealt(results)) == entry.action


def test_a_position_is_the_fold_of_its_log() -> None:
    state, entries = settle(GAME, start(GAME, 3, OPTIONS), Chance(b"x"))
    forage = Entry(A, Forage())
    state = play(GAME, state, A, forage.action)
    state, drawn = settle(GAME, state, Chance(b"x"))
    assert replay(GAME, 3, OPTIONS, [*entries, forage, *drawn]) == state


def test_a_log_that_the_rules_refuse_is_not_folded() -> None:
    _, entries = settle(GAME, start(GAME, 3, OPTIONS), Chance(b"x"))
    with pytest.raises(IllegalAction, match="not_your_turn"):
        replay(GAME, 3, OPTIONS, [*entries, *entries])


def test_a_reveal_is_due_at_once_whatever_was_chosen() -> None:
    state = after(given("raid", "raid"), (A, PlaceOrder(Card.RAID, B)))
    state = after(state, (B, PlaceOrder(Card.RAID, A)))
    assert nature_due(GAME, state) is RevealOrders


def test_a_window_says_what_it_is_about() -> None:
    state = ordered(
        given("feint", "shield scout", "shield"), ("feint", B), ("shield", None), ("shield", None)
    )
    assert GAME.decisions(state) == (Decision(B, "reply", about="feint"),)
    assert Answer(Reply.PASS) in set(legal(GAME, state, B))
    assert open_decision(GAME, state, C) is None


def test_a_match_starts_with_seats_and_options_that_fit() -> None:
    with pytest.raises(IllegalOptions, match=r"bad_seats \(field=seats, least=2, most=4\)"):
        start(GAME, 5, OPTIONS)
    with pytest.raises(IllegalOptions, match="bad_rounds"):
        start(GAME, 2, AmbushOptions(rounds=9))
