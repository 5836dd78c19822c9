"""Both sheets as tables, a line a box."""

from __future__ import annotations

from services.gamekit.game import Record
from services.hadrians_wall.effects import (
    APPARITOR,
    BUILDER,
    CIVILIAN,
    COHORT,
    DISCIPLINE,
    FAVOUR,
    PATRICIAN,
    PIETY,
    PRIEST,
    PRODUCTION,
    RENOWN,
    RESOURCE,
    SERVANT,
    SOLDIER,
    TRADER,
    VALOUR,
    Effect,
)
from services.hadrians_wall.goods import Attribute, Citizen, Price

Gain = tuple[Effect, ...]

YEARS = 6


def box(*gain: Effect) -> Gain:
    """A box that gives `gain` when it is filled."""
    return gain


# --- The left sheet ----------------------------------------------------------------------------

COHORT_BOXES: tuple[Gain, ...] = (
    box(),
    box(),
    box(DISCIPLINE),
    box(),
    box(VALOUR),
    box(DISCIPLINE),
)

MINING: tuple[Gain, ...] = (
    box(),
    box(PRODUCTION, RESOURCE),
    box(),
    box(),
    # medium granary
    box(PRODUCTION, RESOURCE),
    box(),
    box(),
    box(PRODUCTION, RESOURCE),
    box(),
    # large granary
    box(),
    box(PRODUCTION, RESOURCE),
    box(),
    box(),
    box(PRODUCTION, RESOURCE),
)
MINING_FIELDS = (4, 9, 14)
"""The last box of each field, by the granary that opens it: small, medium, large."""

GUARD: tuple[Gain, ...] = (
    box(COHORT),
    box(DISCIPLINE),
    box(COHORT),
    box(),
    box(DISCIPLINE),
    box(COHORT),
    # medium granary
    box(),
    box(DISCIPLINE),
    box(COHORT),
    box(),
    box(DISCIPLINE),
    box(COHORT),
    # large granary
    box(),
    box(DISCIPLINE),
    box(COHORT),
    box(),
    box(DISCIPLINE),
    box(COHORT),
)
GUARD_FIELDS = (6, 12, 18)

CIPPI: tuple[Gain, ...] = (
    box(),
    box(),
    box(COHORT),
    # medium granary
    box(CIVILIAN),
    box(COHORT),
    # large granary
    box(RENOWN),
    box(COHORT),
)
CIPPI_FIELDS = (3, 5, 7)
CIPPI_FORT = (1, 4, 7, 10, 13, 16, 20)
"""The fort box that each box hangs on."""

WALL: tuple[Gain, ...] = (
    box(CIVILIAN),
    box(),
    box(CIVILIAN),
    box(RENOWN, COHORT),
    box(CIVILIAN),
    box(),
    box(COHORT),
    # medium granary
    box(RENOWN),
    box(CIVILIAN),
    box(),
    box(RENOWN, COHORT),
    box(),
    box(CIVILIAN),
    box(COHORT),
    # large granary
    box(RENOWN),
    box(CIVILIAN),
    box(),
    box(RENOWN, COHORT),
    box(CIVILIAN),
    box(),
    box(COHORT),
)
WALL_FIELDS = (7, 14, 21)

FORT: tuple[Gain, ...] = (
    box(),  # infrastructure 1
    box(),
    box(),  # infrastructure 2
    box(CIVILIAN),
    box(),  # infrastructure 3
    box(CIVILIAN),
    box(DISCIPLINE),
    # medium granary
    box(CIVILIAN),
    box(),  # infrastructure 4
    box(CIVILIAN),
    box(),  # infrastructure 5
    box(CIVILIAN),
    box(),  # infrastructure 6
    box(DISCIPLINE, COHORT),
    # large granary
    box(),  # infrastructure 7
    box(CIVILIAN),
    box(),  # infrastructure 8
    box(CIVILIAN),
    box(),
    box(CIVILIAN),
    box(DISCIPLINE, COHORT),
)
FORT_FIELDS = (7, 14, 21)
INFRASTRUCTURE = (1, 3, 5, 9, 11, 13, 15, 17)
"""The fort box that reaches each level of infrastructure, from level 1."""

PRODUCTION_CIRCLES: tuple[Gain, ...] = (box(),) * 9
TRAINING_BOXES = 5
FORUM_BOXES = 4
DISDAIN_CIRCLES = 15

ATTRIBUTE_BOXES = 25


def attribute(worker: Effect, at_17: Effect, at_21: Effect, at_25: Effect) -> dict[int, Effect]:
    """What the boxes of an attribute give: its own worker seven times, then others' marks."""
    workers = dict.fromkeys((3, 6, 9, 12, 15, 19, 23), worker)
    return {**workers, 17: at_17, 21: at_21, 25: at_25}


ATTRIBUTES: dict[Attribute, dict[int, Effect]] = {
    Attribute.RENOWN: attribute(CIVILIAN, PIETY, DISCIPLINE, VALOUR),
    Attribute.PIETY: attribute(SERVANT, RENOWN, VALOUR, DISCIPLINE),
    Attribute.VALOUR: attribute(SOLDIER, DISCIPLINE, RENOWN, PIETY),
    Attribute.DISCIPLINE: attribute(BUILDER, VALOUR, PIETY, RENOWN),
}

# --- The right sheet ---------------------------------------------------------------------------

CITIZEN_BOXES = 9
CITIZENS: dict[Citizen, dict[int, Effect]] = {
    Citizen.TRADERS: {1: SERVANT, 3: BUILDER, 5: RESOURCE, 7: BUILDER, 8: RENOWN, 9: RESOURCE},
    Citizen.PERFORMERS: {1: BUILDER, 3: SERVANT, 5: SOLDIER, 7: SERVANT, 8: RENOWN, 9: BUILDER},
    Citizen.PRIESTS: {
        1: SERVANT, 3: SERVANT, 4: PIETY, 5: SERVANT, 6: PIETY, 7: SERVANT, 8: PIETY, 9: SERVANT,
    },
    Citizen.APPARITORES: {
        1: BUILDER, 3: SOLDIER, 4: DISCIPLINE, 5: BUILDER, 6: DISCIPLINE, 7: SOLDIER,
        8: DISCIPLINE, 9: BUILDER,
    },
    Citizen.PATRICIANS: {
        1: RESOURCE, 3: SOLDIER, 4: RENOWN, 5: RESOURCE, 6: RENOWN, 7: SOLDIER, 8: RENOWN,
        9: RESOURCE,
    },
}  # fmt: skip
"""What the boxes of each citizen track give; those not listed give nothing."""


class Stall(Record, frozen=True):
    """A box of market, theatre or temples: the citizens' level it needs, and its gain."""

    level: int
    gain: Gain = ()


MARKET: tuple[Stall, ...] = (
    Stall(4),
    Stall(5),
    Stall(5),
    Stall(6),
    Stall(6),
    Stall(7),
    Stall(8, box(SERVANT)),
    Stall(9, box(BUILDER)),
)
NEW_GOOD: tuple[Gain, ...] = (
    box(RENOWN),
    box(RENOWN),
    box(RENOWN),
    box(RENOWN, RENOWN),
    box(RENOWN, RENOWN),
    box(RENOWN, RENOWN, RENOWN),
)
"""What the first, second… distinct good gives."""

THEATRE: tuple[Stall, ...] = (
    Stall(1, box(TRADER)),
    Stall(3, box(DISCIPLINE, SOLDIER)),
    Stall(5, box(PIETY, SERVANT)),
    Stall(6, box(DISCIPLINE, APPARITOR)),
    Stall(8, box(PIETY, PRIEST)),
    Stall(9, box(RENOWN, PATRICIAN)),
)

GLADIATOR_LEVELS = (3, 4, 5, 6, 8, 9)
"""The performers that each circle of a gladiator needs."""
SURVIVAL: tuple[Gain, ...] = (
    box(),
    box(RENOWN),
    box(RENOWN),
    box(RENOWN, RENOWN),
    box(RENOWN, RENOWN),
    box(RENOWN, RENOWN, RESOURCE),
)
"""What a gladiator that lives gains, by the number of its circles."""
DEATH: tuple[Gain, ...] = (
    box(PIETY, PIETY),
    box(PIETY, PIETY),
    box(PIETY),
    box(PIETY),
    box(),
    box(),
)


class Pew(Record, frozen=True):
    """A box of the temples, in the one order in which they are filled."""

    temple: int
    level: int
    gain: Gain


TEMPLES: tuple[Pew, ...] = (
    Pew(1, 1, box()),
    Pew(1, 1, box(PIETY, FAVOUR)),
    Pew(2, 3, box()),
    Pew(2, 3, box(PIETY)),
    Pew(2, 5, box()),
    Pew(2, 5, box(PIETY)),
    Pew(2, 6, box()),
    Pew(2, 6, box(PIETY, FAVOUR)),
    Pew(3, 6, box()),
    Pew(3, 6, box(PIETY)),
    Pew(3, 8, box()),
    Pew(3, 8, box(PIETY)),
    Pew(3, 9, box()),
    Pew(3, 9, box(PIETY, FAVOUR)),
)
TEMPLE_ENDS = (2, 8, 14)
"""The last box of the small, medium and large temple."""


class Pool(Record, frozen=True):
    """A box of the baths: the apparitores it needs and the resources it costs."""

    level: int
    resource: int


BATHS: tuple[Pool, ...] = (
    Pool(3, 1),
    Pool(4, 1),
    Pool(5, 2),
    Pool(6, 2),
    Pool(7, 3),
    Pool(8, 3),
)
BATHS_PER_YEAR = 2


class Court(Record, frozen=True):
    """A column of the courthouse: the apparitores that its boxes need, its price and its gain."""

    levels: tuple[int, int, int]
    price: Price
    gain: Gain


COURTHOUSE: tuple[Court, ...] = (
    Court((4, 5, 6), Price(), box(SERVANT)),
    Court((5, 6, 7), Price(builder=1), box(SERVANT, SERVANT)),
    Court((6, 7, 8), Price(servant=1), box(BUILDER)),
)

DIPLOMAT_LEVELS = (1, 3, 6)
DIPLOMAT_PRICE = Price(soldier=1, servant=1, resource=2)
DIPLOMAT_FAVOURS = 2
SCOUT_LEVELS = (2, 4, 5, 7, 9)

MAP: tuple[Effect | None, ...] = (
    RESOURCE, None, None, None, RESOURCE,
    None, SERVANT, None, SERVANT, None,
    None, None, None, None, None,
    RESOURCE, None, RESOURCE, None, RESOURCE,
)  # fmt: skip
