"""What the sheets count: workers and resources, attributes, citizens, cohorts.

A member's value is the name of the sheet's field that counts it.
"""

from __future__ import annotations

from enum import StrEnum

from services.gamekit.bag import Bag


class Good(StrEnum):
    """A worker or a resource in hand."""

    SOLDIER = "soldier"
    BUILDER = "builder"
    SERVANT = "servant"
    CIVILIAN = "civilian"
    RESOURCE = "resource"


class Worker(StrEnum):
    """A good that can pay where any worker may."""

    SOLDIER = "soldier"
    BUILDER = "builder"
    SERVANT = "servant"
    CIVILIAN = "civilian"


class Price(Bag, frozen=True):
    """Goods to pay or to gain."""

    soldier: int = 0
    builder: int = 0
    servant: int = 0
    civilian: int = 0
    resource: int = 0


class Attribute(StrEnum):
    """One of the four tracks that score."""

    RENOWN = "renown"
    PIETY = "piety"
    VALOUR = "valour"
    DISCIPLINE = "discipline"


class Citizen(StrEnum):
    """One of the five tracks of citizens."""

    TRADERS = "traders"
    PERFORMERS = "performers"
    PRIESTS = "priests"
    APPARITORES = "apparitores"
    PATRICIANS = "patricians"


class Cohort(StrEnum):
    """A part of the wall that a cohort holds, and the direction of an attack on it."""

    LEFT = "left"
    CENTRE = "centre"
    RIGHT = "right"


COHORT_FIELD = {
    Cohort.LEFT: "cohort_left",
    Cohort.CENTRE: "cohort_centre",
    Cohort.RIGHT: "cohort_right",
}
"""The field of the sheet that counts a cohort's filled boxes."""


class Gladiator(StrEnum):
    """One of the two gladiators of the Ludus."""

    RED = "red"
    BLUE = "blue"


class Difficulty(StrEnum):
    """How many cards attack; one for the whole table."""

    EASY = "easy"
    NORMAL = "normal"
    HARD = "hard"


# Going through a tuple takes a fraction of the time of going through an enum.
EVERY_WORKER = tuple(Worker)
EVERY_CITIZEN = tuple(Citizen)
EVERY_COHORT = tuple(Cohort)
EVERY_GLADIATOR = tuple(Gladiator)
EVERY_ATTRIBUTE = tuple(Attribute)
