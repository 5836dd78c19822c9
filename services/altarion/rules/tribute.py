"""Chapter 11: tribute is sent or missed, special buildings are built."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from msgspec.structs import replace

from services.altarion.cards import SPECIALS, Special
from services.altarion.rules.death import over, perished
from services.altarion.rules.plain import Plain
from services.altarion.state import Ending, Sheet, State, with_sheet
from services.altarion.tracks import DEADLY_MISSES, FIRST_TRIBUTE, GOAL, SPECIAL_CROWNS, tribute
from services.gamekit.game import Action, IllegalAction, Seat


def collect_tribute(state: State) -> State:
    """Phase 1: who can pay pays; the third miss in a row is deadly, at once for all
    (11.1, 11.2, 12.2)."""
    if state.round < FIRST_TRIBUTE:
        return state
    for seat in state.living():
        state = with_sheet(state, seat, after_tribute(state.sheets[seat]))
    dead = tuple(seat for seat in state.order() if state.sheets[seat].misses >= DEADLY_MISSES)
    return perished(state, dead) if dead else state


def after_tribute(sheet: Sheet) -> Sheet:
    """A sheet that has sent its tribute, or keeps everything and has missed it."""
    due = tribute(len(sheet.specials))
    if sheet.stock.covers(due):
        return replace(sheet, stock=sheet.stock - due, sent=True, misses=0)
    return replace(sheet, sent=False, misses=sheet.misses + 1)


class BuildSpecial(Action[State], frozen=True):
    """Build one special building; the fifth ends the game at once (11.3)."""

    building: Special

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        return map(cls, Special)

    def check(self, state: State, seat: Seat) -> None:
        sheet = state.sheets[seat]
        if not sheet.sent:
            raise IllegalAction("tribute_not_sent", misses=sheet.misses)
        if self.building in sheet.specials:
            raise IllegalAction("already_built", building=self.building)
        if not payable(sheet, self.building):
            raise IllegalAction("cannot_afford", building=self.building)

    def apply(self, state: State, seat: Seat) -> State:
        sheet = state.sheets[seat]
        sheet = replace(
            sheet,
            crowns=sheet.crowns - SPECIAL_CROWNS,
            stock=sheet.stock - SPECIALS[self.building],
            specials=(*sheet.specials, self.building),
        )
        state = with_sheet(replace(state, queue=state.queue[1:]), seat, sheet)
        if len(sheet.specials) < GOAL:
            return state
        return over(state, Ending.SPECIAL)


class BuildNothing(Plain, frozen=True):
    """Build no special building in this round."""

    def apply(self, state: State, seat: Seat) -> State:
        return replace(state, queue=state.queue[1:])


def payable(sheet: Sheet, building: Special) -> bool:
    """Whether the player could pay for a building (2.9)."""
    return sheet.crowns >= SPECIAL_CROWNS and sheet.stock.covers(SPECIALS[building])


def may_build(sheet: Sheet) -> bool:
    """Whether there is anything that the player may build now (11.3)."""
    return (
        sheet.sent
        and sheet.crowns >= SPECIAL_CROWNS
        and any(
            building not in sheet.specials and sheet.stock.covers(price)
            for building, price in SPECIALS.items()
        )
    )
