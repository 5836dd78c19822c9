"""The Ludus Gladiatorius: training, battles and death (section 4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from msgspec.structs import replace

from services.gamekit.chance import Chance
from services.gamekit.game import Action, IllegalAction, NatureMove, Seat
from services.hadrians_wall.cards import FATE
from services.hadrians_wall.goods import EVERY_GLADIATOR, Gladiator, Worker
from services.hadrians_wall.resolve import Draft, gain
from services.hadrians_wall.rules import fate
from services.hadrians_wall.state import FateDraw, Sheet, State, Use
from services.hadrians_wall.tracks import DEATH, GLADIATOR_LEVELS, SURVIVAL


def circles(sheet: Sheet, gladiator: Gladiator) -> tuple[int, int]:
    """How many circles of a gladiator are circled, and how many of those are filled."""
    if gladiator is Gladiator.RED:
        return sheet.red, sheet.red_wounds
    return sheet.blue, sheet.blue_wounds


def require_alive(sheet: Sheet, gladiator: Gladiator) -> None:
    """Raise unless there is a Ludus, and the gladiator is not dead."""
    if not sheet.ludus:
        raise IllegalAction("not_built", building="ludus")
    strength, wounds = circles(sheet, gladiator)
    if strength and wounds >= strength:
        raise IllegalAction("gladiator_dead", gladiator=gladiator)


class TrainGladiator(Action[State], frozen=True):
    """Circle a gladiator's next circle with a servant or a civilian."""

    gladiator: Gladiator
    worker: Worker

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        if state.sheets[seat].ludus:
            for gladiator in EVERY_GLADIATOR:
                yield cls(gladiator, Worker.SERVANT)
                yield cls(gladiator, Worker.CIVILIAN)

    def check(self, state: State, seat: Seat) -> None:
        sheet = state.sheets[seat]
        require_alive(sheet, self.gladiator)
        if self.worker not in (Worker.SERVANT, Worker.CIVILIAN):
            raise IllegalAction("wrong_worker", worker=self.worker)
        if not getattr(sheet, self.worker):
            raise IllegalAction("cannot_afford", **{self.worker: 1})
        strength, _ = circles(sheet, self.gladiator)
        if strength >= len(GLADIATOR_LEVELS):
            raise IllegalAction("track_complete", track=self.gladiator)
        if sheet.performers < GLADIATOR_LEVELS[strength]:
            level = GLADIATOR_LEVELS[strength]
            raise IllegalAction("needs_citizens", track="performers", level=level)

    def apply(self, state: State, seat: Seat) -> State:
        draft = Draft(state.sheets[seat])
        draft[self.worker] -= 1
        draft[self.gladiator] += 1
        return draft.into(state, seat)


class Battle(Action[State], frozen=True):
    """Once a year for each gladiator: fight, and take the damage that fate deals."""

    gladiator: Gladiator

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        if state.sheets[seat].ludus:
            for gladiator in EVERY_GLADIATOR:
                yield cls(gladiator)

    def check(self, state: State, seat: Seat) -> None:
        sheet = state.sheets[seat]
        require_alive(sheet, self.gladiator)
        strength, _ = circles(sheet, self.gladiator)
        if not strength:
            raise IllegalAction("untrained", gladiator=self.gladiator)
        if state.year in getattr(sheet, f"{self.gladiator}_battles"):
            raise IllegalAction("once_a_year")

    def apply(self, state: State, seat: Seat) -> State:
        draft = Draft(state.sheets[seat])
        draft[f"{self.gladiator}_battles"] += (state.year,)
        draws = (*state.draws, FateDraw(seat, Use(self.gladiator)))
        return replace(draft.into(state, seat), draws=draws)


class DrawGladiator(NatureMove[State], frozen=True):
    """Turn over a fate card: its number is the damage, and the gladiator lives or dies."""

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
        fought(draft, Gladiator(state.draws[0].use), FATE[self.card].gladiator)
        state = fate.discarded(state, (self.card,))
        return draft.into(replace(state, draws=state.draws[1:]), self.seat)


def fought(draft: Draft, gladiator: Gladiator, damage: int) -> None:
    """Fill circled circles from the left; what is gained depends on how many are circled."""
    strength, wounds = circles(draft.sheet, gladiator)
    wounds = min(strength, wounds + damage)
    draft[f"{gladiator}_wounds"] = wounds
    gain(draft, (DEATH if wounds == strength else SURVIVAL)[strength - 1])
