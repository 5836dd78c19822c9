"""The moves of NATURE in Ambush: what is dealt, drawn, revealed, rolled and stolen."""

from __future__ import annotations

from typing import Self

from msgspec.structs import replace

from services.gamekit.chance import Chance
from services.gamekit.game import IllegalAction, NatureMove, Record, Seat
from tests.ambush.cards import HAND, HORDE, NEEDS, PRIORITY, Back, Card, Goods, Reply
from tests.ambush.state import (
    Attack,
    Camp,
    Given,
    Keep,
    Loss,
    Order,
    Phase,
    Spoils,
    Stage,
    State,
    Trophy,
    holds,
    joined,
    with_camp,
    without,
)


class Hand(Record, frozen=True):
    """The cards dealt to a seat; others see only how many."""

    seat: Seat
    size: int
    cards: tuple[Card, ...]

    def seen_by(self, viewer: Seat | None) -> Hand:
        """Without the cards, unless the viewer holds them."""
        return self if viewer == self.seat else replace(self, cards=())


def shortfall(state: State) -> dict[Seat, int]:
    """How many cards each seat that plays lacks."""
    return {seat: max(0, HAND - len(state.camps[seat].hand)) for seat in state.active()}


class DealHands(NatureMove[State], frozen=True):
    """Fill every hand, seat by seat, as far as the cards go."""

    hands: tuple[Hand, ...]

    @classmethod
    def resolve(cls, state: State, chance: Chance) -> Self:
        lacking = shortfall(state)
        deck = state.stocked(sum(lacking.values())).deck
        hands = []
        for seat, size in lacking.items():
            cards = chance.deal(f"deal/{state.round}/{seat}", deck, size)
            deck = without(deck, cards)
            hands.append(Hand(seat, len(cards), tuple(sorted(cards))))
        return cls(tuple(hands))

    def check(self, state: State, seat: Seat) -> None:
        lacking = shortfall(state)
        deck = state.stocked(sum(lacking.values())).deck
        if [hand.seat for hand in self.hands] != list(lacking):
            raise IllegalAction("wrong_seats")
        left = len(deck)
        for hand in self.hands:
            size = min(lacking[hand.seat], left)
            left -= size
            if not len(hand.cards) == hand.size == size:
                raise IllegalAction("wrong_size", seat=hand.seat)
        if not holds(deck, tuple(card for hand in self.hands for card in hand.cards)):
            raise IllegalAction("not_in_deck")

    def apply(self, state: State, seat: Seat) -> State:
        state = state.stocked(sum(shortfall(state).values()))
        for hand in self.hands:
            camp = state.camps[hand.seat]
            state = replace(state, deck=without(state.deck, hand.cards))
            filled = replace(camp, hand=joined(camp.hand, hand.cards))
            state = with_camp(state, hand.seat, filled)
        return replace(state, phase=Phase.HORDE)

    def shown(self, actor: Seat, viewer: Seat | None) -> DealHands:
        return DealHands(tuple(hand.seen_by(viewer) for hand in self.hands))


class ShowHorde(NatureMove[State], frozen=True):
    """Show the back of the next horde card; its face is drawn when the storm comes."""

    back: Back

    @classmethod
    def resolve(cls, state: State, chance: Chance) -> Self:
        backs = [HORDE[face][0] for face in state.horde]
        return cls(chance.draw(f"horde/{state.round}/back", backs))

    def check(self, state: State, seat: Seat) -> None:
        if all(HORDE[face][0] != self.back for face in state.horde):
            raise IllegalAction("no_such_back")

    def apply(self, state: State, seat: Seat) -> State:
        return replace(state, back=self.back, phase=Phase.ORDERS)


class DrawCards(NatureMove[State], frozen=True):
    """Give a seat the cards it has foraged or scouted; only that seat sees them."""

    seat: Seat
    size: int
    cards: tuple[Card, ...]

    @classmethod
    def resolve(cls, state: State, chance: Chance) -> Self:
        (pull, *_) = state.pulls
        what = "scout" if pull.scouted else "forage"
        deck = state.stocked(pull.size).deck
        cards = chance.deal(f"{what}/{state.round}/{pull.seat}", deck, pull.size)
        return cls(pull.seat, len(cards), tuple(sorted(cards)))

    def check(self, state: State, seat: Seat) -> None:
        (pull, *_) = state.pulls
        deck = state.stocked(pull.size).deck
        if self.seat != pull.seat:
            raise IllegalAction("wrong_seat", seat=pull.seat)
        if not len(self.cards) == self.size == min(pull.size, len(deck)):
            raise IllegalAction("wrong_size", seat=pull.seat)
        if not holds(deck, self.cards):
            raise IllegalAction("not_in_deck")

    def apply(self, state: State, seat: Seat) -> State:
        (pull, *pulls) = state.pulls
        state = state.stocked(pull.size)
        camp = state.camps[self.seat]
        if self.size > 1:
            camp = replace(camp, agenda=(*camp.agenda, Keep(self.cards)))
        else:
            camp = replace(camp, hand=joined(camp.hand, self.cards))
        state = replace(state, deck=without(state.deck, self.cards), pulls=tuple(pulls))
        return with_camp(state, self.seat, camp)

    def shown(self, actor: Seat, viewer: Seat | None) -> DrawCards:
        return self if viewer == self.seat else replace(self, cards=())


class RevealOrders(NatureMove[State], frozen=True):
    """Turn up all orders at once. Shields brace their camps now, the rest waits for its turn."""

    orders: tuple[Order, ...]

    @classmethod
    def resolve(cls, state: State, chance: Chance) -> Self:
        placed = [camp.order for camp in state.camps if camp.order]
        placed.sort(key=lambda order: (PRIORITY.index(order.card), order.seat))
        return cls(tuple(placed))

    def check(self, state: State, seat: Seat) -> None:
        if self != self.resolve(state, Chance(b"")):
            raise IllegalAction("wrong_orders")

    def apply(self, state: State, seat: Seat) -> State:
        braced = {order.seat for order in self.orders if order.card is Card.SHIELD}
        camps = tuple(
            replace(camp, order=None, braced=seat in braced)
            for seat, camp in enumerate(state.camps)
        )
        discard = joined(state.discard, (order.card for order in self.orders))
        waiting = tuple(order for order in self.orders if order.seat not in braced)
        return replace(state, camps=camps, discard=discard, orders=waiting, phase=Phase.ATTACKS)


class RevealReplies(NatureMove[State], frozen=True):
    """Turn up all replies to an attack, pay their cards, and see whether it goes on."""

    replies: tuple[Given, ...]

    @classmethod
    def resolve(cls, state: State, chance: Chance) -> Self:
        assert state.attack is not None
        return cls(state.attack.replies)

    def check(self, state: State, seat: Seat) -> None:
        if state.attack is None or self.replies != state.attack.replies:
            raise IllegalAction("wrong_replies")

    def apply(self, state: State, seat: Seat) -> State:
        assert state.attack is not None
        attack = state.attack
        for given in self.replies:
            state = replied(state, attack.order, given)
        shields = {given.seat for given in self.replies if given.reply is Reply.SHIELD}
        if attack.order.card is Card.FEINT:
            stopped = attack.order.target in shields
            _, victim = feinting(attack)
            bare = not state.camps[victim].hand
            after = None if stopped or bare else replace(attack, stage=Stage.STEAL)
        else:
            after = None if shields else replace(attack, stage=Stage.ROLL)
        return replace(state, attack=after)


def replied(state: State, order: Order, given: Given) -> State:
    """After one reply. A shield that stops another's raid earns a coin, one wasted on a feint
    brings the feinter renown; an ambush costs the attacker a guard."""
    card = NEEDS.get(given.reply)
    if card is None:
        return state
    camp = state.camps[given.seat]
    state = replace(state, discard=joined(state.discard, (card,)))
    state = with_camp(state, given.seat, replace(camp, hand=without(camp.hand, (card,))))
    if given.reply is Reply.AMBUSH:
        return struck(state, order.seat, 1)
    if order.card is Card.FEINT:
        return gained(state, order.seat, Goods(renown=1))
    return gained(state, given.seat, Goods(coins=int(given.seat != order.target)))


def gained(state: State, seat: Seat, goods: Goods) -> State:
    """After a camp gained some goods."""
    camp = state.camps[seat]
    return with_camp(state, seat, replace(camp, goods=camp.goods + goods))


def struck(state: State, seat: Seat, losses: int) -> State:
    """After a camp was told to take some losses."""
    camp = state.camps[seat]
    return with_camp(state, seat, replace(camp, agenda=(*camp.agenda, *[Loss()] * losses)))


def defence(camp: Camp) -> int:
    """Towers with a guard, and one more behind a shield."""
    return sum(1 for _ in camp.guards.items()) + camp.braced


class RollRaid(NatureMove[State], frozen=True):
    """Roll for a raid that nobody stopped: above the target's defence it succeeds."""

    roll: int

    @classmethod
    def resolve(cls, state: State, chance: Chance) -> Self:
        assert state.attack is not None
        return cls(chance.die(f"die/{state.round}/{state.attack.order.seat}/raid/1"))

    def check(self, state: State, seat: Seat) -> None:
        if not 1 <= self.roll <= 6:
            raise IllegalAction("no_such_roll")

    def apply(self, state: State, seat: Seat) -> State:
        assert state.attack is not None
        assert state.attack.order.target is not None
        raider, target = state.attack.order.seat, state.attack.order.target
        state = replace(state, attack=None)
        if self.roll <= defence(state.camps[target]):
            return state
        best = int(self.roll == 6)
        spoils = Spoils(Goods(coins=3 + best), Goods(renown=2 + best))
        camp = state.camps[raider]
        state = with_camp(state, raider, replace(camp, agenda=(*camp.agenda, spoils)))
        return struck(state, target, 1)


class StealCard(NatureMove[State], frozen=True):
    """A feint that was believed steals a card from the hand; thief and victim know which."""

    thief: Seat
    victim: Seat
    card: Card | None

    @classmethod
    def resolve(cls, state: State, chance: Chance) -> Self:
        thief, victim = feinting(state.attack)
        hand = state.camps[victim].hand
        return cls(thief, victim, chance.draw(f"steal/{state.round}/{thief}", hand))

    def check(self, state: State, seat: Seat) -> None:
        if (self.thief, self.victim) != feinting(state.attack):
            raise IllegalAction("wrong_seat")
        if self.card not in state.camps[self.victim].hand:
            raise IllegalAction("not_in_hand")

    def apply(self, state: State, seat: Seat) -> State:
        assert self.card is not None
        victim, thief = state.camps[self.victim], state.camps[self.thief]
        victim = replace(victim, hand=without(victim.hand, (self.card,)))
        trophies = (*thief.trophies, Trophy(self.victim, self.card))
        state = with_camp(replace(state, attack=None), self.victim, victim)
        return with_camp(state, self.thief, replace(thief, trophies=trophies))

    def shown(self, actor: Seat, viewer: Seat | None) -> StealCard:
        return self if viewer in (self.thief, self.victim) else replace(self, card=None)


def feinting(attack: Attack | None) -> tuple[Seat, Seat]:
    """Thief and victim of the feint being carried out."""
    assert attack is not None
    assert attack.order.target is not None
    return attack.order.seat, attack.order.target
