"""The baths (section 4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from services.gamekit.game import Action, IllegalAction, Seat
from services.hadrians_wall.resolve import Draft
from services.hadrians_wall.state import State
from services.hadrians_wall.tracks import BATHS, BATHS_PER_YEAR


class Bathe(Action[State], frozen=True):
    """Twice a year: wash off a disdain, never ahead of it."""

    box: int

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        sheet = state.sheets[seat]
        if sheet.baths and sheet.disdain and sheet.resource:
            for box in range(1, len(BATHS) + 1):
                yield cls(box)

    def check(self, state: State, seat: Seat) -> None:
        sheet = state.sheets[seat]
        if not sheet.baths:
            raise IllegalAction("not_built", building="baths")
        if not sheet.disdain:
            raise IllegalAction("no_disdain")
        if sheet.pools.count(state.year) >= BATHS_PER_YEAR:
            raise IllegalAction("twice_a_year")
        if not 1 <= self.box <= len(BATHS):
            raise IllegalAction("no_such_box", box=self.box)
        if sheet.pools[self.box - 1]:
            raise IllegalAction("box_filled", box=self.box)
        pool = BATHS[self.box - 1]
        if sheet.apparitores < pool.level:
            raise IllegalAction("needs_citizens", track="apparitores", level=pool.level)
        if sheet.resource < pool.resource:
            raise IllegalAction("cannot_afford", resource=pool.resource)

    def apply(self, state: State, seat: Seat) -> State:
        draft = Draft(state.sheets[seat])
        draft["resource"] -= BATHS[self.box - 1].resource
        pools = draft.sheet.pools
        draft["pools"] = pools[: self.box - 1] + (state.year,) + pools[self.box :]
        draft["disdain"] -= 1
        draft["cleansed"] += 1
        return draft.into(state, seat)
