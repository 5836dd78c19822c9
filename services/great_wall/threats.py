"""What the hordes threaten and promise, for bots: breaches, soldiers on cards and above them."""

from __future__ import annotations

from math import exp
from typing import NamedTuple

from services.great_wall.cards.board import WALL
from services.great_wall.cards.hordes import FACE_OF, SPOTS
from services.great_wall.field import covered, finished_walls, is_on
from services.great_wall.goods import AT
from services.great_wall.rules.assault import force, held, lethality, power
from services.great_wall.state import FREE, NOBODY, Horde, State
from services.great_wall.tasks.seasons import Commanding, Placing, Turn
from services.great_wall.tasks.task import Phase
from services.great_wall.weights import Weights

NEW_POWER = 3
"""Power that a section will probably have more next year."""


def turns_to_come(state: State) -> float:
    """Turns before the next assault; the one that has begun counts in part."""
    if state.phase is Phase.WINTER:
        return 0.0
    for task in state.stack:
        if isinstance(task, Turn):
            if any(isinstance(one, Commanding | Placing) for one in state.stack):
                break
            left = sum(1 for played in state.track[task.space :] if played)
            return left + (0.5 if state.active != NOBODY else 0.0)
    return float(len(state.clans))


class Front(NamedTuple):
    """A section: its hordes, and the share of each one's spots that is covered."""

    at: int
    rows: tuple[Horde, ...]
    parts: list[float]


def survey(state: State) -> list[Front]:
    """Every open section."""
    found = []
    for section in state.setup.sections:
        at = AT[section]
        rows = state.hordes[at]
        found.append(Front(at, rows, [share_filled(horde) for horde in rows]))
    return found


def share_filled(horde: Horde) -> float:
    """The share of a horde's spots that are covered."""
    return (len(horde.marks) - horde.marks.count(FREE)) / len(SPOTS[horde.card])


def breaches(state: State, fronts: list[Front], w: Weights) -> list[float]:
    """How likely each open section is to fall this year."""
    turns = turns_to_come(state)
    weaken = w.weaken * min(1.0, turns)
    return [
        chance(gap(state, front, weaken) - w.drift * turns, w.spread * turns) for front in fronts
    ]


def gap(state: State, front: Front, weaken: float) -> float:
    """By how much the hordes of a section are stronger, less what wounds will probably do.

    A full horde is as good as defeated.
    """
    alive = [
        (horde.card, part) for horde, part in zip(front.rows, front.parts, strict=True) if part < 1
    ]
    if not alive:
        return -99.0
    cards = tuple([card for card, _ in alive])
    over: float = force(cards) - held(cards, state.walls[front.at], state.barricades[front.at])
    for row, (_, part) in enumerate(alive):
        if part:
            over -= weaken * power(cards, row) * part * part
    return over


def chance(over: float, spread: float) -> float:
    """How likely a gap is to be above 0 in the end."""
    if spread < 0.1:
        return 1.0 if over > 0 else 0.0
    scaled = (over - 0.5) / spread
    if scaled > 20:
        return 1.0
    return 0.0 if scaled < -20 else 1 / (1 + exp(-scaled))


class Threat(NamedTuple):
    """What the winters to come look like to a seat, section by section."""

    state: State
    seat: int
    fronts: list[Front]
    likely: list[float]
    """How likely each section is to fall this year."""
    present: list[int]
    """Hordes that are not full with a soldier of the seat."""
    absent: list[int]
    """Such hordes without one."""
    left: float
    """Years after this one."""


def foresee(state: State, seat: int, w: Weights) -> Threat:
    """How it looks now."""
    fronts = survey(state)
    likely = breaches(state, fronts, w)
    present, absent = [], []
    for _, rows, parts in fronts:
        met = [is_on(horde, seat) for horde, part in zip(rows, parts, strict=True) if part < 1]
        present.append(sum(met))
        absent.append(len(met) - present[-1])
    return Threat(state, seat, fronts, likely, present, absent, horizon(state, likely))


def horizon(state: State, likely: list[float]) -> float:
    """Years after this one, fewer where shame or walls will end the match before."""
    if finished_walls(state) >= state.setup.walls_to_end:
        return 0.0
    left = len(state.setup.years) - state.year
    due = 0.0
    for fall, section in zip(likely, state.setup.sections, strict=True):
        due += fall * len(state.hordes[AT[section]]) * state.seats
    return min(float(left), max(0.0, (state.shame_pool - due) / (due + 1)))


def coming(threat: Threat, w: Weights) -> float:
    """Shame that breaches will probably bring: one for each horde without a soldier of the seat."""
    tokens, walls = 0.0, threat.state.walls
    soon = w.later * min(1.0, threat.left)
    for (at, rows, _), fall, absent in zip(
        threat.fronts, threat.likely, threat.absent, strict=True
    ):
        tokens += w.shame * fall * absent
        if soon and rows:
            cards = tuple([horde.card for horde in rows])
            later = force(cards) + NEW_POWER - WALL[walls[at]].defence
            tokens += soon * chance(later, 2.0) * (absent + 1)
    return tokens


def garrison(threat: Threat, w: Weights) -> float:
    """Archers above the hordes and soldiers at rest, less those that breaches will kill."""
    clan, left = threat.state.clans[threat.seat], threat.left
    value = sum(clan.rest) * w.rest * min(1.0, 0.2 + left)
    archer = w.firing + w.firing_year * left
    for front, fall, present in zip(threat.fronts, threat.likely, threat.present, strict=True):
        value += clan.firing[front.at] * archer * (1 - 0.7 * fall) - w.toll * fall * present
    return value


def conquests(threat: Threat, w: Weights) -> float:
    """What is done on the hordes, and what the seat's soldiers there will bring."""
    value = 0.0
    for _, rows, parts in threat.fronts:
        for horde, part in zip(rows, parts, strict=True):
            if part:
                value += w.wound * part**1.5
                if is_on(horde, threat.seat):
                    value += fight(threat, horde, part, w)
    return value


def fight(threat: Threat, horde: Horde, part: float, w: Weights) -> float:
    """What soldiers on a card promise: sooner or later it falls, and somebody claims it.

    `part`: the share of all spots that are covered.
    """
    counts = [covered(horde, clan) for clan in range(len(threat.state.clans))]
    mine = counts.pop(threat.seat)
    best = max(counts, default=0)
    share = 0.9 if mine > best else 0.5 if mine == best else 0.2
    prize = 2.0 + share * FACE_OF[horde.card].honour
    falls = part * part
    falls += (1 - falls) * w.fight * min(1.0, threat.left)
    lost = 0.8 * min(lethality(threat.state, horde), mine)
    return falls * prize + w.spot * mine - lost * part
