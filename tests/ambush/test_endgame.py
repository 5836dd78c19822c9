"""Scores at any time, places at the end, and seats that leave."""

from __future__ import annotations

from random import Random

import pytest

from services.gamekit.chance import Chance
from services.gamekit.game import NATURE, IllegalAction, Place, Seat
from services.gamekit.play import play
from services.gamekit.testing import play_on, playout
from tests.ambush.cards import Card, Garrison, Goods, Reply
from tests.ambush.game import GAME
from tests.ambush.given import A, B, C, after, asked, cards, given, having, natured, ordered
from tests.ambush.moves import Answer, PlaceOrder
from tests.ambush.state import Phase, State, Trophy


def lines(state: State, seat: Seat) -> dict[str, int]:
    """A seat's score sheet."""
    return {line.key: line.points for line in GAME.score(state)[seat].lines}


def leaving(state: State, seat: Seat) -> State:
    """The position after `seat` left."""
    return GAME.advance(GAME.retire(state, seat))


def test_public_lines_are_counted_at_any_time() -> None:
    state = having(
        given("shield", "raid"),
        A,
        goods=Goods(coins=5, renown=4),
        guards=Garrison(3, 0, 1),
        breaches=2,
        trophies=(Trophy(B, Card.RAID),),
    )
    assert lines(state, A) == {"renown": 4, "coins": 2, "towers": 2, "breaches": -2}


def test_trophies_and_shields_in_hand_count_when_the_match_is_over() -> None:
    trophies = (Trophy(B, Card.RAID), Trophy(B, Card.SCOUT))
    state = having(given("shield shield", "", phase=Phase.OVER), A, trophies=trophies)
    assert lines(state, A)["trophies"] == 2
    assert lines(state, A)["shields"] == 2
    assert GAME.score(state)[A].total == 3 + 3 + 2 + 2


def test_fewer_breaches_then_more_guards_break_a_tie() -> None:
    state = given("", "", "", phase=Phase.OVER)
    state = having(state, A, guards=Garrison(1, 1, 2))
    state = having(state, C, breaches=1, goods=Goods(coins=6, renown=1))
    result = GAME.result(state)
    assert result is not None
    assert result.places == (
        Place(A, 1, 6, "guards"),
        Place(B, 2, 6, "guards"),
        Place(C, 3, 6, "breaches"),
    )


def test_a_full_tie_is_shared() -> None:
    result = GAME.result(given("", "", phase=Phase.OVER))
    assert result is not None
    assert result.places == (Place(A, 1, 6, "shared"), Place(B, 1, 6, "shared"))


def test_who_leaves_is_asked_no_more_and_hands_its_cards_back_unseen() -> None:
    state = given("raid shield", "raid", "scout", deck=())
    state = leaving(after(state, (A, PlaceOrder(Card.RAID, B))), A)
    assert asked(state) == {B: "orders", C: "orders"}
    assert state.deck == cards("raid shield")
    assert state.camps[A].order is None


def test_the_others_go_on_without_waiting_for_who_left() -> None:
    state = given("raid", "raid", "scout")
    state = after(state, (A, PlaceOrder(Card.RAID, B)), (B, PlaceOrder(Card.RAID, A)))
    assert asked(leaving(state, C)) == {NATURE: "reveal"}


def test_nobody_attacks_who_left() -> None:
    state = leaving(given("raid", "raid", "scout"), B)
    with pytest.raises(IllegalAction, match="bad_target"):
        after(state, (A, PlaceOrder(Card.RAID, B)))


@pytest.mark.parametrize("leaver", [A, B])
def test_an_attack_is_off_when_attacker_or_target_leaves(leaver: Seat) -> None:
    state = given("raid", "shield shield", "shield shield")
    state = ordered(state, ("raid", B), ("shield", None), ("shield", None))
    state = after(state, (C, Answer(Reply.SHIELD)))
    state = leaving(state, leaver)
    assert state.phase is Phase.STORM
    assert state.camps[C].hand == cards("shield")


def test_an_order_against_who_left_is_off_whenever_it_was_placed() -> None:
    state = given("raid", "raid", "shield shield")
    state = after(state, (A, PlaceOrder(Card.RAID, C)), (B, PlaceOrder(Card.RAID, C)))
    assert natured(leaving(state, C), "reveal").phase is Phase.STORM
    state = natured(after(state, (C, PlaceOrder(Card.SHIELD))), "reveal")
    assert state.attack is not None
    assert leaving(state, C).phase is Phase.STORM


def test_orders_of_who_left_are_dropped() -> None:
    state = given("raid", "raid", "shield shield")
    state = ordered(state, ("raid", C), ("raid", A), ("shield", None))
    state = leaving(state, B)
    assert (state.orders, asked(state)) == ((), {C: "reply"})


def test_a_reply_of_who_left_is_not_counted() -> None:
    state = given("raid", "shield raid", "shield shield")
    state = ordered(state, ("raid", B), ("shield", None), ("shield", None))
    state = leaving(after(state, (C, Answer(Reply.SHIELD))), C)
    assert asked(state) == {B: "reply"}
    assert natured(after(state, (B, Answer(Reply.PASS))), "unmask").attack is not None


def test_a_match_ends_when_one_seat_is_left_and_leavers_come_last() -> None:
    state = having(given("raid", "raid", "scout"), B, goods=Goods(renown=9))
    state = leaving(leaving(state, B), A)
    assert state.phase is Phase.OVER
    result = GAME.result(state)
    assert result is not None
    assert [(one.seat, one.decided_by) for one in result.places] == [
        (C, "retired"),
        (A, "retired"),
        (B, "retired"),
    ]


def test_nobody_leaves_twice_or_after_the_end() -> None:
    state = leaving(given("raid", "raid", "scout"), B)
    with pytest.raises(IllegalAction, match="already_retired"):
        GAME.retire(state, B)
    with pytest.raises(IllegalAction, match="game_over"):
        GAME.retire(leaving(state, A), C)


@pytest.mark.parametrize("seed", range(20))
def test_leavers_come_last_whenever_they_leave(seed: int) -> None:
    rng = Random(seed)
    state = rng.choice(playout(GAME, 4, seed=seed)).state
    leavers = rng.sample(state.active(), 3)
    for seat in leavers:
        state = leaving(state, seat)
        moved = play_on(GAME, state, Chance(b""), rng)[: rng.randrange(5)]
        state = moved[-1].after if moved and not GAME.result(moved[-1].after) else state
    result = GAME.result(state)
    assert result is not None
    assert [one.seat for one in result.places[1:]] == leavers[::-1]


def test_a_storm_strikes_only_those_who_stayed() -> None:
    state = leaving(given("", "", "", phase=Phase.STORM), B)
    (kind,) = GAME.moves["storm"]
    storm = kind.resolve(state, Chance(b""))  # type: ignore[attr-defined]  # a NatureMove
    assert [strike.seat for strike in storm.strikes] == [A, C]
    play(GAME, state, NATURE, storm)
