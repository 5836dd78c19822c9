"""The market: goods of neighbours and of fate (section 4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from msgspec.structs import replace

from services.gamekit.chance import Chance
from services.gamekit.game import Action, IllegalAction, NatureMove, Seat
from services.hadrians_wall.cards import FACES, FATE
from services.hadrians_wall.goods import Good
from services.hadrians_wall.resolve import Draft, gain
from services.hadrians_wall.rules import fate
from services.hadrians_wall.rules.neighbours import Source, passed_on, prospect_of
from services.hadrians_wall.state import FateDraw, State, Use
from services.hadrians_wall.tracks import MARKET, NEW_GOOD

SOURCES = (Source.LEFT, Source.RIGHT, Source.FATE)


class Trade(Action[State], frozen=True):
    """Pay a resource for the good of a neighbour or of the top fate card, and write it in a box."""

    source: Source
    box: int

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        sheet = state.sheets[seat]
        if sheet.market and sheet.resource:
            for box, stall in enumerate(MARKET, 1):
                if not sheet.goods[box - 1] and sheet.traders >= stall.level:
                    for source in SOURCES:
                        yield cls(source, box)

    def check(self, state: State, seat: Seat) -> None:
        sheet = state.sheets[seat]
        if not sheet.market:
            raise IllegalAction("not_built", building="market")
        if not sheet.resource:
            raise IllegalAction("cannot_afford", resource=1)
        if not 1 <= self.box <= len(MARKET):
            raise IllegalAction("no_such_box", box=self.box)
        if sheet.goods[self.box - 1]:
            raise IllegalAction("box_filled", box=self.box)
        if sheet.traders < MARKET[self.box - 1].level:
            raise IllegalAction("needs_citizens", track="traders", level=MARKET[self.box - 1].level)
        if self.source is Source.OWN:
            raise IllegalAction("own_prospect")
        if self.source is not Source.FATE:
            prospect_of(state, seat, self.source)

    def apply(self, state: State, seat: Seat) -> State:
        draft = Draft(state.sheets[seat])
        draft["resource"] -= 1
        if self.source is Source.FATE:
            draws = (*state.draws, FateDraw(seat, Use.GOOD, self.box))
            return replace(draft.into(state, seat), draws=draws)
        write(draft, self.box, FACES[prospect_of(state, seat, self.source)].good)
        return passed_on(draft.into(state, seat), seat, self.source, Good.RESOURCE)


def write(draft: Draft, box: int, good: int) -> None:
    """Write a good in a box of the market: a new one brings renown, and the box its worker."""
    goods = draft.sheet.goods
    draft["goods"] = goods[: box - 1] + (good,) + goods[box:]
    if good not in goods:
        gain(draft, NEW_GOOD[len({*goods} - {0})])
    gain(draft, MARKET[box - 1].gain)


class DrawGood(NatureMove[State], frozen=True):
    """Turn over a fate card for its good; it is written in the box that waits for it."""

    seat: Seat
    card: int

    @classmethod
    def resolve(cls, state: State, chance: Chance) -> Self:
        return cls(state.draws[0].seat, *fate.draw(state, chance))

    def check(self, state: State, seat: Seat) -> None:
        if self.seat != state.draws[0].seat:
            raise IllegalAction("wrong_seat")
        fate.without(state, (self.card,))

    def apply(self, state: State, seat: Seat) -> State:
        draft = Draft(state.sheets[self.seat])
        write(draft, state.draws[0].box, FATE[self.card].good)
        state = fate.discarded(state, (self.card,))
        return draft.into(replace(state, draws=state.draws[1:]), self.seat)
