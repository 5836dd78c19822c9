"""The moves of a seat."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from msgspec.structs import replace

from services.gamekit.game import Action, IllegalAction, Seat
from tests.ambush.cards import (
    ATTACKS,
    NEEDS,
    TALLEST,
    Card,
    Garrison,
    Goods,
    Reply,
    Tower,
    guard_of,
)
from tests.ambush.state import (
    Camp,
    Given,
    Keep,
    Order,
    Pull,
    Spoils,
    State,
    joined,
    with_camp,
    without,
)


class Fortify(Action[State], frozen=True):
    """Hire a guard for a tower: a coin for each guard that will stand there."""

    tower: Tower

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        return (cls(tower) for tower in Tower)

    def price(self, camp: Camp) -> Goods:
        """What the next guard costs."""
        return Goods(coins=camp.guards.at(self.tower) + 1)

    def check(self, state: State, seat: Seat) -> None:
        camp = state.camps[seat]
        if camp.guards.at(self.tower) >= TALLEST:
            raise IllegalAction("tower_full", tower=self.tower)
        if not camp.goods.covers(self.price(camp)):
            raise IllegalAction("cannot_afford", coins=self.price(camp).coins)

    def apply(self, state: State, seat: Seat) -> State:
        camp = state.camps[seat]
        goods, guards = camp.goods - self.price(camp), camp.guards + guard_of(self.tower)
        return with_camp(state, seat, replace(camp, goods=goods, guards=guards))


class Forage(Action[State], frozen=True):
    """Pay a coin for a card, once a round."""

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        yield cls()

    def check(self, state: State, seat: Seat) -> None:
        camp = state.camps[seat]
        if camp.foraged:
            raise IllegalAction("already_foraged")
        if not camp.goods.covers(Goods(coins=1)):
            raise IllegalAction("cannot_afford", coins=1)
        if not state.deck and not state.discard:
            raise IllegalAction("no_cards_left")

    def apply(self, state: State, seat: Seat) -> State:
        camp = state.camps[seat]
        camp = replace(camp, goods=camp.goods - Goods(coins=1), foraged=True)
        pulls = (*state.pulls, Pull(seat, size=1, scouted=False))
        return with_camp(replace(state, pulls=pulls), seat, camp)


class PlaceOrder(Action[State], frozen=True):
    """Put a card face down, an attack together with its target. Only the seat sees which."""

    card: Card | None
    target: Seat | None = None

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        for card in sorted(set(state.camps[seat].hand)):
            if card in ATTACKS:
                yield from (cls(card, target) for target in targets(state, seat))
            else:
                yield cls(card)

    def check(self, state: State, seat: Seat) -> None:
        if self.card is None or self.card not in state.camps[seat].hand:
            raise IllegalAction("not_in_hand", card=self.card or "")
        if self.card not in ATTACKS:
            if self.target is not None:
                raise IllegalAction("takes_no_target", card=self.card)
        elif self.target not in targets(state, seat):
            raise IllegalAction("bad_target")

    def apply(self, state: State, seat: Seat) -> State:
        assert self.card is not None
        camp = state.camps[seat]
        order = Order(seat, self.card, self.target)
        hand = without(camp.hand, (self.card,))
        return with_camp(state, seat, replace(camp, hand=hand, order=order))

    def shown(self, actor: Seat, viewer: Seat | None) -> PlaceOrder:
        return self if viewer == actor else PlaceOrder(card=None)


def targets(state: State, seat: Seat) -> list[Seat]:
    """Whom a seat may attack: under a truce not its left neighbour, if there is another."""
    others = [other for other in state.active() if other != seat]
    left = Seat((seat + 1) % len(state.camps))
    if state.options.truce and state.round == 1 and others != [left]:
        return [other for other in others if other != left]
    return others


class Answer(Action[State], frozen=True):
    """Answer an attack: `None` is what others see of it until all have answered."""

    reply: Reply | None

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        return (cls(reply) for reply in Reply)

    def check(self, state: State, seat: Seat) -> None:
        if self.reply is None:
            raise IllegalAction("no_reply")
        card = NEEDS.get(self.reply)
        if card and card not in state.camps[seat].hand:
            raise IllegalAction("not_in_hand", card=card)

    def apply(self, state: State, seat: Seat) -> State:
        assert self.reply is not None
        assert state.attack is not None
        given = (*state.attack.replies, Given(seat, self.reply))
        ordered = tuple(sorted(given, key=lambda one: one.seat))
        return replace(state, attack=replace(state.attack, replies=ordered))

    def shown(self, actor: Seat, viewer: Seat | None) -> Answer:
        return self if viewer == actor else Answer(reply=None)


class KeepCard(Action[State], frozen=True):
    """Keep one of the scouted cards; the rest goes back unseen by others."""

    card: Card | None

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        (keep, *_) = state.camps[seat].agenda
        assert isinstance(keep, Keep)
        return (cls(card) for card in sorted(set(keep.cards)))

    def check(self, state: State, seat: Seat) -> None:
        (keep, *_) = state.camps[seat].agenda
        if not isinstance(keep, Keep) or self.card not in keep.cards:
            raise IllegalAction("not_offered", card=self.card or "")

    def apply(self, state: State, seat: Seat) -> State:
        camp = state.camps[seat]
        (keep, *rest) = camp.agenda
        assert isinstance(keep, Keep)
        assert self.card is not None
        hand = joined(camp.hand, (self.card,))
        back = without(keep.cards, (self.card,))
        state = replace(state, deck=joined(state.deck, back))
        return with_camp(state, seat, replace(camp, hand=hand, agenda=tuple(rest)))

    def shown(self, actor: Seat, viewer: Seat | None) -> KeepCard:
        return self if viewer == actor else KeepCard(card=None)


class TakeSpoils(Action[State], frozen=True):
    """Take one of the two spoils of a raid."""

    goods: Goods

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        (spoils, *_) = state.camps[seat].agenda
        assert isinstance(spoils, Spoils)
        yield cls(spoils.first)
        yield cls(spoils.second)

    def check(self, state: State, seat: Seat) -> None:
        (spoils, *_) = state.camps[seat].agenda
        if not isinstance(spoils, Spoils) or self.goods not in (spoils.first, spoils.second):
            raise IllegalAction("not_offered")

    def apply(self, state: State, seat: Seat) -> State:
        camp = state.camps[seat]
        goods = camp.goods + self.goods
        return with_camp(state, seat, replace(camp, goods=goods, agenda=camp.agenda[1:]))


class LoseGuard(Action[State], frozen=True):
    """Take a loss on a tower that still has a guard."""

    tower: Tower

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        return (cls(tower) for tower in Tower)

    def check(self, state: State, seat: Seat) -> None:
        if not state.camps[seat].guards.at(self.tower):
            raise IllegalAction("tower_empty", tower=self.tower)

    def apply(self, state: State, seat: Seat) -> State:
        return with_camp(state, seat, lost(state.camps[seat], self.tower))


def lost(camp: Camp, tower: Tower | None) -> Camp:
    """The camp after the first loss of its agenda; without a guard to take it, a breach."""
    if tower is None:
        return replace(camp, breaches=camp.breaches + 1, agenda=camp.agenda[1:])
    guards: Garrison = camp.guards - guard_of(tower)
    return replace(camp, guards=guards, agenda=camp.agenda[1:])
