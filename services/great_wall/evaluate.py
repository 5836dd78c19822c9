"""How well a seat stands, for bots: honour scored, and what will probably become honour."""

from __future__ import annotations

from services.gamekit.game import Seat
from services.great_wall.cards.board import CLERK_COST, PLACES, SHAME_PENALTY, SHAME_PRICE, WALL
from services.great_wall.cards.commands import Command
from services.great_wall.cards.hordes import FACE_OF, SPOTS
from services.great_wall.cards.tactics import HAND_LIMIT
from services.great_wall.endgame import artifacts, sheet
from services.great_wall.field import is_on, owner
from services.great_wall.goods import AT, LOCATIONS, Location
from services.great_wall.outlook import promised
from services.great_wall.rules.assault import defence, lethality, offence
from services.great_wall.rules.clerks import clerks_in, slots
from services.great_wall.state import WOUND, Clan, Horde, State
from services.great_wall.tasks import Phase
from services.great_wall.weights import WEIGHTS as W

CHOSEN = {
    Command.DESPOTISM: 3.2,
    Command.WORK_HARDER: 2.6,
    Command.ECONOMY: 2.4,
    Command.ATTACK_ORDER: 0.4,
    Command.BETRAYAL: 1.6,
    Command.RAISE_BANNERS: 2.4,
}
"""What a command card promises before it is resolved."""


def evaluate(state: State, seat: Seat) -> float:
    """The seat's prospects less a share of its best rival's honour."""
    if state.phase is Phase.OVER:
        return sheet(state, seat).total - W.rival * rival(state, seat)
    return worth(state, seat) - W.rival * rival(state, seat)


def rival(state: State, seat: int) -> float:
    """The most honour that somebody else has, as far as it is worth counting in between."""
    standing = [
        clan.honour + claimed_honour(clan) - W.shame * sum(clan.frozen)
        for index, clan in enumerate(state.clans)
        if index not in (seat, state.reed)
    ]
    return max(standing)


def claimed_honour(clan: Clan) -> int:
    """Honour of claimed hordes without shame."""
    return sum(FACE_OF[claim.card].honour for claim in clan.claimed if not claim.shame)


def worth(state: State, seat: int) -> float:
    """Honour in hand and in sight."""
    clan = state.clans[seat]
    likely = [
        chance_of_breach(offence(state, section) - defence(state, section))
        for section in state.setup.sections
    ]
    left = horizon(state, likely)
    return (
        standing(clan)
        + claimed_honour(clan)
        + sum(line.points for line in artifacts(state, seat))
        + stores(clan, left)
        + engine(clan, left)
        + work(state, seat, clan)
        + army(state, seat, clan, left)
        - danger(state, seat, clan, likely, left)
        + cards(clan)
        + promised(state, seat)
        - W.tea * state.tea.index(seat)
    )


def standing(clan: Clan) -> float:
    """The honour marker less the penalty for shame; what is below nought hardly counts."""
    value = clan.honour - SHAME_PENALTY * sum(clan.frozen)
    return value if value > 0 else W.below * value


def horizon(state: State, likely: list[float]) -> float:
    """Years after this one, fewer where shame will end the match before."""
    left = len(state.setup.years) - state.year
    due = sum(
        chance * len(state.hordes[AT[section]]) * state.seats
        for chance, section in zip(likely, state.setup.sections, strict=True)
    )
    return min(float(left), max(0.0, (state.shame_pool - due) / (due + 1)))


def stores(clan: Clan, left: float) -> float:
    """Goods, each further one worth less; little once they can hardly be used any more."""
    goods = clan.goods
    building = goods.wood + goods.stone + goods.gold
    value = W.good * min(building, 16) + 0.4 * max(0, min(building, 30) - 16)
    value += W.chi * min(goods.chi, 6) + 0.15 * max(0, min(goods.chi, 14) - 6)
    value += W.tactic * min(len(clan.tactics), 5)
    value += W.relief * min(goods.chi, SHAME_PRICE * sum(clan.frozen)) * min(1.0, left)
    return value * min(1.0, 0.6 + 0.4 * left)


def engine(clan: Clan, left: float) -> float:
    """What pays every year: overseers, clerks, advisors."""
    own_clerks = clan.clerks + sum(clan.desks)
    advisors = len(clan.active) + len(clan.supporting)
    return (
        sum(clan.overseers) * (W.overseer_year * left + W.overseer)
        + own_clerks * (W.clerk_year * left + W.clerk)
        + advisors * (W.advisor_year * left + W.advisor)
    )


def cards(clan: Clan) -> float:
    """Command cards: a choice of some is enough; one that is chosen promises its effect."""
    count = len(clan.commands)
    value = (0.0, 0.8, 1.6, 2.0, 2.3, 2.5, 2.6)[count]
    if clan.chosen:
        value += CHOSEN[clan.chosen]
        if clan.chosen is Command.ATTACK_ORDER:
            value += 1.2 * (sum(clan.rest) + sum(clan.firing))
    return value


def work(state: State, seat: int, clan: Clan) -> float:
    """Clerks at locations: what they will bring, by how sure that is."""
    value = 0.1 * clan.clerks
    for at, count in enumerate(clan.desks):
        if count:
            location = LOCATIONS[at]
            value += sureness(state, seat, location) * harvest(state, clan, location, count)
    return value


def sureness(state: State, seat: int, location: Location) -> float:
    """How likely a location is to activate; alone there, shame is likely as well."""
    most = slots(state, location)
    if most is None:
        return 0.95
    here = clerks_in(state, location)
    alone = here == state.clans[seat].desks[AT[location]] and PLACES[location].shame_icon
    if here >= most:
        return 0.3 if alone else 0.95
    likely = (0.95, 0.75, 0.62, 0.52, 0.45, 0.4)[most - here]
    return likely - 0.1 if alone else likely


def harvest(state: State, clan: Clan, location: Location, clerks: int) -> float:
    """What an activation brings for some clerks."""
    if PLACES[location].resource:
        level = clan.overseers[AT[location]]
        if location is Location.TEMPLE:
            relief = W.relief if any(clan.frozen) else 0.0
            return (W.harvest + relief) * (clerks + level)
        return W.harvest * (clerks + level) + W.donation
    goods = clan.goods
    building = goods.wood + goods.stone + goods.gold + state.warehouse.total()
    if location is Location.BUILDERS_ENCAMPMENT:
        return min(clerks, max(building // 5, 1), building // 2) * build_gain(state, building)
    if location is Location.BARRACKS:
        return W.recruit * min(clerks, goods.total() // 3)
    if location is Location.EMPERORS_EMBASSY:
        return W.hire * min(clerks, goods.gold // CLERK_COST)
    if location is Location.WAR_ACADEMY:
        return W.academy * min(clerks, HAND_LIMIT - len(clan.tactics))
    return 0.5 if location is Location.TEA_HOUSE else 0.02


def build_gain(state: State, building: int) -> float:
    """What the best thing to build brings."""
    open_walls = [state.walls[AT[section]] for section in state.setup.sections]
    levels = [WALL[level + 1] for level in open_walls if level + 1 < len(WALL)]
    gains = [W.wall * level.honour + W.build for level in levels if level.cost <= building]
    return max(gains, default=W.build)


def army(state: State, seat: int, clan: Clan, left: float) -> float:
    """Archers above the hordes, soldiers at rest, and what is done on the hordes."""
    value = sum(clan.firing) * (W.firing + W.firing_year * left) + sum(clan.rest) * W.rest
    for row in state.hordes:
        for horde in row:
            counts = [0] * len(state.clans)
            filled = 0
            for one in horde.marks:
                if one:
                    filled += 1
                    if one > WOUND:
                        counts[owner(one)] += 1
            part = filled / len(SPOTS[horde.card])
            value += W.wound * part**1.5
            if counts[seat]:
                value += fight(state, seat, horde, counts, part)
    return value


def fight(state: State, seat: int, horde: Horde, counts: list[int], part: float) -> float:
    """What soldiers on a card promise: sooner or later it falls, and somebody claims it.

    `counts`: spots that each clan covers; `part`: the share of all spots that are covered.
    """
    mine = counts[seat]
    best = max(count for clan, count in enumerate(counts) if clan != seat)
    share = 0.9 if mine > best else 0.5 if mine == best else 0.2
    prize = 2.0 + share * FACE_OF[horde.card].honour
    lost = 0.8 * min(lethality(state, horde), mine)
    return (W.fight + (1 - W.fight) * part**2) * prize + W.spot * mine - lost * part


def danger(state: State, seat: int, clan: Clan, likely: list[float], left: float) -> float:
    """What breaches will cost: shame for each horde without a soldier of the seat, and the dead."""
    cost = 0.0
    for chance, section in zip(likely, state.setup.sections, strict=True):
        at = AT[section]
        row = state.hordes[at]
        if not row:
            continue
        absent = W.shame * sum(1 for horde in row if not is_on(horde, seat))
        dead = sum(1.0 for horde in row if is_on(horde, seat)) + 1.5 * clan.firing[at]
        later = offence(state, section) + 3 - WALL[state.walls[at]].defence
        cost += W.later * min(1.0, left) * chance_of_breach(later) * (absent + W.shame + dead)
        cost += chance * (absent + dead)
    return cost


def chance_of_breach(gap: int) -> float:
    """How likely a section is to fall whose hordes are so much stronger."""
    return min(1.0, 0.35 + gap / 10) if gap > 0 else 0.0
