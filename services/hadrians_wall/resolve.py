"""Carrying out effects: a chain of gains runs depth first, in the order printed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, assert_never

from msgspec.structs import replace

from services.gamekit.game import IllegalAction, Seat
from services.hadrians_wall.effects import (
    Choice,
    Choose,
    Effect,
    Favour,
    Guard,
    Join,
    Mark,
    Produce,
    Take,
)
from services.hadrians_wall.goods import Attribute, Citizen, Price
from services.hadrians_wall.state import Sheet, State
from services.hadrians_wall.tracks import (
    ATTRIBUTE_BOXES,
    ATTRIBUTES,
    CITIZEN_BOXES,
    CITIZENS,
    COHORT_BOXES,
    GUARD,
    PRODUCTION_CIRCLES,
)


class Draft(dict[str, Any]):
    """The fields of a sheet that an action changes; the others are read from the sheet."""

    __slots__ = ("sheet",)

    def __init__(self, sheet: Sheet) -> None:
        super().__init__()
        self.sheet = sheet

    def __missing__(self, field: str) -> Any:
        return getattr(self.sheet, field)

    def done(self) -> Sheet:
        """The sheet with the changes."""
        return replace(self.sheet, **self)

    def into(self, state: State, seat: Seat) -> State:
        """`state` with the changed sheet at `seat`."""
        sheets = state.sheets
        sheet = replace(self.sheet, **self)
        return replace(state, sheets=(*sheets[:seat], sheet, *sheets[seat + 1 :]))


def gain(draft: Draft, effects: Iterable[Effect]) -> None:
    """All of `effects`, one after the other."""
    for effect in effects:
        resolve(draft, effect)


def resolve(draft: Draft, effect: Effect) -> None:
    """One effect with all that follows from it."""
    match effect:
        case Take():
            draft[effect.good] += 1
        case Mark():
            mark(draft, effect.attribute)
        case Choose():
            ask(draft, effect.choice)
        case Join():
            join(draft, effect.citizen)
        case Produce():
            draft["production"] = min(len(PRODUCTION_CIRCLES), draft["production"] + 1)
        case Guard():
            draft["guard"] += 1
            gain(draft, GUARD[draft["guard"] - 1])
        case Favour():
            draft["favours"] += 1
        case _:
            assert_never(effect)


def mark(draft: Draft, attribute: Attribute) -> None:
    """The next box of an attribute; beyond the last it is lost."""
    box = draft[attribute] + 1
    if box <= ATTRIBUTE_BOXES:
        draft[attribute] = box
        effect = ATTRIBUTES[attribute].get(box)
        if effect is not None:
            resolve(draft, effect)


def join(draft: Draft, citizen: Citizen) -> None:
    """The next box of a citizen track; beyond the last it is lost."""
    box = draft[citizen] + 1
    if box <= CITIZEN_BOXES:
        draft[citizen] = box
        effect = CITIZENS[citizen].get(box)
        if effect is not None:
            resolve(draft, effect)


OPEN_TO: dict[Choice, tuple[tuple[str, int], ...]] = {
    Choice.COHORT: tuple(
        (field, len(COHORT_BOXES)) for field in ("cohort_left", "cohort_centre", "cohort_right")
    ),
    Choice.SMALL_ROAD: (("piety", ATTRIBUTE_BOXES), ("discipline", ATTRIBUTE_BOXES)),
    Choice.LARGE_ROAD: (("renown", ATTRIBUTE_BOXES), ("valour", ATTRIBUTE_BOXES)),
    Choice.ROAD_INCOME: tuple((attribute.value, ATTRIBUTE_BOXES) for attribute in Attribute),
}
"""What may be chosen: fields of the sheet, each with its last box."""


def answerable(draft: Draft, choice: Choice) -> bool:
    """Whether any of the tracks that a choice is between has a free box."""
    return any(draft[field] < last for field, last in OPEN_TO[choice])


def ask(draft: Draft, choice: Choice) -> None:
    """Put a choice on the agenda; it is lost when all its tracks are full."""
    if answerable(draft, choice):
        draft["agenda"] = (*draft["agenda"], choice)


def answered(draft: Draft) -> None:
    """Take the first choice off the agenda, and those that have become impossible."""
    left = draft["agenda"][1:]
    draft["agenda"] = tuple(choice for choice in left if answerable(draft, choice))


def require(sheet: Sheet, price: Price) -> None:
    """Raise `cannot_afford` unless the goods in hand cover a price."""
    if (
        sheet.resource < price.resource
        or sheet.servant < price.servant
        or sheet.builder < price.builder
        or sheet.civilian < price.civilian
        or sheet.soldier < price.soldier
    ):
        raise IllegalAction("cannot_afford", **dict(price.items()))


def pay(draft: Draft, price: Price) -> None:
    """Return the goods of a price to the supply."""
    for good, count in price.items():
        draft[good] -= count


def receive(draft: Draft, goods: Price) -> None:
    """Take several goods from the supply."""
    for good, count in goods.items():
        draft[good] += count
