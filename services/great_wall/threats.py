"""What the hordes threaten and promise, for bots: breaches, soldiers on cards and above them."""

from __future__ import annotations

from math import exp
from typing import NamedTuple

from services.great_wall.cards.board import WALL
from services.great_wall.cards.hordes import FACE_OF, SPOTS
from services.great_wall.field import covered, is_on
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


def coming(  # what is counted once for all
    state: State,
    seat: int,
    fronts: list[Front],
    likely: list[float],
    left: float,
    w: Weights,
) -> float:
    """Shame that breaches will probably bring: one for each horde without a soldier of the seat."""
    tokens = 0.0
    for fall, (at, rows, parts) in zip(likely, fronts, strict=True):
        if rows:
            absent = sum(
                part < 1 and not is_on(horde, seat) for horde, part in zip(rows, parts, strict=True)
            )
            tokens += w.shame * fall * absent
            if left > 0:
                cards = tuple([horde.card for horde in rows])
                later = force(cards) + NEW_POWER - WALL[state.walls[at]].defence
                tokens += w.later * min(1.0, left) * chance(later, 2.0) * (absent + 1)
    return tokens


def garrison(  # what is counted once for all
    state: State,
    seat: int,
    fronts: list[Front],
    likely: list[float],
    left: float,
    w: Weights,
) -> float:
    """Archers above the hordes and soldiers at rest, less those that breaches will kill."""
    clan = state.clans[seat]
    value = sum(clan.rest) * w.rest * min(1.0, 0.2 + left)
    for fall, (at, rows, parts) in zip(likely, fronts, strict=True):
        value += clan.firing[at] * (w.firing + w.firing_year * left) * (1 - 0.7 * fall)
        if fall > 0.02:
            there = sum(
                part < 1 and is_on(horde, seat) for horde, part in zip(rows, parts, strict=True)
            )
            value -= w.toll * fall * there
    return value


def conquests(state: State, seat: int, fronts: list[Front], left: float, w: Weights) -> float:
    """What is done on the hordes, and what the seat's soldiers there will bring."""
    value = 0.0
    for _, rows, parts in fronts:
        for horde, part in zip(rows, parts, strict=True):
            if part:
                value += w.wound * part**1.5
                if is_on(horde, seat):
                    value += fight(state, seat, horde, part, left, w)
    return value


def fight(  # what is counted once for all
    state: State, seat: int, horde: Horde, part: float, left: float, w: Weights
) -> float:
    """What soldiers on a card promise: sooner or later it falls, and somebody claims it.

    `part`: the share of all spots that are covered.
    """
    counts = [covered(horde, clan) for clan in range(len(state.clans))]
    mine = counts.pop(seat)
    best = max(counts, default=0)
    share = 0.9 if mine > best else 0.5 if mine == best else 0.2
    prize = 2.0 + share * FACE_OF[horde.card].honour
    falls = part * part
    falls += (1 - falls) * w.fight * min(1.0, left)
    lost = 0.8 * min(lethality(state, horde), mine)
    return falls * prize + w.spot * mine - lost * part
