"""Stopping, and the end of the actions (sections 2.4 and 2.5)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from msgspec.structs import replace

from services.gamekit.game import Action, Seat
from services.hadrians_wall.state import Phase, State, with_sheet


class Finish(Action[State], frozen=True):
    """Stop for this year. A piece from a neighbour lets the seat go on."""

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        yield cls()

    def check(self, state: State, seat: Seat) -> None:
        """Always allowed."""

    def apply(self, state: State, seat: Seat) -> State:
        return with_sheet(state, seat, replace(state.sheets[seat], passed=True))


def discard_goods(state: State) -> State:
    """All have stopped: unspent workers and resources go back, and the Picts come."""
    sheets = tuple(
        replace(sheet, soldier=0, builder=0, servant=0, civilian=0, resource=0)
        for sheet in state.sheets
    )
    return replace(state, sheets=sheets, phase=Phase.ATTACK)
