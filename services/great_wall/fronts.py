"""What stands before the wall, for bots: facts that weights have no part in, counted once.

Positions share most of their values, and most moves leave most sections as they are: what is
counted of a section is kept by what it was counted from.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from services.great_wall.cards.board import WALL
from services.great_wall.cards.hordes import SPOTS, HordeCard
from services.great_wall.field import covered, is_on
from services.great_wall.goods import AT
from services.great_wall.rules.assault import force, held, power
from services.great_wall.state import FREE, NOBODY, Horde, State
from services.great_wall.tasks.seasons import Commanding, Placing, Turn
from services.great_wall.tasks.task import Phase

NEW_POWER = 3
"""Power that a section will probably have more next year."""

NO_DANGER = -99
"""The gap of a section without a horde that could break in."""

KEPT = 1 << 14
"""Sections that are remembered."""

BEFORE_TURNS = frozenset({Commanding, Placing})
"""Tasks of a fall whose turns have not begun."""

Rows = tuple[Horde, ...]


class Front(NamedTuple):
    """A section: its hordes, and the share of each one's spots that is covered."""

    at: int
    rows: Rows
    parts: tuple[float, ...]
    gap: int
    """By how much hordes that are not full are stronger than wall and barricades."""
    hurt: float
    """Their power, each by the square of its share: what wounds may take away."""
    next_gap: int
    """By how much the section will probably lack next year, without barricades."""
    done: float
    """The shares, each to the power of 1.5."""


class Fight(NamedTuple):
    """A horde with soldiers of a clan: the spots that it and its best rival cover."""

    card: HordeCard
    part: float
    mine: int
    best: int


class Stand(NamedTuple):
    """A clan in a section: hordes that are not full with and without a soldier of it."""

    present: int
    absent: int
    fights: tuple[Fight, ...]


def survey(state: State) -> list[Front]:
    """Every open section."""
    found = []
    for section in state.setup.sections:
        at = AT[section]
        found.append(front(at, state.hordes[at], state.walls[at], state.barricades[at]))
    return found


@lru_cache(maxsize=KEPT)
def front(at: int, rows: Rows, wall: int, barricades: int) -> Front:
    """A section. A full horde is as good as defeated."""
    parts = tuple([share_filled(horde) for horde in rows])
    alive = [(horde.card, part) for horde, part in zip(rows, parts, strict=True) if part < 1]
    cards = tuple([card for card, _ in alive])
    gap = force(cards) - held(cards, wall, barricades) if alive else NO_DANGER
    hurt = sum(power(cards, row) * part * part for row, (_, part) in enumerate(alive))
    strength = force(tuple([horde.card for horde in rows]))
    next_gap = strength + NEW_POWER - WALL[wall].defence
    return Front(at, rows, parts, gap, hurt, next_gap, sum(part**1.5 for part in parts))


def share_filled(horde: Horde) -> float:
    """The share of a horde's spots that are covered."""
    return (len(horde.marks) - horde.marks.count(FREE)) / len(SPOTS[horde.card])


@lru_cache(maxsize=KEPT)
def stand(rows: Rows, clan: int, clans: int) -> Stand:
    """How a clan stands in a section, where so many clans play."""
    present, absent, fights = 0, 0, []
    for horde in rows:
        part, there = share_filled(horde), is_on(horde, clan)
        if part < 1:
            present += there
            absent += not there
        if there:
            others = [covered(horde, other) for other in range(clans) if other != clan]
            fights.append(Fight(horde.card, part, covered(horde, clan), max(others, default=0)))
    return Stand(present, absent, tuple(fights))


def turns_to_come(state: State) -> float:
    """Turns before the next assault; the one that has begun counts in part."""
    if state.phase is Phase.WINTER:
        return 0.0
    for task in state.stack:
        if type(task) is Turn:
            if not BEFORE_TURNS.isdisjoint(map(type, state.stack)):
                break
            left = sum([1 for played in state.track[task.space :] if played])
            return left + (0.5 if state.active != NOBODY else 0.0)
    return float(len(state.clans))
