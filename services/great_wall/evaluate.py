"""How well a seat stands, for bots: honour scored, and what will probably become honour."""

from __future__ import annotations

from functools import lru_cache
from math import exp, log
from typing import NamedTuple

from services.gamekit.game import Seat
from services.great_wall.cards.artifacts import ARTIFACTS, Artifact
from services.great_wall.cards.board import SHAME_PENALTY, SHAME_PRICE
from services.great_wall.cards.commands import Command
from services.great_wall.cards.hordes import FACE_OF
from services.great_wall.counting import amount
from services.great_wall.endgame import sheet
from services.great_wall.field import targets
from services.great_wall.fronts import turns_to_come
from services.great_wall.goods import AT, SOLDIERS, Goods, Soldier
from services.great_wall.labour import work
from services.great_wall.outlook import advances, promised
from services.great_wall.state import Clan, State
from services.great_wall.tasks.task import NOTHING, Phase
from services.great_wall.threats import foresee
from services.great_wall.weights import WEIGHTS, Weights

EDGE = 6.0
"""How uncertain it is where the honour marker will end."""

MUCH = 16
"""Building goods, of which more can hardly be used at once."""

LASTING = 2.5
"""Years for which a place in the tea order may be thought to last."""


class Parts(NamedTuple):
    """What makes up a seat's prospects, in honour, and tokens of shame by number."""

    honour: float
    frozen: float
    """Tokens of shame."""
    coming: float
    """Tokens that breaches will probably bring."""
    stores: float
    engine: float
    work: float
    cards: float
    intended: float
    promised: float
    garrison: float
    above: float
    """What the places above it in the tea order are worth."""
    claimed: float
    treasures: float
    conquests: float


def evaluate(state: State, seat: Seat, weights: Weights | None = None) -> float:
    """The seat's prospects less a share of its best rival's honour."""
    w = weights or WEIGHTS[state.seats]
    if state.phase is Phase.OVER:
        return sheet(state, seat).total - w.rival * rival(state, seat)
    return worth(state, seat, w) - w.rival * rival(state, seat)


def rival(state: State, seat: int) -> int:
    """The most honour that somebody else has, as far as it is worth counting in between."""
    reed = state.reed
    return max(
        [safe_honour(clan) for index, clan in enumerate(state.clans) if index not in (seat, reed)]
    )


@lru_cache(maxsize=4096)
def safe_honour(clan: Clan) -> int:
    """What somebody has and keeps."""
    return max(0, clan.honour - SHAME_PENALTY * sum(clan.frozen)) + claimed_honour(clan)


def claimed_honour(clan: Clan) -> int:
    """Honour of claimed hordes without shame."""
    return sum([FACE_OF[claim.card].honour for claim in clan.claimed if not claim.shame])


def worth(state: State, seat: int, w: Weights) -> float:
    """Honour in hand and in sight.

    Shame takes from the honour marker alone, so what will end there counts less once it will
    probably be taken; claimed hordes and artifacts are safe from it.
    """
    it = parts(state, seat, w)
    marker = (
        it.honour
        - SHAME_PENALTY * (it.frozen + it.coming)
        + it.stores
        + it.engine
        + it.work
        + it.cards
        + it.intended
        + it.promised
        + it.garrison
        - it.above
    )
    return kept(marker, w) + it.claimed + it.treasures + it.conquests


def parts(state: State, seat: int, w: Weights) -> Parts:
    """What a seat has, and what that promises, one by one."""
    clan = state.clans[seat]
    turns = turns_to_come(state)
    threat = foresee(state, seat, turns, w)
    left, frozen = threat.left, sum(clan.frozen)
    above, place = state.tea.index(seat), w.tea * min(left, LASTING)
    return Parts(
        clan.honour,
        frozen,
        threat.shame,
        stores(clan.goods, len(clan.tactics), frozen + threat.shame, left, w),
        engine(clan, left, w),
        work(state, clan, turns, advances(state, seat), place if above else 0.0, w),
        w.card * min(3, len(clan.commands)),
        intended(state, clan, w) if clan.chosen else 0.0,
        promised(state, seat, w),
        threat.garrison,
        place * above,
        claimed_honour(clan),
        treasures(state, seat, clan),
        threat.conquests,
    )


def kept(marker: float, w: Weights) -> float:
    """What will be left of a marker that shame pushes down to 0 at most; below it, `w.below` of
    every point counts, as shame may be returned."""
    if marker > 8 * EDGE:
        return marker
    if marker < -8 * EDGE:
        return w.below * marker
    return w.below * marker + (1 - w.below) * EDGE * log(1 + exp(marker / EDGE))


def treasures(state: State, seat: int, clan: Clan) -> float:
    """What the artifacts are worth now."""
    value = 0.0
    for one in state.artifacts:
        if one is Artifact.SEALED_GRANARY:
            value += min(15.0, clan.goods.total() / 2)
        else:
            value += amount(state, seat, ARTIFACTS[one], NOTHING)
    return value


@lru_cache(maxsize=1 << 14)
def stores(goods: Goods, tactics: int, shame: float, left: float, w: Weights) -> float:
    """Goods, each further one worth less; little once they can hardly be used any more.

    `shame`: tokens that chi could return.
    """
    building = goods.wood + goods.stone + goods.gold
    value = w.good * min(building, MUCH) + w.many * max(0, min(building, 30) - MUCH)
    value += w.kind * (min(goods.wood, 2) + min(goods.stone, 2) + min(goods.gold, 2))
    value += w.chi * min(goods.chi, 6) + 0.15 * max(0, min(goods.chi, 14) - 6)
    value += w.tactic * min(tactics, 5)
    value += w.relief * min(goods.chi, SHAME_PRICE * shame) * min(1.0, left)
    return value * min(1.0, 0.6 + 0.4 * left)


def engine(clan: Clan, left: float, w: Weights) -> float:
    """What pays every year: overseers, clerks, advisors."""
    own_clerks = clan.clerks + sum(clan.desks)
    advisors = len(clan.active) + len(clan.supporting)
    return (
        sum(clan.overseers) * (w.overseer_year * left + w.overseer)
        + own_clerks * (w.clerk_year * left + w.clerk)
        + advisors * (w.advisor_year * left + w.advisor)
    )


def intended(state: State, clan: Clan, w: Weights) -> float:
    """What the chosen command card promises before it is resolved."""
    movable = clan.clerks + 0.5 * sum(clan.desks)
    match clan.chosen:
        case Command.DESPOTISM:
            return w.move * min(4.0, movable) + w.advanced
        case Command.WORK_HARDER:
            return w.move * movable
        case Command.ECONOMY:
            return w.move * min(3.0, movable) + w.economy
        case Command.ATTACK_ORDER:
            return w.strike * sallying(state, clan)
        case Command.BETRAYAL:
            return w.betrayal
    return w.move * min(2.0, movable) + w.banners


def sallying(state: State, clan: Clan) -> int:
    """Soldiers that an attack order would find something to do for."""
    count = 0
    for section in state.setup.sections:
        at = AT[section]
        if clan.firing[at] and targets(state, Soldier.ARCHER, section):
            count += clan.firing[at]
        for soldier in SOLDIERS:
            resting = clan.rest[at * len(SOLDIERS) + AT[soldier]]
            if resting and soldier is not Soldier.ARCHER:
                count += min(resting, len(targets(state, soldier, section)))
    return count
