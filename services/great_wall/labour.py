"""What clerks at their locations will probably bring, for bots."""

from __future__ import annotations

from functools import lru_cache
from math import pow  # noqa: A004  # of two floats it is a float

from services.great_wall.cards.board import BARRICADE_COST, CLERK_COST, PLACES, PRODUCTION, WALL
from services.great_wall.cards.tactics import HAND_LIMIT
from services.great_wall.field import free_firing
from services.great_wall.goods import AT, LOCATIONS, Goods, Location
from services.great_wall.rules.clerks import clerks_in, slots
from services.great_wall.state import Clan, State
from services.great_wall.weights import Weights

SURE = 0.95


def work(state: State, clan: Clan, turns: float, advances: int, rise: float, w: Weights) -> float:
    """Clerks at locations: what they will bring, by how sure that is; with `advances` advanced
    activations to come, the locations that gain most by one are sure. In each of the `turns` of
    this year that are left all clans may send clerks. `rise`: what a place up in the tea order
    is worth."""
    bustle = 1 / (1 + w.bustle * turns * len(state.clans))
    value = w.idle * clan.clerks
    gains = []
    for at, count in enumerate(clan.desks):
        if count:
            location = LOCATIONS[at]
            brings = harvest(state, clan, location, count, rise, w)
            expected = likely(state, count, location, brings, bustle, w)
            value += expected
            gains.append(brings - expected)
    if advances:
        value += sum(sorted(gains)[-advances:])
    return value


def likely(
    state: State, own: int, location: Location, brings: float, bustle: float, w: Weights
) -> float:
    """What a location with `own` clerks of a seat brings, by how sure it is to activate; alone
    there, shame comes as well. `bustle`: what a free slot counts for, as others may come."""
    most = slots(state, location)
    if most is None:
        return SURE * brings
    here = clerks_in(state, location)
    free = bustle * max(0, most - here)
    if here == own and PLACES[location].shame_icon:
        brings = max(0.2 * brings, brings - w.lonely * pow(w.alone, free))
    return SURE * pow(w.missing, free) * brings


def harvest(
    state: State, clan: Clan, location: Location, clerks: int, rise: float, w: Weights
) -> float:
    """What an activation brings for some clerks."""
    if location in PRODUCTION:
        units = clerks + clan.overseers[AT[location]]
        if location is Location.TEMPLE:
            return (w.harvest + (w.relief if any(clan.frozen) else 0.0)) * units
        return w.harvest * units + w.donation
    if location is Location.BUILDERS_ENCAMPMENT:
        return building(state, clan, clerks, w)
    if location is Location.BARRACKS:
        return w.recruit * min(clerks, recruits(state, clan.goods))
    if location is Location.EMPERORS_EMBASSY:
        return w.hire * min(clerks, clan.goods.gold // CLERK_COST)
    if location is Location.WAR_ACADEMY:
        return w.academy * min(clerks, HAND_LIMIT - len(clan.tactics))
    return rise if location is Location.TEA_HOUSE else 0.02


def stock(state: State, goods: Goods) -> int:
    """Goods that build, the warehouse's among them."""
    there = state.warehouse
    return goods.wood + goods.stone + goods.gold + there.wood + there.stone + there.gold


def recruits(state: State, goods: Goods) -> int:
    """Soldiers that can be paid; an archer needs a Firing spot to be worth it."""
    firing = 0
    if goods.chi > 1 and goods.wood:
        firing = sum([max(0, free_firing(state, AT[one])) for one in state.setup.sections])
    ranks = goods.stone // 2 + goods.gold // 3 + min(firing, goods.chi // 2)
    return min(goods.wood, ranks)


def building(state: State, clan: Clan, clerks: int, w: Weights) -> float:
    """What so many clerks can build of the goods there are, the best first."""
    units = stock(state, clan.goods)
    heights = tuple([state.walls[AT[section]] for section in state.setup.sections])
    honour, works = plans(heights, units, clerks)
    return w.wall * honour + w.build * works


@lru_cache(maxsize=4096)
def plans(heights: tuple[int, ...], units: int, clerks: int) -> tuple[int, int]:
    """The honour of the walls that so many clerks can build, and the works with barricades."""
    levels = [WALL[level + 1] for level in heights if level + 1 < len(WALL)]
    honour, works = 0, 0
    for _ in range(clerks):
        can = [level for level in levels if level.cost <= units]
        if can:
            best = max(can)
            levels.remove(best)
            units -= best.cost
            honour += best.honour
            works += 1
        elif units >= BARRICADE_COST:
            units -= BARRICADE_COST
            works += 1
    return honour, works
