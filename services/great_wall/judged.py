"""The game with a judgement of each seat's own, for what learns weights from matches."""

from __future__ import annotations

from collections.abc import Sequence

from services.gamekit.game import Seat
from services.great_wall.evaluate import evaluate
from services.great_wall.game import GreatWall
from services.great_wall.state import State
from services.great_wall.weights import Weights


class Judged(GreatWall):
    """The game, each seat judging by weights of its own."""

    def __init__(self, weights: Sequence[Weights]) -> None:
        self.weights = weights

    def evaluate(self, state: State, seat: Seat) -> float:
        return evaluate(state, seat, self.weights[seat])
