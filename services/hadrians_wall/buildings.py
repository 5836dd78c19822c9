"""What is built once, on both sheets: buildings and landmarks, a line each."""

from __future__ import annotations

from enum import StrEnum

from services.gamekit.game import Record
from services.hadrians_wall.effects import (
    APPARITOR,
    BUILDER,
    CIVILIAN,
    DISCIPLINE,
    PATRICIAN,
    PERFORMER,
    PIETY,
    PIETY_OR_DISCIPLINE,
    PRIEST,
    PRODUCTION,
    RENOWN,
    RENOWN_OR_VALOUR,
    RESOURCE,
    TRADER,
    VALOUR,
)
from services.hadrians_wall.goods import Attribute, Price
from services.hadrians_wall.tracks import INFRASTRUCTURE, Gain, box


class Building(StrEnum):
    """Something that is built once."""

    MEDIUM_GRANARY = "medium_granary"
    LARGE_GRANARY = "large_granary"
    SMALL_HOTEL = "small_hotel"
    LARGE_HOTEL = "large_hotel"
    SMALL_WORKSHOP = "small_workshop"
    LARGE_WORKSHOP = "large_workshop"
    SMALL_ROAD = "small_road"
    LARGE_ROAD = "large_road"
    SMALL_PRECINCT = "small_precinct"
    MEDIUM_PRECINCT = "medium_precinct"
    LARGE_PRECINCT = "large_precinct"
    MARKET = "market"
    THEATRE = "theatre"
    LUDUS = "ludus"
    SMALL_GARDENS = "small_gardens"
    LARGE_GARDENS = "large_gardens"
    SMALL_TEMPLE = "small_temple"
    MEDIUM_TEMPLE = "medium_temple"
    LARGE_TEMPLE = "large_temple"
    BATHS = "baths"
    COURTHOUSE = "courthouse"


class Plan(Record, frozen=True):
    """A building: the `size`th of its family, once `track` has reached `level`."""

    family: str
    size: int
    track: str
    level: int
    price: Price
    gain: Gain


INFRA = (0, *INFRASTRUCTURE)
P = Price
PLAIN = P(servant=1, builder=1, resource=1)
SOLID = P(servant=1, builder=1, resource=2)
GRAND = P(servant=2, builder=1, resource=2)
GUESTS = (TRADER, PERFORMER, PRIEST)
B = Building

BUILDINGS: dict[Building, Plan] = {
    B.MEDIUM_GRANARY: Plan("granary", 1, "fort", INFRA[1], PLAIN, box()),
    B.LARGE_GRANARY: Plan("granary", 2, "fort", INFRA[5], SOLID, box(RENOWN)),
    B.SMALL_HOTEL: Plan("hotel", 1, "fort", INFRA[2], PLAIN, box(CIVILIAN)),
    B.LARGE_HOTEL: Plan("hotel", 2, "fort", INFRA[6], SOLID, box(RENOWN, CIVILIAN)),
    B.SMALL_WORKSHOP: Plan("workshop", 1, "fort", INFRA[3], P(resource=3), box(BUILDER)),
    B.LARGE_WORKSHOP: Plan("workshop", 2, "fort", INFRA[7], P(resource=4), box(RENOWN, BUILDER)),
    B.SMALL_ROAD: Plan(
        "road", 1, "fort", INFRA[4], P(servant=2, builder=1, resource=1), box(PIETY_OR_DISCIPLINE)
    ),
    B.LARGE_ROAD: Plan("road", 2, "fort", INFRA[8], GRAND, box(RENOWN_OR_VALOUR)),
    B.SMALL_PRECINCT: Plan(
        "precinct", 1, "traders", 3, P(servant=1, civilian=1), box(PIETY, PRODUCTION, RESOURCE)
    ),
    B.MEDIUM_PRECINCT: Plan(
        "precinct", 2, "traders", 6, P(servant=1, civilian=2), box(DISCIPLINE, PRODUCTION, RESOURCE)
    ),
    B.LARGE_PRECINCT: Plan(
        "precinct", 3, "traders", 9, P(servant=1, civilian=3), box(RENOWN, PRODUCTION, RESOURCE)
    ),
    B.MARKET: Plan("market", 1, "traders", 4, SOLID, box(RENOWN)),
    B.THEATRE: Plan("theatre", 1, "performers", 1, PLAIN, box(RENOWN)),
    B.LUDUS: Plan("ludus", 1, "performers", 3, GRAND, box(RENOWN)),
    B.SMALL_GARDENS: Plan("gardens", 1, "priests", 4, PLAIN, box(PIETY, *GUESTS)),
    B.LARGE_GARDENS: Plan(
        "gardens", 2, "priests", 7, SOLID, box(PIETY, *GUESTS, APPARITOR, PATRICIAN)
    ),
    B.SMALL_TEMPLE: Plan("temples", 1, "priests", 1, PLAIN, box(PIETY)),
    B.MEDIUM_TEMPLE: Plan("temples", 2, "priests", 3, SOLID, box(PIETY)),
    B.LARGE_TEMPLE: Plan("temples", 3, "priests", 6, GRAND, box(PIETY)),
    B.BATHS: Plan("baths", 1, "apparitores", 3, GRAND, box(RENOWN)),
    B.COURTHOUSE: Plan("courthouse", 1, "apparitores", 4, GRAND, box(RENOWN)),
}
"""Every building, smaller ones of a family first."""

FAMILIES: dict[str, tuple[Building, ...]] = {
    family: tuple(one for one, plan in BUILDINGS.items() if plan.family == family)
    for family in dict.fromkeys(plan.family for plan in BUILDINGS.values())
}
"""The sheet's field that counts a family's buildings -> the buildings in order of size."""


class Landmark(StrEnum):
    """Something that is built once an attribute has reached 15."""

    ARCHWAY = "archway"
    MONOLITH = "monolith"
    COLUMN = "column"
    STATUE = "statue"


class Monument(Record, frozen=True):
    """A landmark: the attribute that it needs and its gain."""

    attribute: Attribute
    gain: Gain


LANDMARKS: dict[Landmark, Monument] = {
    Landmark.ARCHWAY: Monument(Attribute.RENOWN, box(VALOUR, VALOUR)),
    Landmark.MONOLITH: Monument(Attribute.PIETY, box(DISCIPLINE, DISCIPLINE)),
    Landmark.COLUMN: Monument(Attribute.VALOUR, box(PIETY, PIETY)),
    Landmark.STATUE: Monument(Attribute.DISCIPLINE, box(RENOWN, RENOWN)),
}
LANDMARK_LEVEL = 15
LANDMARK_PRICE = Price(builder=1, resource=2)
