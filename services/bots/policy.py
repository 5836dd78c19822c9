"""What a bot is: a way to answer from what its seat may see."""

from __future__ import annotations

from random import Random
from typing import Any, Protocol

from services.gamekit.game import NATURE, Action, Game, Seat

LONGEST = 200
"""Actions that a sequence may have: within what the contract takes in one call."""

Sequence = tuple[Action[Any], ...]


class Policy(Protocol):
    """Takes the turns of a seat. It is handed an imagined position and never the true one."""

    def choose(self, game: Game[Any], state: Any, seat: Seat, rng: Random) -> Sequence:
        """One or more actions that `seat` plays in order, all or nothing.

        Deterministic in its arguments; `seat` has an open decision. Nothing follows an action
        that makes a move of NATURE due.
        """
        raise NotImplementedError


def goes_on(game: Game[Any], state: Any, seat: Seat) -> bool:
    """Whether `seat` may add another action to its sequence."""
    asked = [decision.seat for decision in game.decisions(state)]
    return seat in asked and NATURE not in asked


def rng_for(match_id: str, decision_id: int, seat: Seat, attempt: int = 0) -> Random:
    """The randomness of one turn: whoever takes it again draws the same."""
    return Random(f"{match_id}/{decision_id}/{seat}/{attempt}")  # noqa: S311 # play, not secrecy
