"""Soldiers of the automated general (R15.5): where they stand is never his choice."""

from __future__ import annotations

from msgspec.structs import replace

from services.great_wall.cards.board import QIN_WOUND_HONOUR
from services.great_wall.cards.hordes import QIN_SPOTS, SPEAR_SPOTS
from services.great_wall.field import (
    free_firing,
    free_spots,
    mark,
    to_firing,
    with_horde,
    with_marks,
)
from services.great_wall.goods import ARCHER, AT, SPEARMAN, Section, Soldier, added
from services.great_wall.state import WOUND, Horde, State, honoured, with_clan


def indicated(state: State) -> list[int]:
    """The indicated section, then the others from left to right."""
    sections = [AT[section] for section in state.setup.sections]
    first = AT[state.indicator] if state.indicator else sections[0]
    return [first, *(one for one in sections if one != first)]


def wound_honour(state: State) -> State:
    """Honour for a wound of any kind that he deals."""
    return honoured(state, state.qin, QIN_WOUND_HONOUR)


def recruited(state: State, clan: int, soldier: Soldier) -> State:
    """A soldier for nothing, where the indicator says; where there is no place, none."""
    if not state.clans[clan].pool[AT[soldier]]:
        return state
    if soldier is Soldier.ARCHER:
        return archer(state)
    for section in indicated(state):
        rows = state.hordes[section]
        spot = first_spot(rows[0], spear=True) if rows else None
        if spot is not None:
            state = from_pool(state, clan, SPEARMAN)
            horde = with_marks(rows[0], (spot,), mark(clan, SPEARMAN))
            state = with_horde(state, section, 0, horde)
            return wound_honour(state) if clan == state.qin else state
    return state


def from_pool(state: State, clan: int, soldier: int) -> State:
    """A soldier leaves the pool."""
    one = state.clans[clan]
    return with_clan(state, clan, replace(one, pool=added(one.pool, soldier, -1)))


def first_spot(horde: Horde, *, spear: bool) -> int | None:
    """The first free spot, column by column."""
    legal = SPEAR_SPOTS[horde.card] if spear else QIN_SPOTS[horde.card]
    return next(
        (spot for spot in QIN_SPOTS[horde.card] if spot in legal and not horde.marks[spot]), None
    )


def archer(state: State) -> State:
    """An archer takes a Firing spot of the indicated section, and shoots."""
    section = indicated(state)[0]
    if free_firing(state, section) < 1:
        return state
    state = to_firing(from_pool(state, state.qin, ARCHER), state.qin, section)
    return one_shot(state, section)


def shot(state: State, section: Section) -> State:
    """His archers in a section shoot."""
    for _ in range(state.clans[state.qin].firing[AT[section]]):
        state = one_shot(state, AT[section])
    return state


def one_shot(state: State, section: int) -> State:
    """A wound on the nearest horde with a free spot."""
    for row, horde in enumerate(state.hordes[section]):
        if free_spots(horde):
            spot = first_spot(horde, spear=False)
            assert spot is not None
            state = with_horde(state, section, row, with_marks(horde, (spot,), WOUND))
            return wound_honour(state)
    return state
