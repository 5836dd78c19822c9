"""Barricades and wall levels as they stand."""

from __future__ import annotations

from msgspec.structs import replace

from services.great_wall.cards.board import BARRICADE_HONOUR, WALL
from services.great_wall.goods import Work, added
from services.great_wall.state import State, honoured


def stands(state: State, what: Work, section: int, clan: int) -> State:
    """A barricade or a level stands, and earns its printed honour."""
    if what is Work.BARRICADE:
        state = replace(state, barricades=added(state.barricades, section, 1))
        return honoured(state, clan, BARRICADE_HONOUR)
    walls = added(state.walls, section, 1)
    return honoured(replace(state, walls=walls), clan, WALL[walls[section]].honour)
