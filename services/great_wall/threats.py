"""What the hordes threaten and promise, for bots: breaches, soldiers on cards and above them."""

from __future__ import annotations

from functools import lru_cache
from math import exp
from typing import NamedTuple

from services.great_wall.cards.board import SETUPS, TOP_LEVEL
from services.great_wall.cards.hordes import FACE_OF
from services.great_wall.fronts import (
    KEPT,
    Fight,
    Front,
    Rows,
    Stand,
    front,
    stand,
)
from services.great_wall.goods import AT
from services.great_wall.rules.assault import deadly
from services.great_wall.state import State
from services.great_wall.weights import Weights


class War(NamedTuple):
    """All of a position that a seat's view of the winters to come depends on."""

    seat: int
    seats: int
    clans: int
    year: int
    turns: float
    """Turns before the next assault."""
    shame_pool: int
    hordes: tuple[Rows, ...]
    walls: tuple[int, ...]
    barricades: tuple[int, ...]
    firing: tuple[int, ...]
    rest: int
    """Soldiers of the seat at rest."""


class Sector(NamedTuple):
    """A section as a seat sees it."""

    front: Front
    fall: float
    """How likely it is to fall this year."""
    stand: Stand


class Threat(NamedTuple):
    """What the winters to come look like to a seat."""

    shame: float
    """Tokens that breaches will probably bring."""
    left: float
    """Years after this one."""
    garrison: float
    conquests: float


def foresee(state: State, seat: int, turns: float, w: Weights) -> Threat:
    """How it looks now, so many turns before the assault."""
    clan = state.clans[seat]
    return foreseen(
        War(
            seat,
            state.seats,
            len(state.clans),
            state.year,
            turns,
            state.shame_pool,
            state.hordes,
            state.walls,
            state.barricades,
            clan.firing,
            sum(clan.rest),
        ),
        w,
    )


@lru_cache(maxsize=KEPT)
def foreseen(war: War, w: Weights) -> Threat:
    """`foresee`, remembered: most moves change nothing of this."""
    sections = [AT[section] for section in SETUPS[war.seats].sections]
    fronts = [front(at, war.hordes[at], war.walls[at], war.barricades[at]) for at in sections]
    sectors = [
        Sector(one, fall, stand(one.rows, war.seat, war.clans))
        for one, fall in zip(fronts, breaches(fronts, war.turns, w), strict=True)
    ]
    left = horizon(war, sectors)
    return Threat(
        coming(sectors, left, w),
        left,
        garrison(war, sectors, left, w),
        conquests(war, sectors, left, w),
    )


def breaches(fronts: list[Front], turns: float, w: Weights) -> list[float]:
    """How likely each section is to fall this year, so many turns before the assault."""
    weaken = w.weaken * min(1.0, turns)
    drift, spread = w.drift * turns, w.spread * turns
    return [chance(one.gap - weaken * one.hurt - drift, spread) for one in fronts]


def chance(over: float, spread: float) -> float:
    """How likely a gap is to be above 0 in the end."""
    if spread < 0.1:
        return 1.0 if over > 0 else 0.0
    scaled = (over - 0.5) / spread
    if scaled > 20:
        return 1.0
    return 0.0 if scaled < -20 else 1 / (1 + exp(-scaled))


def horizon(war: War, sectors: list[Sector]) -> float:
    """Years after this one, fewer where shame or walls will end the match before."""
    setup = SETUPS[war.seats]
    if war.walls.count(TOP_LEVEL) >= setup.walls_to_end:
        return 0.0
    left = len(setup.years) - war.year
    due = 0.0
    for one in sectors:
        due += one.fall * len(one.front.rows) * war.seats
    return min(float(left), max(0.0, (war.shame_pool - due) / (due + 1)))


def coming(sectors: list[Sector], left: float, w: Weights) -> float:
    """Shame that breaches will probably bring: one for each horde without a soldier of the seat."""
    tokens = 0.0
    soon = w.later * min(1.0, left)
    for one in sectors:
        tokens += w.shame * one.fall * one.stand.absent
        if soon and one.front.rows:
            tokens += soon * chance(one.front.next_gap, 2.0) * (one.stand.absent + 1)
    return tokens


def garrison(war: War, sectors: list[Sector], left: float, w: Weights) -> float:
    """Archers above the hordes and soldiers at rest, less those that breaches will kill."""
    value = war.rest * w.rest * min(1.0, 0.2 + left)
    archer = w.firing + w.firing_year * left
    for one in sectors:
        value += war.firing[one.front.at] * archer * (1 - 0.7 * one.fall)
        value -= w.toll * one.fall * one.stand.present
    return value


def conquests(war: War, sectors: list[Sector], left: float, w: Weights) -> float:
    """What is done on the hordes, and what the seat's soldiers there will bring."""
    printed = SETUPS[war.seats].years[war.year - 1].lethality
    value = 0.0
    for one in sectors:
        value += w.wound * one.front.done
        for soldiers in one.stand.fights:
            value += fight(soldiers, printed, left, w)
    return value


def fight(one: Fight, printed: int, left: float, w: Weights) -> float:
    """What soldiers on a card promise: sooner or later it falls, and somebody claims it."""
    part, mine = one.part, one.mine
    share = 0.9 if mine > one.best else 0.5 if mine == one.best else 0.2
    prize = 2.0 + share * FACE_OF[one.card].honour
    falls = part * part
    falls += (1 - falls) * w.fight * min(1.0, left)
    lost = 0.8 * min(deadly(one.card, printed), mine)
    return falls * prize + w.spot * mine - lost * part
