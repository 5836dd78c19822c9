"""The sixteen forts of the solo campaign: what each changes, asks and rewards, a line a rule."""

from __future__ import annotations

from enum import StrEnum

from services.gamekit.game import Record
from services.hadrians_wall.buildings import Building
from services.hadrians_wall.goods import Price


class Measure(StrEnum):
    """What a goal or challenge looks at."""

    SCORE = "score"
    PATHS = "paths"
    DISDAIN = "disdain"
    RENOWN = "renown"
    VALOUR = "valour"
    ATTRIBUTES_AT_10 = "attributes_at_10"
    ATTRIBUTES_AT_15 = "attributes_at_15"
    ATTRIBUTES_AT_17 = "attributes_at_17"
    ATTRIBUTES_AT_20 = "attributes_at_20"
    WALL_SECTIONS = "wall_sections"
    WALL_GUARD = "wall_guard"
    DEFENCES_COMPLETE = "defences_complete"
    LARGE_ROAD = "large_road"
    LARGE_LEFT_BUILDINGS = "large_left_buildings"
    CITIZEN_TRACKS = "citizen_tracks"
    BATHS = "baths"
    TEMPLES = "temples"
    GLADIATORS = "gladiators"
    GOODS = "goods"
    MAP_CELLS = "map_cells"
    LANDMARKS = "landmarks"
    FAVOURS_SPENT = "favours_spent"


AT_MOST = frozenset({Measure.DISDAIN, Measure.FAVOURS_SPENT})
"""Measures of which a goal allows no more than it says; of all others it asks for at least that."""

G = tuple[tuple[Measure, int], ...]
"""Goals: what is measured and how much of it is asked."""


class Fort(Record, frozen=True):
    """One fort: the rules that it changes, its goals and challenge, the reward for the next."""

    name: str
    goals: G = ()
    challenge: G = ()
    reward: Price = Price()
    neutral_cards: int = 2
    attack_cards: int = 0
    """Cards that are added to every attack."""
    building_resource: int = 0
    """Resources that buildings cost in addition."""
    mining_servants: int = 1
    first_wall_year: int = 1
    """The first year in which Wall and Cippi may be filled."""
    first_fate_soldiers: int = 0
    """Soldiers that the first fate card must bring, or it is drawn again."""
    forbidden: frozenset[Building] = frozenset()
    landmarks: bool = True
    diplomats: bool = True


CI_RE, SO_CI = Price(civilian=1, resource=1), Price(soldier=1, civilian=1)
CLEAN = ((Measure.DISDAIN, 0),)
M = Measure

FORTS: tuple[Fort, ...] = (
    Fort("No campaign"),
    Fort(
        "Segedunum",
        goals=((M.WALL_SECTIONS, 3), (M.SCORE, 70)),
        challenge=((M.ATTRIBUTES_AT_20, 3),),
        reward=CI_RE,
        neutral_cards=1,
    ),
    Fort(
        "Pons Aelius",
        goals=((M.LARGE_ROAD, 1), (M.SCORE, 70)),
        challenge=CLEAN,
        reward=Price(resource=2),
    ),
    Fort(
        "Condercum",
        goals=((M.CITIZEN_TRACKS, 5), (M.SCORE, 70)),
        challenge=((M.ATTRIBUTES_AT_17, 3),),
        reward=Price(civilian=2),
    ),
    Fort(
        "Vindobala",
        goals=((M.SCORE, 65),),
        challenge=((M.ATTRIBUTES_AT_20, 2),),
        reward=Price(builder=1, resource=1),
        building_resource=1,
    ),
    Fort(
        "Onnum",
        goals=((M.LARGE_LEFT_BUILDINGS, 4), (M.SCORE, 75)),
        challenge=((M.ATTRIBUTES_AT_10, 4),),
        reward=Price(builder=1, civilian=1),
    ),
    Fort(
        "Cilurnum",
        goals=((M.BATHS, 1), (M.VALOUR, 23)),
        challenge=((M.PATHS, 10),),
        reward=SO_CI,
        forbidden=frozenset({Building.THEATRE, Building.LUDUS}),
    ),
    Fort(
        "Brocolitia",
        goals=((M.TEMPLES, 3), (M.SCORE, 65)),
        challenge=((M.RENOWN, 20),),
        reward=Price(servant=1, civilian=1),
        landmarks=False,
    ),
    Fort(
        "Vercovicium",
        goals=((M.GLADIATORS, 12), *CLEAN),
        challenge=((M.FAVOURS_SPENT, 0),),
        reward=SO_CI,
        diplomats=False,
    ),
    Fort(
        "Aesica",
        goals=((M.GOODS, 8), (M.SCORE, 80)),
        challenge=((M.LANDMARKS, 3), (M.RENOWN, 25)),
        reward=CI_RE,
    ),
    Fort(
        "Magnis",
        goals=((M.SCORE, 60),),
        challenge=CLEAN,
        reward=Price(soldier=1, servant=1),
        first_wall_year=3,
        first_fate_soldiers=2,
    ),
    Fort(
        "Banna",
        goals=((M.SCORE, 70),),
        challenge=((M.ATTRIBUTES_AT_15, 3),),
        reward=Price(servant=1, resource=1),
        mining_servants=2,
    ),
    Fort(
        "Camboglanna",
        goals=((M.SCORE, 70), *CLEAN),
        challenge=((M.PATHS, 10),),
        reward=SO_CI,
        attack_cards=1,
    ),
    Fort(
        "Uxelodunum",
        goals=((M.DEFENCES_COMPLETE, 3), (M.SCORE, 80)),
        challenge=((M.PATHS, 12),),
        reward=Price(soldier=1, resource=1),
    ),
    Fort(
        "Aballava",
        goals=((M.MAP_CELLS, 20), (M.SCORE, 75)),
        challenge=CLEAN,
        reward=SO_CI,
        attack_cards=1,
        diplomats=False,
    ),
    Fort(
        "Coggabata",
        goals=CLEAN,
        challenge=((M.SCORE, 50),),
        reward=SO_CI,
        attack_cards=1,
        forbidden=frozenset({Building.LARGE_GRANARY}),
    ),
    Fort(
        "Maia",
        goals=((M.WALL_GUARD, 18), (M.ATTRIBUTES_AT_15, 3)),
        challenge=CLEAN,
        neutral_cards=1,
        attack_cards=1,
        mining_servants=2,
    ),
)
"""The forts by number; 0 is a match that belongs to no campaign."""
