"""Tea order (R0.1, R7.8)."""

from __future__ import annotations

from msgspec.structs import replace

from services.great_wall.state import State


def moved_up(state: State, clan: int, steps: int) -> State:
    """A marker moves up by `steps`, or to the top (0)."""
    place = state.tea.index(clan)
    target = max(0, place - steps) if steps else 0
    others = [one for one in state.tea if one != clan]
    return replace(state, tea=(*others[:target], clan, *others[target:]))


def in_order(state: State, clans: list[int] | range) -> list[int]:
    """These clans from the top marker down."""
    return [clan for clan in state.tea if clan in clans]


def humans(state: State) -> list[int]:
    """The seats in tea order."""
    return [clan for clan in state.tea if clan < state.seats]
