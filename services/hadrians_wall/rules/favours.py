"""Favours, spent after the cards of an attack were seen (section 6)."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Self

from msgspec.structs import replace

from services.gamekit.game import Action, IllegalAction, Seat
from services.hadrians_wall.goods import EVERY_COHORT, Cohort
from services.hadrians_wall.resolve import Draft
from services.hadrians_wall.rules.diplomats import FAVOUR_FIELD
from services.hadrians_wall.state import State, with_sheet

INDEX = {cohort: index for index, cohort in enumerate(Cohort)}


class Patron(StrEnum):
    """Whose favour it is: a temple's cancels any card, a diplomat's only those on its cohort."""

    TEMPLE = "temple"
    DIPLOMAT = "diplomat"


def field_of(patron: Patron, cohort: Cohort) -> str:
    """The field of the sheet that counts such favours."""
    return "favours" if patron is Patron.TEMPLE else FAVOUR_FIELD[cohort]


class SpendFavour(Action[State], frozen=True):
    """Cancel one card that got through on a cohort."""

    patron: Patron
    cohort: Cohort

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        return (cls(patron, cohort) for patron in Patron for cohort in EVERY_COHORT)

    def check(self, state: State, seat: Seat) -> None:
        sheet = state.sheets[seat]
        if not sheet.through[INDEX[self.cohort]]:
            raise IllegalAction("nothing_to_cancel", cohort=self.cohort)
        if not getattr(sheet, field_of(self.patron, self.cohort)):
            raise IllegalAction("no_favour", patron=self.patron, cohort=self.cohort)

    def apply(self, state: State, seat: Seat) -> State:
        draft = Draft(state.sheets[seat])
        draft[field_of(self.patron, self.cohort)] -= 1
        draft["favours_spent"] += 1
        spot = INDEX[self.cohort]
        draft["through"] = tuple(
            count - (index == spot) for index, count in enumerate(draft.sheet.through)
        )
        draft["facing"] = any(
            draft["through"][INDEX[cohort]] and (draft["favours"] or draft[FAVOUR_FIELD[cohort]])
            for cohort in EVERY_COHORT
        )
        return draft.into(state, seat)


class FaceAttack(Action[State], frozen=True):
    """Spend no more favours on this attack."""

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        yield cls()

    def check(self, state: State, seat: Seat) -> None:
        """Always allowed."""

    def apply(self, state: State, seat: Seat) -> State:
        return with_sheet(state, seat, replace(state.sheets[seat], facing=False))
