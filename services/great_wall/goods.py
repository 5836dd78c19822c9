"""What lies on the table: resources, soldiers, sections, locations."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from services.gamekit.bag import Bag


class Resource(StrEnum):
    """A resource behind a screen."""

    WOOD = "wood"
    STONE = "stone"
    GOLD = "gold"
    CHI = "chi"


class Soldier(StrEnum):
    """A type of soldier."""

    SPEARMAN = "spearman"
    ARCHER = "archer"
    HORSEMAN = "horseman"


class Section(StrEnum):
    """A section of the wall."""

    LEFT = "left"
    CENTRE = "centre"
    RIGHT = "right"


class Location(StrEnum):
    """A location of the board, in board order."""

    LUMBER_MILL = "lumber_mill"
    QUARRY = "quarry"
    GOLD_MINE = "gold_mine"
    TEMPLE = "temple"
    BUILDERS_ENCAMPMENT = "builders_encampment"
    BARRACKS = "barracks"
    LOGISTICS_CENTER = "logistics_center"
    WAR_ACADEMY = "war_academy"
    TEA_HOUSE = "tea_house"
    EMPERORS_EMBASSY = "emperors_embassy"
    WAREHOUSE = "warehouse"


class Zone(StrEnum):
    """Where a soldier that may attack stands; recruits stand nowhere yet."""

    RECRUIT = "recruit"
    REST = "rest"
    FIRING = "firing"


class Work(StrEnum):
    """What is built or hired."""

    BARRICADE = "barricade"
    WALL = "wall"
    CLERK = "clerk"
    ADVISOR = "advisor"


class Goods(Bag, frozen=True):
    """Resources of a seat, of the warehouse, of a price."""

    wood: int = 0
    stone: int = 0
    gold: int = 0
    chi: int = 0

    def of(self, resource: Resource) -> int:
        """How much there is of one resource."""
        return int(getattr(self, resource))


RESOURCES = tuple(Resource)
BUILDING = RESOURCES[:3]
"""What walls and barricades are made of, and what the warehouse holds."""

SOLDIERS = tuple(Soldier)
SECTIONS = tuple(Section)
LOCATIONS = tuple(Location)

AT: dict[str, int] = {
    word: index for words in (SOLDIERS, SECTIONS, LOCATIONS) for index, word in enumerate(words)
}
"""Where a soldier type, a section or a location stands in the tuples that count by it."""

SPEARMAN, ARCHER, HORSEMAN = range(3)

NO_GOODS = Goods()
ONE = {resource: Goods(**{resource: 1}) for resource in Resource}
"""One unit of each resource."""


def mixes(count: int, have: Goods, kinds: tuple[Resource, ...]) -> Iterator[Goods]:
    """Every way to take `count` units of these kinds out of `have`."""
    if not kinds:
        if count == 0:
            yield NO_GOODS
        return
    first, *rest = kinds
    for units in range(min(count, have.of(first)) + 1):
        for others in mixes(count - units, have, tuple(rest)):
            yield others + ONE[first] * units


def added(counts: tuple[int, ...], index: int, units: int) -> tuple[int, ...]:
    """`counts` with `units` more at `index`."""
    return (*counts[:index], counts[index] + units, *counts[index + 1 :])
