"""Chapters 3 and 5.1: nations, the first player, heroes drawn and placed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from msgspec.structs import replace

from services.altarion.board import FIELDS, distance, starts
from services.altarion.cards import NATIONS, Nation
from services.altarion.goods import each
from services.altarion.state import Hero, Phase, State, with_sheet
from services.altarion.tracks import START_EACH
from services.gamekit.chance import Chance
from services.gamekit.game import Action, IllegalAction, NatureMove, Seat


class DrawNations(NatureMove[State], frozen=True):
    """Each player draws a nation, seat by seat, and receives its start pay (3.1-3.4)."""

    nations: tuple[Nation, ...]

    @classmethod
    def resolve(cls, state: State, chance: Chance) -> Self:
        return cls(chance.deal("nation", Nation, len(state.living())))

    def check(self, state: State, seat: Seat) -> None:
        if len(self.nations) != len(state.living()) or len(set(self.nations)) < len(self.nations):
            raise IllegalAction("wrong_nations")

    def apply(self, state: State, seat: Seat) -> State:
        for owner, nation in zip(state.living(), self.nations, strict=True):
            pay = NATIONS[nation].start_pay
            sheet = replace(state.sheets[owner], nation=nation, crowns=pay, stock=each(START_EACH))
            state = with_sheet(state, owner, sheet)
        return replace(state, phase=Phase.FIRST_PLAYER)


class DrawFirstPlayer(NatureMove[State], frozen=True):
    """The first player of round one is drawn (3.6)."""

    seat: Seat

    @classmethod
    def resolve(cls, state: State, chance: Chance) -> Self:
        return cls(chance.draw("first", state.living()))

    def check(self, state: State, seat: Seat) -> None:
        if self.seat not in state.living():
            raise IllegalAction("no_such_player", seat=self.seat)

    def apply(self, state: State, seat: Seat) -> State:
        state = replace(state, first=self.seat, phase=Phase.FIRST_HEROES)
        return replace(state, queue=state.order())


class DrawHero(NatureMove[State], frozen=True):
    """The player at it takes the top hero: an undrawn one, else the longest dead (3.5, 13.1)."""

    card: int

    @classmethod
    def resolve(cls, state: State, chance: Chance) -> Self:
        return cls(chance.draw(f"hero/{state.recruited}", drawable(state)))

    def check(self, state: State, seat: Seat) -> None:
        if self.card not in drawable(state):
            raise IllegalAction("not_in_pile", card=self.card)

    def apply(self, state: State, seat: Seat) -> State:
        owner = state.queue[0]
        sheet = replace(state.sheets[owner], arriving=self.card)
        setting_up = state.phase is Phase.FIRST_HEROES
        state = replace(
            state,
            undrawn=tuple(card for card in state.undrawn if card != self.card),
            sand=state.sand if state.undrawn else state.sand[1:],
            recruited=state.recruited + 1,
            queue=state.queue[1:] if setting_up else state.queue,
        )
        return with_sheet(state, owner, sheet)


def drawable(state: State) -> tuple[int, ...]:
    """Which heroes may be on top of the pile: nobody knows, or the known one."""
    return state.undrawn or state.sand[:1]


class PlaceHero(Action[State], frozen=True):
    """Put the hero that was drawn on a free start field, or on the nearest free one (5.1)."""

    field: int

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        return (cls(field) for field in berths(state, seat))

    def check(self, state: State, seat: Seat) -> None:
        if self.field not in berths(state, seat):
            raise IllegalAction("not_a_free_start_field", field=self.field)

    def apply(self, state: State, seat: Seat) -> State:
        sheet = state.sheets[seat]
        assert sheet.arriving is not None
        heroes = (*sheet.heroes, Hero(sheet.arriving, self.field))
        state = replace(state, queue=state.queue[1:])
        return with_sheet(state, seat, replace(sheet, heroes=heroes, arriving=None))


def berths(state: State, seat: Seat) -> tuple[int, ...]:
    """The fields on which a player's hero may start, in ascending order."""
    occupied = state.occupied()
    own = starts(len(state.sheets), seat)
    free = [field for field in own if field not in occupied]
    if free:
        return tuple(sorted(free))
    away = {
        field: min(distance(field, start) for start in own)
        for field in range(len(FIELDS))
        if field not in occupied
    }
    nearest = min(away.values())
    return tuple(field for field, steps in away.items() if steps == nearest)
