"""Numbers of the board: setups by player count, years, walls, locations, costs."""

from __future__ import annotations

from typing import NamedTuple

from services.gamekit.game import Record
from services.great_wall.amounts import Counter, n, per
from services.great_wall.effects import (
    Build,
    Choose,
    DrawTactics,
    Effects,
    Hire,
    MoveSoldiers,
    MoveTea,
    Recruit,
)
from services.great_wall.goods import (
    BUILDING,
    SECTIONS,
    Goods,
    Location,
    Resource,
    Section,
    Soldier,
    Work,
)


class Year(NamedTuple):
    """A year of the time track."""

    new_hordes: int
    lethality: int


class Setup(NamedTuple):
    """What the number of players decides."""

    large: bool
    sections: tuple[Section, ...]
    shame_pool: int
    initial_hordes: int
    barricades: int
    years: tuple[Year, ...]
    walls_to_end: int
    neutral_clan: bool = False
    automated_general: bool = False


def years(new_hordes: str, lethality: str) -> tuple[Year, ...]:
    """A time track, a digit a year."""
    return tuple(Year(int(new), int(kill)) for new, kill in zip(new_hordes, lethality, strict=True))


SMALL = years("012222", "111223")
LARGE = years("03335", "11223")

SETUPS = {
    1: Setup(False, SECTIONS[1:], 10, 2, 6, SMALL, 2, neutral_clan=True, automated_general=True),
    2: Setup(False, SECTIONS[1:], 20, 2, 6, SMALL, 2, neutral_clan=True),
    3: Setup(False, SECTIONS, 30, 3, 9, SMALL, 2),
    4: Setup(True, SECTIONS, 40, 4, 9, LARGE, 3),
}


class Level(NamedTuple):
    """A level of a wall; cost and honour are for building it."""

    defence: int
    firing_spots: int
    cost: int = 0
    honour: int = 0


WALL = (Level(0, 0), Level(3, 1, 5, 5), Level(6, 2, 10, 10), Level(9, 4, 15, 15))
TOP_LEVEL = 3
BARRICADE_COST = 2
BARRICADE_HONOUR = 2
BARRICADE_DEFENCE = 2
BARRICADES_PER_SECTION = 3
HORDE_ROWS = 3
SPACES = 4
"""Of the command track."""
TRACK = 4
"""Advisors face up."""
ARTIFACTS_IN_PLAY = 3
SHAME_SLOTS = 2
"""Of a claimed horde."""
SHAME_PENALTY = 5
SHAME_PRICE = 2
"""Chi that returns a token in summer."""
SAVE_PRICE = 2
"""Chi that saves a soldier."""
DONATION_HONOUR = 2
DISCARD_HONOUR = 2
DEFEAT_HONOUR = 2
TOP_OVERSEER = 3

CLERKS, RESERVE = 5, 3
SPEARMEN, ARCHERS, HORSEMEN = 10, 4, 2
MOST_CLERKS = CLERKS + RESERVE
CLERK_COST = 2

SOLDIER_COST = {
    Soldier.SPEARMAN: Goods(stone=2, wood=1),
    Soldier.ARCHER: Goods(chi=2, wood=1),
    Soldier.HORSEMAN: Goods(gold=3, wood=1),
}

REED_START = (Location.LUMBER_MILL, Location.QUARRY, Location.GOLD_MINE)
REED_SPEARMEN = 10

QIN_SOLDIERS = (8, 4, 0)
QIN_CLERKS = 8
QIN_TRACK = (
    Location.LUMBER_MILL,
    Location.QUARRY,
    Location.GOLD_MINE,
    Location.TEMPLE,
    Location.BARRACKS,
)
QIN_ADVISORS = 2
QIN_WOUND_HONOUR = 2
QIN_ARTIFACT_HONOUR = 20
QIN_MOVES = 2


class Place(Record, frozen=True):
    """A location: no slots: a special one. `each` happens once a clerk, `together` once."""

    slots: tuple[int, int] | None = None
    """On the small and on the large board."""
    shame_icon: bool = False
    resource: Resource | None = None
    overseer_cost: tuple[Goods, ...] = ()
    each: Effects = ()
    together: Effects = ()


def production(resource: Resource, slots: tuple[int, int], paid_in: Resource, least: int) -> Place:
    """A production location; its overseer's levels cost `least`, one more, two more."""
    prices = tuple(Goods(**{paid_in: least + more}) for more in range(TOP_OVERSEER))
    return Place(slots, True, resource, prices)


def either(what: Work, other: Work) -> Choose:
    """Builds or hires one of two things."""
    if what is Work.BARRICADE:
        return Choose(((Build(what, n(1)),), (Build(other, n(1)),)))
    return Choose(((Hire(what, n(1)),), (Hire(other, n(1)),)))


PLACES = {
    Location.LUMBER_MILL: production(Resource.WOOD, (4, 5), Resource.CHI, 2),
    Location.QUARRY: production(Resource.STONE, (4, 5), Resource.WOOD, 2),
    Location.GOLD_MINE: production(Resource.GOLD, (4, 4), Resource.STONE, 2),
    Location.TEMPLE: production(Resource.CHI, (3, 4), Resource.GOLD, 3),
    Location.BUILDERS_ENCAMPMENT: Place(each=(either(Work.BARRICADE, Work.WALL),)),
    Location.BARRACKS: Place((3, 4), True, together=(Recruit(per(Counter.CLERKS_HERE)),)),
    Location.LOGISTICS_CENTER: Place(each=(MoveSoldiers(n(1)),)),
    Location.WAR_ACADEMY: Place(together=(DrawTactics(per(Counter.CLERKS_HERE)),)),
    Location.TEA_HOUSE: Place((2, 2), together=(MoveTea(1),)),
    Location.EMPERORS_EMBASSY: Place(each=(either(Work.CLERK, Work.ADVISOR),)),
}

PRODUCTION = tuple(place for place in PLACES if PLACES[place].resource)
"""Where overseers stand, in the order of a seat's overseers."""

RESOURCE_AT = {place: one.resource for place, one in PLACES.items() if one.resource}

assert tuple(RESOURCE_AT.values()) == (*BUILDING, Resource.CHI)
