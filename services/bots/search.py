"""The bot that looks ahead: it plans its own actions, then compares the best plans closely."""

from __future__ import annotations

from random import Random
from typing import Any

from services.bots.beam import Beam, Budget, Line
from services.bots.playout import Playouts
from services.bots.policy import Sequence
from services.bots.sequel import followed
from services.gamekit.chance import Chance
from services.gamekit.game import Game, Seat
from services.gamekit.play import nature_due, settle

FINALISTS = 6
"""Plans that are compared closely."""

SAMPLES = 12
"""NATURE's answers that each of them is compared over, the same for all."""

SHORT = 2
"""Actions of a plan that looking ahead does not make better: levels differ by `slips` there."""

PLAYOUTS = 0.2
"""The share of the nodes that playouts may take, where a game has no evaluation of its own."""


class Search:
    """Beam search over the seat's own actions, judged by the game's evaluation.

    `nodes` bounds the positions looked at for one answer, `width` the plans kept at each step.
    `slips` is how often a short plan is taken from the finalists without comparing them.
    Where a game's `late_consequences` say so, finalists are compared after `ahead` moves, the
    plan's own among them, in `worlds` worlds; whoever slips there plays what looks best at once.
    """

    def __init__(
        self, nodes: int, width: int, slips: float = 0.0, ahead: int = 0, worlds: int = 1
    ) -> None:
        self.nodes = nodes
        self.width = width
        self.slips = slips
        self.ahead = ahead
        self.worlds = worlds

    def choose(self, game: Game[Any], state: Any, seat: Seat, rng: Random) -> Sequence:
        """See Policy."""
        plans = Beam(game, seat, self.width, Budget(self.nodes)).plans(state, FINALISTS)
        if len(plans) == 1:
            return plans[0].sequence()
        late = self.ahead > 0 and getattr(game, "late_consequences", False)
        if self.slips and plans[0].length <= SHORT and rng.random() < self.slips:
            return (plans[0] if late else rng.choice(plans)).sequence()
        if late:
            worlds = [rng.randbytes(16) for _ in range(self.worlds)]
            best = max(plans, key=lambda plan: followed(game, plan, seat, worlds, self.ahead))
            return best.sequence()
        if judges_itself(game):
            worlds = [rng.randbytes(16) for _ in range(SAMPLES)]
            return max(plans, key=lambda plan: answered(game, plan, seat, worlds)).sequence()
        budget = Budget(int(self.nodes * PLAYOUTS))
        playouts = Playouts(game, state, seat, rng, budget)
        return playouts.best([plan.sequence() for plan in plans])


def judges_itself(game: Game[Any]) -> bool:
    """Whether a game has an evaluation of its own, which looks beyond the score."""
    return type(game).evaluate is not Game.evaluate


def answered(game: Game[Any], plan: Line, seat: Seat, worlds: list[bytes]) -> float:
    """What a plan is worth once NATURE has answered it: the mean over some worlds.

    Deferred moves of NATURE are left to the evaluation.
    """
    if nature_due(game, plan.state) is None:
        return plan.value
    ends = (settle(game, plan.state, Chance(world))[0] for world in worlds)
    return sum(game.evaluate(end, seat) for end in ends) / len(worlds)
