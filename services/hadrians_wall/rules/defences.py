"""The tracks of the left sheet that boxes are paid for on (section 3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from services.gamekit.game import Action, IllegalAction, Seat
from services.hadrians_wall.effects import SWORD
from services.hadrians_wall.forts import FORTS
from services.hadrians_wall.goods import Worker
from services.hadrians_wall.resolve import Draft, gain, resolve
from services.hadrians_wall.state import Sheet, State
from services.hadrians_wall.tracks import (
    CIPPI,
    CIPPI_FIELDS,
    CIPPI_FORT,
    FORT,
    FORT_FIELDS,
    GUARD,
    GUARD_FIELDS,
    MINING,
    MINING_FIELDS,
    TRAINING_BOXES,
    WALL,
    WALL_FIELDS,
)


def require_field(sheet: Sheet, track: str, filled: int, fields: tuple[int, int, int]) -> None:
    """Raise unless the next box lies in a field that a granary has opened."""
    if filled >= fields[sheet.granary]:
        if filled >= fields[-1]:
            raise IllegalAction("track_complete", track=track)
        raise IllegalAction("needs_granary", track=track, box=filled + 1)


class FillMining(Action[State], frozen=True):
    """Fill the next box of Mining and Foresting with a servant."""

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        if state.sheets[seat].servant:
            yield cls()

    def check(self, state: State, seat: Seat) -> None:
        sheet = state.sheets[seat]
        price = FORTS[state.options.campaign].mining_servants
        if sheet.servant < price:
            raise IllegalAction("cannot_afford", servant=price)
        require_field(sheet, "mining", sheet.mining, MINING_FIELDS)

    def apply(self, state: State, seat: Seat) -> State:
        draft = Draft(state.sheets[seat])
        draft["servant"] -= FORTS[state.options.campaign].mining_servants
        draft["mining"] += 1
        gain(draft, MINING[draft.sheet.mining])
        return draft.into(state, seat)


class FillGuard(Action[State], frozen=True):
    """Fill the next box of the Wall Guard with a soldier."""

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        if state.sheets[seat].soldier:
            yield cls()

    def check(self, state: State, seat: Seat) -> None:
        sheet = state.sheets[seat]
        if not sheet.soldier:
            raise IllegalAction("cannot_afford", soldier=1)
        require_field(sheet, "guard", sheet.guard, GUARD_FIELDS)

    def apply(self, state: State, seat: Seat) -> State:
        draft = Draft(state.sheets[seat])
        draft["soldier"] -= 1
        draft["guard"] += 1
        gain(draft, GUARD[draft.sheet.guard])
        return draft.into(state, seat)


class TrainGuard(Action[State], frozen=True):
    """Once a year: a builder in the Training Grounds fills the next box of the Wall Guard."""

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        if state.sheets[seat].builder:
            yield cls()

    def check(self, state: State, seat: Seat) -> None:
        sheet = state.sheets[seat]
        if not sheet.builder:
            raise IllegalAction("cannot_afford", builder=1)
        if state.year in sheet.training:
            raise IllegalAction("once_a_year")
        if len(sheet.training) >= TRAINING_BOXES:
            raise IllegalAction("track_complete", track="training")
        require_field(sheet, "guard", sheet.guard, GUARD_FIELDS)

    def apply(self, state: State, seat: Seat) -> State:
        draft = Draft(state.sheets[seat])
        draft["builder"] -= 1
        draft["training"] += (state.year,)
        resolve(draft, SWORD)
        return draft.into(state, seat)


def require_peace(state: State) -> None:
    """Raise while the campaign's fort forbids Wall and Cippi."""
    first = FORTS[state.options.campaign].first_wall_year
    if state.year < first:
        raise IllegalAction("forbidden_by_campaign", until_year=first)


class FillCippi(Action[State], frozen=True):
    """Fill the next box of the Cippi with a resource; it hangs on a box of the fort."""

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        if state.sheets[seat].resource:
            yield cls()

    def check(self, state: State, seat: Seat) -> None:
        sheet = state.sheets[seat]
        if not sheet.resource:
            raise IllegalAction("cannot_afford", resource=1)
        require_field(sheet, "cippi", sheet.cippi, CIPPI_FIELDS)
        if sheet.fort < CIPPI_FORT[sheet.cippi]:
            raise IllegalAction("needs_fort", box=CIPPI_FORT[sheet.cippi])
        require_peace(state)

    def apply(self, state: State, seat: Seat) -> State:
        draft = Draft(state.sheets[seat])
        draft["resource"] -= 1
        draft["cippi"] += 1
        gain(draft, CIPPI[draft.sheet.cippi])
        return draft.into(state, seat)


class FillWall(Action[State], frozen=True):
    """Fill the next box of the Wall with a resource; the fort must have come as far."""

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        if state.sheets[seat].resource:
            yield cls()

    def check(self, state: State, seat: Seat) -> None:
        sheet = state.sheets[seat]
        if not sheet.resource:
            raise IllegalAction("cannot_afford", resource=1)
        require_field(sheet, "wall", sheet.wall, WALL_FIELDS)
        if sheet.fort <= sheet.wall:
            raise IllegalAction("needs_fort", box=sheet.wall + 1)
        require_peace(state)

    def apply(self, state: State, seat: Seat) -> State:
        draft = Draft(state.sheets[seat])
        draft["resource"] -= 1
        draft["wall"] += 1
        gain(draft, WALL[draft.sheet.wall])
        return draft.into(state, seat)


class FillFort(Action[State], frozen=True):
    """Fill the next box of the Fort with a builder or a soldier."""

    worker: Worker

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        sheet = state.sheets[seat]
        if sheet.builder:
            yield cls(Worker.BUILDER)
        if sheet.soldier:
            yield cls(Worker.SOLDIER)

    def check(self, state: State, seat: Seat) -> None:
        sheet = state.sheets[seat]
        if self.worker not in (Worker.BUILDER, Worker.SOLDIER):
            raise IllegalAction("wrong_worker", worker=self.worker)
        if not getattr(sheet, self.worker):
            raise IllegalAction("cannot_afford", **{self.worker: 1})
        require_field(sheet, "fort", sheet.fort, FORT_FIELDS)

    def apply(self, state: State, seat: Seat) -> State:
        draft = Draft(state.sheets[seat])
        draft[self.worker] -= 1
        draft["fort"] += 1
        gain(draft, FORT[draft.sheet.fort])
        return draft.into(state, seat)
