"""The courthouse (section 4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from services.gamekit.game import Action, IllegalAction, Seat
from services.hadrians_wall.resolve import Draft, gain, pay, require
from services.hadrians_wall.state import State
from services.hadrians_wall.tracks import COURTHOUSE

ROWS = 3
"""Boxes of a column."""


class HoldCourt(Action[State], frozen=True):
    """Once a year for each column: pay its price, fill its next box, take its gain.

    All boxes of a column cost and give the same and the first needs least, so the order that the
    rules leave free makes no difference.
    """

    column: int

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        if state.sheets[seat].courthouse:
            for column in range(1, len(COURTHOUSE) + 1):
                yield cls(column)

    def check(self, state: State, seat: Seat) -> None:
        sheet = state.sheets[seat]
        if not sheet.courthouse:
            raise IllegalAction("not_built", building="courthouse")
        if not 1 <= self.column <= len(COURTHOUSE):
            raise IllegalAction("no_such_column", column=self.column)
        boxes = sheet.courts[self.column * ROWS - ROWS : self.column * ROWS]
        if state.year in boxes:
            raise IllegalAction("once_a_year")
        if 0 not in boxes:
            raise IllegalAction("track_complete", track="courthouse")
        court = COURTHOUSE[self.column - 1]
        level = court.levels[boxes.index(0)]
        if sheet.apparitores < level:
            raise IllegalAction("needs_citizens", track="apparitores", level=level)
        require(sheet, court.price)

    def apply(self, state: State, seat: Seat) -> State:
        draft = Draft(state.sheets[seat])
        court = COURTHOUSE[self.column - 1]
        pay(draft, court.price)
        courts = draft.sheet.courts
        spot = courts.index(0, self.column * ROWS - ROWS)
        draft["courts"] = courts[:spot] + (state.year,) + courts[spot + 1 :]
        gain(draft, court.gain)
        return draft.into(state, seat)
