"""The bot that looks ahead: it plans its own actions, then tries the best plans out."""

from __future__ import annotations

from random import Random
from typing import Any

from services.bots.beam import Beam, Budget, Line
from services.bots.playout import Playouts
from services.bots.policy import Sequence
from services.gamekit.game import Game, Seat

FINALISTS = 6
"""Plans that are tried out."""

PLANNED = 4
"""A plan of more actions than this was thought through: the game's evaluation judges it."""


class Search:
    """Beam search over the seat's own actions; short plans are compared by playouts too.

    `nodes` bounds the positions looked at for one answer, `width` the plans kept at each step.
    """

    def __init__(self, nodes: int, width: int) -> None:
        self.nodes = nodes
        self.width = width

    def choose(self, game: Game[Any], state: Any, seat: Seat, rng: Random) -> Sequence:
        """See Policy."""
        budget = Budget(self.nodes)
        plans = Beam(game, seat, self.width, budget).plans(state, rng, FINALISTS)
        if len(plans) > 1 and plans[0].length <= PLANNED:
            return self._tried(game, state, seat, rng, budget, plans)
        return plans[0].sequence()

    def _tried(
        self,
        game: Game[Any],
        state: Any,
        seat: Seat,
        rng: Random,
        budget: Budget,
        plans: list[Line],
    ) -> Sequence:
        """The plan that does best in imagined continuations; half of the plans go each time."""
        playouts = Playouts(game, state, seat, rng, budget)
        sequences = [plan.sequence() for plan in plans]
        rounds = max(1, (len(sequences) - 1).bit_length())
        share = budget.left // rounds
        while len(sequences) > 1 and budget.left > 0:
            means = playouts.means(sequences, share)
            order = sorted(range(len(sequences)), key=lambda index: -means[index])
            sequences = [sequences[index] for index in order[: (len(order) + 1) // 2]]
        return sequences[0]
