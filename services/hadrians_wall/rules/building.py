"""Buildings and landmarks of both sheets (sections 3 and 4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from services.gamekit.game import Action, IllegalAction, Seat
from services.hadrians_wall.buildings import (
    BUILDINGS,
    FAMILIES,
    LANDMARK_LEVEL,
    LANDMARK_PRICE,
    LANDMARKS,
    Building,
    Landmark,
    Plan,
)
from services.hadrians_wall.forts import FORTS
from services.hadrians_wall.goods import Price
from services.hadrians_wall.resolve import Draft, gain, pay, require
from services.hadrians_wall.state import State

PLANS = tuple(
    (family, tuple((building, BUILDINGS[building]) for building in buildings))
    for family, buildings in FAMILIES.items()
)


def price_of(state: State, plan: Plan) -> Price:
    """What a building costs; a fort of the campaign makes all of them dearer."""
    more = FORTS[state.options.campaign].building_resource
    return plan.price + Price(resource=more) if more else plan.price


class Build(Action[State], frozen=True):
    """Build a building; the larger ones of a family need the one before."""

    building: Building

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        sheet = state.sheets[seat]
        if sheet.servant or sheet.resource > 2:
            for family, buildings in PLANS:
                built = getattr(sheet, family)
                if built < len(buildings):
                    building, plan = buildings[built]
                    if getattr(sheet, plan.track) >= plan.level:
                        yield cls(building)

    def check(self, state: State, seat: Seat) -> None:
        sheet = state.sheets[seat]
        plan = BUILDINGS[self.building]
        if getattr(sheet, plan.track) < plan.level:
            code = "needs_infrastructure" if plan.track == "fort" else "needs_citizens"
            raise IllegalAction(code, track=plan.track, level=plan.level)
        built = getattr(sheet, plan.family)
        if built >= plan.size:
            raise IllegalAction("already_built", building=self.building)
        if built < plan.size - 1:
            raise IllegalAction("needs_smaller", building=FAMILIES[plan.family][plan.size - 2])
        require(sheet, price_of(state, plan))
        if self.building in FORTS[state.options.campaign].forbidden:
            raise IllegalAction("forbidden_by_campaign", building=self.building)

    def apply(self, state: State, seat: Seat) -> State:
        draft = Draft(state.sheets[seat])
        plan = BUILDINGS[self.building]
        pay(draft, price_of(state, plan))
        draft[plan.family] = plan.size
        gain(draft, plan.gain)
        return draft.into(state, seat)


class RaiseLandmark(Action[State], frozen=True):
    """Raise one of the four landmarks, once its attribute has reached 15."""

    landmark: Landmark

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        sheet = state.sheets[seat]
        if sheet.builder and sheet.resource > 1:
            for landmark, monument in LANDMARKS.items():
                if getattr(sheet, monument.attribute) >= LANDMARK_LEVEL:
                    yield cls(landmark)

    def check(self, state: State, seat: Seat) -> None:
        sheet = state.sheets[seat]
        needed = LANDMARKS[self.landmark].attribute
        if getattr(sheet, needed) < LANDMARK_LEVEL:
            raise IllegalAction("needs_attribute", attribute=needed, level=LANDMARK_LEVEL)
        if getattr(sheet, self.landmark):
            raise IllegalAction("already_built", landmark=self.landmark)
        require(sheet, LANDMARK_PRICE)
        if not FORTS[state.options.campaign].landmarks:
            raise IllegalAction("forbidden_by_campaign")

    def apply(self, state: State, seat: Seat) -> State:
        draft = Draft(state.sheets[seat])
        pay(draft, LANDMARK_PRICE)
        draft[self.landmark] = 1
        gain(draft, LANDMARKS[self.landmark].gain)
        return draft.into(state, seat)
