"""Diplomats (section 4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from services.gamekit.game import Action, IllegalAction, Seat
from services.hadrians_wall.effects import VALOUR
from services.hadrians_wall.forts import FORTS
from services.hadrians_wall.goods import EVERY_COHORT, Cohort
from services.hadrians_wall.resolve import Draft, pay, require, resolve
from services.hadrians_wall.state import State
from services.hadrians_wall.tracks import DIPLOMAT_FAVOURS, DIPLOMAT_LEVELS, DIPLOMAT_PRICE

FAVOUR_FIELD = {
    Cohort.LEFT: "favours_left",
    Cohort.CENTRE: "favours_centre",
    Cohort.RIGHT: "favours_right",
}
"""The field of the sheet that counts a diplomat's favours."""


class SendDiplomat(Action[State], frozen=True):
    """Send a diplomat to a cohort that has none: valour, and two favours for that cohort alone.

    All three cost and give the same, so they are filled from the left.
    """

    cohort: Cohort

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        sheet = state.sheets[seat]
        if sheet.patricians and sheet.soldier and sheet.resource > 1:
            for cohort in EVERY_COHORT:
                yield cls(cohort)

    def check(self, state: State, seat: Seat) -> None:
        sheet = state.sheets[seat]
        sent = len(sheet.diplomats)
        if sent >= len(DIPLOMAT_LEVELS):
            raise IllegalAction("track_complete", track="diplomats")
        if sheet.patricians < DIPLOMAT_LEVELS[sent]:
            raise IllegalAction("needs_citizens", track="patricians", level=DIPLOMAT_LEVELS[sent])
        require(sheet, DIPLOMAT_PRICE)
        if self.cohort in sheet.diplomats:
            raise IllegalAction("cohort_served", cohort=self.cohort)
        if not FORTS[state.options.campaign].diplomats:
            raise IllegalAction("forbidden_by_campaign")

    def apply(self, state: State, seat: Seat) -> State:
        draft = Draft(state.sheets[seat])
        pay(draft, DIPLOMAT_PRICE)
        draft["diplomats"] += (self.cohort,)
        resolve(draft, VALOUR)
        draft[FAVOUR_FIELD[self.cohort]] += DIPLOMAT_FAVOURS
        return draft.into(state, seat)
