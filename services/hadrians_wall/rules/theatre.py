"""The theatre (section 4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from services.gamekit.game import Action, IllegalAction, Seat
from services.hadrians_wall.resolve import Draft, gain
from services.hadrians_wall.state import State
from services.hadrians_wall.tracks import THEATRE


class Perform(Action[State], frozen=True):
    """Once a year: a resource for a play, in any box that the performers can play."""

    box: int

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        sheet = state.sheets[seat]
        if sheet.theatre and sheet.resource and state.year not in sheet.plays:
            for box, stall in enumerate(THEATRE, 1):
                if sheet.performers >= stall.level:
                    yield cls(box)

    def check(self, state: State, seat: Seat) -> None:
        sheet = state.sheets[seat]
        if not sheet.theatre:
            raise IllegalAction("not_built", building="theatre")
        if not sheet.resource:
            raise IllegalAction("cannot_afford", resource=1)
        if not 1 <= self.box <= len(THEATRE):
            raise IllegalAction("no_such_box", box=self.box)
        if sheet.performers < THEATRE[self.box - 1].level:
            level = THEATRE[self.box - 1].level
            raise IllegalAction("needs_citizens", track="performers", level=level)
        if sheet.plays[self.box - 1]:
            raise IllegalAction("box_filled", box=self.box)
        if state.year in sheet.plays:
            raise IllegalAction("once_a_year")

    def apply(self, state: State, seat: Seat) -> State:
        draft = Draft(state.sheets[seat])
        draft["resource"] -= 1
        plays = draft.sheet.plays
        draft["plays"] = plays[: self.box - 1] + (state.year,) + plays[self.box :]
        gain(draft, THEATRE[self.box - 1].gain)
        return draft.into(state, seat)
