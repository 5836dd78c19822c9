"""Wounds that effects place (R18.3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from msgspec.structs import replace

from services.gamekit.game import Action, IllegalAction, Seat
from services.great_wall.cards.hordes import HordeCard
from services.great_wall.effects import Where
from services.great_wall.field import find, free_spots, horde_of, with_horde, with_marks
from services.great_wall.goods import AT
from services.great_wall.state import WOUND, State, instead, pop, top
from services.great_wall.tasks.task import Event
from services.great_wall.tasks.war import Wounding


def woundable(state: State, clan: int, where: Where, event: Event) -> tuple[HordeCard, ...]:
    """The hordes on which an effect may place wounds."""
    if where is Where.ATTACKED:
        return tuple(card for card in event.hordes if find(state, card))
    firing = state.clans[clan].firing
    sections = (
        {AT[section] for section in event.sections}
        if where is Where.EVENT_SECTION
        else {section for section, archers in enumerate(firing) if archers}
    )
    return tuple(
        horde.card
        for section, row in enumerate(state.hordes)
        if section in sections
        for horde in row
    )


def place_wounds(state: State, task: Wounding) -> State:
    """Ask on, as long as wounds are left and a spot is free."""
    if task.left > 0 and any(True for _ in PlaceWound.candidates(state, Seat(0))):
        return state
    return pop(state)


class PlaceWound(Action[State], frozen=True):
    """Place a wound on a free spot."""

    card: HordeCard
    spot: int

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        for card in top(state, Wounding).hordes:
            horde = horde_of(state, card)
            if horde:
                yield from (cls(card, spot) for spot in free_spots(horde))

    def check(self, state: State, seat: Seat) -> None:
        horde = horde_of(state, self.card)
        if self.card not in top(state, Wounding).hordes or horde is None:
            raise IllegalAction("wrong_horde", card=self.card)
        if self.spot not in free_spots(horde):
            raise IllegalAction("no_free_spot", spot=self.spot)

    def apply(self, state: State, seat: Seat) -> State:
        task = top(state, Wounding)
        place = find(state, self.card)
        assert place is not None
        section, row = place
        hordes = task.hordes
        if task.where is Where.OWN_ARCHER_SECTION:
            hordes = tuple(horde.card for horde in state.hordes[section])
        state = instead(state, replace(task, left=task.left - 1, hordes=hordes))
        horde = with_marks(state.hordes[section][row], (self.spot,), WOUND)
        return with_horde(state, section, row, horde)
