"""What several chapters share: moves that are always possible, and the stages of a turn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from msgspec.structs import replace

from services.altarion.state import Stage, State
from services.gamekit.game import Action, Seat


class Plain(Action[State], frozen=True):
    """A move without fields that is always a legal answer to its question."""

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        yield cls()

    def check(self, state: State, seat: Seat) -> None:
        """Always possible."""


def on_to(state: State, stage: Stage) -> State:
    """The turn in progress goes on to another stage."""
    assert state.turn is not None
    return replace(state, turn=replace(state.turn, stage=stage))
