"""Clerks of the automated general, and of the neutral clan while he is its overlord (R15.3)."""

from __future__ import annotations

from msgspec.structs import replace

from services.great_wall.cards.board import QIN_MOVES
from services.great_wall.effects import Reach
from services.great_wall.goods import AT, Location
from services.great_wall.rules.clerks import is_full, moved
from services.great_wall.state import State


def move_clerks(state: State, clan: int, count: int, to: Reach) -> State:
    """His clerks go to his lowest entries, the neutral clan's to the lowest without one."""
    used: list[Location] = []
    for _ in range(count):
        if clan == state.reed:
            state = reed_move(state, used if to is Reach.DISTINCT else [])
        else:
            state = lowest_move(state, [])
    return state


def frame_moves(state: State) -> State:
    """In others' turns two clerks, to two different entries from the lowest up (R15.3)."""
    used: list[Location] = []
    for _ in range(QIN_MOVES):
        state = lowest_move(state, used)
    return state


def lowest_move(state: State, used: list[Location]) -> State:
    """A clerk goes to the lowest entry with a free slot that is not yet used."""
    for target in reversed(state.location_track):
        if target not in used and not is_full(state, target):
            origin = origin_of(state, target)
            if origin is not target:
                used.append(target)
                return moved(state, state.qin, origin, target)
            return state
    return state


def origin_of(state: State, target: Location) -> Location | None:
    """His pool (None), else his highest location that is not full; `target`: no clerk to move."""
    general = state.clans[state.qin]
    if general.clerks:
        return None
    for location in state.location_track:
        if location is target:
            break
        if general.desks[AT[location]] and not is_full(state, location):
            return location
    return target


def reed_move(state: State, used: list[Location]) -> State:
    """A clerk of the neutral clan goes to the lowest entry without one, from a location that
    is no entry or a higher one (R15.7)."""
    desks = state.clans[state.reed].desks
    entries = state.location_track
    starts = [*(one for one in Location if one not in entries), *entries]
    for target in reversed(entries):
        if desks[AT[target]] or target in used or is_full(state, target):
            continue
        for origin in starts:
            if origin is target:
                break
            if desks[AT[origin]] and not is_full(state, origin):
                used.append(target)
                return moved(state, state.reed, origin, target)
    return state


def raised(state: State, location: Location) -> State:
    """An entry goes to the highest place of his location track."""
    others = [one for one in state.location_track if one is not location]
    return replace(state, location_track=(location, *others))
