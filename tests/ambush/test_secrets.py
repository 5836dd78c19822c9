"""Who knows what: views, what is shown of moves, and what a seat imagines."""

from __future__ import annotations

from services.gamekit.chance import Chance
from services.gamekit.game import NATURE, Seat
from tests.ambush.cards import Card, Reply
from tests.ambush.game import GAME
from tests.ambush.given import A, B, C, after, cards, given, having, natured, ordered
from tests.ambush.moves import Answer, KeepCard, PlaceOrder
from tests.ambush.nature import DealHands, DrawCards, Hand, StealCard
from tests.ambush.state import Keep, Order, Phase, State, Trophy


def worlds(state: State, viewer: Seat | None, count: int = 40) -> list[State]:
    """Positions that `viewer` imagines."""
    return [GAME.imagine(state, viewer, Chance(bytes([number]))) for number in range(count)]


def test_a_hand_is_seen_by_its_seat_alone() -> None:
    state = given("raid shield", "scout")
    assert GAME.view(state, A).hand == cards("raid shield")
    assert GAME.view(state, None).hand == ()
    assert [camp.hand_size for camp in GAME.view(state, B).camps] == [2, 1]


def test_an_order_is_seen_by_its_seat_alone_until_it_is_revealed() -> None:
    move = PlaceOrder(Card.RAID, B)
    state = after(given("raid", "scout"), (A, move))
    assert GAME.view(state, A).order == Order(A, Card.RAID, B)
    for viewer in (B, None):
        seen = GAME.view(state, viewer)
        assert (seen.order, seen.camps[A].ordered) == (None, True)
        assert move.shown(A, viewer) == PlaceOrder(None)


def test_a_reply_shows_that_it_was_given_and_not_which() -> None:
    state = given("raid", "shield shield", "shield shield")
    state = ordered(state, ("raid", B), ("shield", None), ("shield", None))
    state = after(state, (B, Answer(Reply.SHIELD)))
    seen = GAME.view(state, C)
    assert seen.attack is not None
    assert (seen.attack.answered, seen.reply) == ((B,), None)
    assert seen.camps[B].hand_size == 1
    assert GAME.view(state, B).reply is Reply.SHIELD
    assert Answer(Reply.SHIELD).shown(B, C) == Answer(Reply.PASS).shown(B, C)


def test_scouted_cards_are_seen_by_the_scout_alone() -> None:
    state = given("scout", "shield", deck=cards("raid feint"))
    state = natured(ordered(state, ("scout", None), ("shield", None)), "draw")
    assert GAME.view(state, A).camps[A].agenda == (Keep(cards("feint raid")),)
    assert GAME.view(state, B).camps[A].agenda == (Keep(()),)
    assert KeepCard(Card.RAID).shown(A, B) == KeepCard(None)


def test_of_dealt_cards_each_seat_sees_its_own() -> None:
    deal = DealHands((Hand(A, 1, cards("raid")), Hand(B, 1, cards("scout"))))
    assert deal.shown(NATURE, B) == DealHands((Hand(A, 1, ()), Hand(B, 1, cards("scout"))))
    drawn = DrawCards(A, 1, cards("raid"))
    assert drawn.shown(NATURE, A) == drawn
    assert drawn.shown(NATURE, None) == DrawCards(A, 1, ())


def test_a_stolen_card_is_known_to_thief_and_victim_until_the_end() -> None:
    theft = StealCard(A, B, Card.RAID)
    assert theft.shown(NATURE, B) == theft
    assert theft.shown(NATURE, C) == StealCard(A, B, None)
    state = having(given("", "", ""), A, trophies=(Trophy(B, Card.RAID),))
    known = [GAME.view(state, seat).camps[A].trophies[0].card for seat in (A, B, C, None)]
    assert known == [Card.RAID, Card.RAID, None, None]
    over = having(given("", "", "", phase=Phase.OVER), A, trophies=(Trophy(B, Card.RAID),))
    assert GAME.view(over, C).camps[A].trophies[0].card is Card.RAID


def test_a_seat_imagines_every_card_it_does_not_see_and_none_it_does() -> None:
    state = having(given("raid raid", "scout feint"), B, trophies=(Trophy(A, Card.SHIELD),))
    imagined = worlds(state, A)
    assert {world.camps[A].hand for world in imagined} == {cards("raid raid")}
    assert {world.camps[B].trophies for world in imagined} == {(Trophy(A, Card.SHIELD),)}
    assert len({world.camps[B].hand for world in imagined}) > 3
    assert len({world.deck for world in imagined}) > 3


def test_an_imagined_world_has_the_same_cards_in_it() -> None:
    state = given("raid raid scout", "scout feint", "shield raid", deck=cards("shield scout"))
    state = having(state, B, trophies=(Trophy(A, Card.SHIELD),))
    state = after(state, (B, PlaceOrder(Card.FEINT, A)))

    def all_cards(world: State) -> list[Card]:
        held = [card for camp in world.camps for card in camp.hand]
        laid = [camp.order.card for camp in world.camps if camp.order]
        stolen = [one.card for camp in world.camps for one in camp.trophies if one.card]
        return sorted([*held, *laid, *stolen, *world.deck])

    for viewer in (A, B, C, None):
        for world in worlds(state, viewer, 5):
            assert all_cards(world) == all_cards(state)


def test_imagined_orders_are_ones_that_could_have_been_given() -> None:
    state = after(given("raid", "raid", "scout"), (B, PlaceOrder(Card.RAID, A)))
    orders = {world.camps[B].order for world in worlds(state, A)}
    assert {order.card for order in orders if order} == set(Card)
    for order in orders:
        assert order is not None
        assert (order.target in (A, C)) == (order.card in (Card.RAID, Card.FEINT))


def test_imagined_replies_have_their_card_in_the_imagined_hand() -> None:
    state = given("raid", "shield shield", "shield raid")
    state = ordered(state, ("raid", B), ("shield", None), ("shield", None))
    state = after(state, (B, Answer(Reply.SHIELD)))
    replies = set()
    for world in worlds(state, C):
        assert world.attack is not None
        (given_reply,) = world.attack.replies
        replies.add(given_reply.reply)
        if given_reply.reply is Reply.SHIELD:
            assert Card.SHIELD in world.camps[B].hand
    assert replies == {Reply.PASS, Reply.SHIELD, Reply.AMBUSH}
