"""Follow-up choices of a gain: which cohort, which attribute (section 3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from services.gamekit.game import Action, IllegalAction, Seat
from services.hadrians_wall.goods import COHORT_FIELD, EVERY_COHORT, Attribute, Cohort
from services.hadrians_wall.resolve import OPEN_TO, Draft, answered, gain, mark
from services.hadrians_wall.state import State
from services.hadrians_wall.tracks import ATTRIBUTE_BOXES, COHORT_BOXES


class ChooseCohort(Action[State], frozen=True):
    """Fill the next box of one of the three cohorts."""

    cohort: Cohort

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        return (cls(cohort) for cohort in EVERY_COHORT)

    def check(self, state: State, seat: Seat) -> None:
        if getattr(state.sheets[seat], COHORT_FIELD[self.cohort]) >= len(COHORT_BOXES):
            raise IllegalAction("track_complete", track=COHORT_FIELD[self.cohort])

    def apply(self, state: State, seat: Seat) -> State:
        draft = Draft(state.sheets[seat])
        field = COHORT_FIELD[self.cohort]
        draft[field] += 1
        gain(draft, COHORT_BOXES[draft[field] - 1])
        answered(draft)
        return draft.into(state, seat)


class ChooseAttribute(Action[State], frozen=True):
    """Mark one of the attributes that a road leads to."""

    attribute: Attribute

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        offered = OPEN_TO[state.sheets[seat].agenda[0]]
        return (cls(Attribute(field)) for field, _ in offered)

    def check(self, state: State, seat: Seat) -> None:
        sheet = state.sheets[seat]
        if all(field != self.attribute for field, _ in OPEN_TO[sheet.agenda[0]]):
            raise IllegalAction("not_offered", attribute=self.attribute)
        if getattr(sheet, self.attribute) >= ATTRIBUTE_BOXES:
            raise IllegalAction("track_complete", track=self.attribute)

    def apply(self, state: State, seat: Seat) -> State:
        draft = Draft(state.sheets[seat])
        mark(draft, self.attribute)
        answered(draft)
        return draft.into(state, seat)
