"""How a position stands for a seat, for bots."""

from __future__ import annotations

from services.altarion.state import State
from services.gamekit.game import Seat


def evaluate(state: State, seat: Seat) -> float:
    """Larger is better."""
    return float(state.sheets[seat].stock.total())
