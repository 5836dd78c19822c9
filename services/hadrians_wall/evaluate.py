"""How well a seat stands, for bots."""

from __future__ import annotations

from services.gamekit.game import Seat
from services.hadrians_wall.endgame import score_sheet
from services.hadrians_wall.state import State


def evaluate(state: State, seat: Seat) -> float:
    """The seat's score, its own paths included."""
    return float(score_sheet(seat, state.sheets[seat], paths=True).total)
