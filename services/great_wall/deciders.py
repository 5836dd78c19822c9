"""Who decides for a clan: a seat for itself, the overlord for the neutral clan (R14.2)."""

from __future__ import annotations

from services.gamekit.game import Seat
from services.great_wall.state import NOBODY, State

AUTOMATIC = NOBODY
"""Nobody is asked: the automated general's rules say what is done."""


def top_human(state: State) -> int:
    """The seat whose tea marker is highest."""
    return next(clan for clan in state.tea if clan < state.seats)


def overlord(state: State) -> int:
    """Who decides for the neutral clan: the active clan, in its own turn the top human."""
    if state.active in (NOBODY, state.reed):
        return top_human(state)
    return state.active


def decider(state: State, clan: int) -> int:
    """The seat that decides for a clan, or AUTOMATIC."""
    if clan == state.reed:
        clan = overlord(state)
    return AUTOMATIC if clan >= state.seats else clan


def seat_for(state: State, clan: int) -> Seat:
    """The seat that is asked for a clan; a human orders what is left to the general (R15.4)."""
    seat = decider(state, clan)
    return Seat(top_human(state) if seat == AUTOMATIC else seat)
