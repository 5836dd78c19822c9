"""Chapter 10: offers to neighbours, one for one, answered at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from msgspec.structs import replace

from services.altarion.board import NEIGHBOURS
from services.altarion.goods import Mineral
from services.altarion.rules.plain import Plain
from services.altarion.state import Offer, State, Talk, with_sheet
from services.altarion.tracks import TRADE_MOST
from services.gamekit.game import Action, IllegalAction, Seat


class MakeOffer(Action[State], frozen=True):
    """Offer `amount` of one mineral for as many of another; both sides can pay (10.2)."""

    give: Mineral
    take: Mineral
    amount: int

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        own, other = state.sheets[seat].stock, state.sheets[state.talks[0].partner].stock
        for give in own.kinds():
            for take in other.kinds():
                most = min(TRADE_MOST, own.of(give), other.of(take))
                if give is not take:
                    yield from (cls(give, take, amount) for amount in range(1, most + 1))

    def check(self, state: State, seat: Seat) -> None:
        if self.give is self.take:
            raise IllegalAction("same_mineral", mineral=self.give)
        if not 1 <= self.amount <= TRADE_MOST:
            raise IllegalAction("bad_amount", least=1, most=TRADE_MOST)
        if state.sheets[seat].stock.of(self.give) < self.amount:
            raise IllegalAction("cannot_afford", mineral=self.give)
        if state.sheets[state.talks[0].partner].stock.of(self.take) < self.amount:
            raise IllegalAction("partner_cannot_afford", mineral=self.take)

    def apply(self, state: State, seat: Seat) -> State:
        return replace(state, offer=Offer(self.give, self.take, self.amount))


class OfferNothing(Plain, frozen=True):
    """Make this opponent no offer."""

    def apply(self, state: State, seat: Seat) -> State:
        return settled(state)


class AcceptOffer(Plain, frozen=True):
    """Take the offer: the exchange is immediate (10.3)."""

    def apply(self, state: State, seat: Seat) -> State:
        offer = state.offer
        assert offer is not None
        for one, sign in ((state.talks[0].seat, 1), (seat, -1)):
            sheet = state.sheets[one]
            stock = sheet.stock.plus(offer.give, -sign * offer.amount)
            stock = stock.plus(offer.take, sign * offer.amount)
            state = with_sheet(state, one, replace(sheet, stock=stock))
        return settled(state)


class DeclineOffer(Plain, frozen=True):
    """Leave the offer; there is no counter-offer (10.3)."""

    def apply(self, state: State, seat: Seat) -> State:
        return settled(state)


def settled(state: State) -> State:
    """The first of the talks is over."""
    return replace(state, talks=state.talks[1:], offer=None)


def talks(state: State) -> tuple[Talk, ...]:
    """Who may make whom an offer: each player in turn order each neighbour in seat order (10.2)."""
    return tuple(
        Talk(seat, partner) for seat in state.order() for partner in neighbours(state, seat)
    )


def neighbours(state: State, seat: Seat) -> list[Seat]:
    """The opponents with a hero that touches one of the player's own (10.1)."""
    touching = {field for hero in state.sheets[seat].heroes for field in NEIGHBOURS[hero.field]}
    met = {owner for owner, hero in state.heroes() if hero.field in touching}
    return sorted(met - {seat})


def tradable(state: State, talk: Talk) -> bool:
    """Whether the two have different minerals to exchange."""
    own, other = (state.sheets[seat].stock.kinds() for seat in (talk.seat, talk.partner))
    return bool(own and other) and (own != other or len(own) > 1)
