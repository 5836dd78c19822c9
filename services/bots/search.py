"""The bot that looks ahead: it plans its own actions, then compares the best plans closely."""

from __future__ import annotations

from collections.abc import Hashable
from random import Random
from typing import Any, NamedTuple

from services.bots.beam import Beam, Budget, Line
from services.bots.playout import Playouts
from services.bots.policy import Sequence
from services.bots.sequel import Until, best_followed, shows_after, span_of
from services.gamekit.chance import Chance
from services.gamekit.game import Game, Seat
from services.gamekit.play import nature_due, settle

FINALISTS = 6
"""Plans that are compared closely."""

SAMPLES = 12
"""NATURE's answers that each of them is compared over, the same for all."""

SHORT = 2
"""Actions of a plan that looking ahead does not make better: levels differ by `slips` there."""

DUEL = 2
"""Seats of a match of one against one."""

PLAYOUTS = 0.2
"""The share of the nodes that playouts may take, where a game has no evaluation of its own."""


class Hindsight(NamedTuple):
    """How plans are compared by what follows them, where a game tells `span`s apart: positions
    compare best where the same is over in all of them."""

    spans: int
    """So many have passed by then."""
    finalists: int = FINALISTS
    """Plans that are compared."""
    worlds: int = 1
    """Worlds whose hidden things are drawn anew: all plans are compared in the first, the better
    half in the next, and so on."""
    late: int = 0
    """Worlds for moves that show later what they are worth, as the game says, and are followed
    until then; none: they are taken like others."""
    reckoned: bool = False
    """Compare by the game's `standing`, not by what guides its next move."""
    haste: float = 0.0
    """How often what looks best at once is played instead."""

    def views(self, game: Game[Any], state: Any, span: Hashable) -> tuple[Until, int]:
        """How far plans from a position are followed, and in how many worlds."""
        shown = shows_after(game, state) if self.late else 1
        until = Until(span, max(self.spans, shown), self.reckoned)
        return until, self.late if shown > self.spans else self.worlds


class Search:
    """Beam search over the seat's own actions, judged by the game's evaluation.

    `nodes` bounds the positions looked at for one answer, `width` the plans kept at each step.
    `slips` is how often a short plan is taken from the finalists without comparing them.
    Where a game tells spans apart, `hindsight` says how the best plans are compared, `duel` how
    they are at two seats, if not so too; and `slips` counts for nothing.
    """

    def __init__(
        self,
        nodes: int,
        width: int,
        slips: float = 0.0,
        *,
        hindsight: Hindsight | None = None,
        duel: Hindsight | None = None,
    ) -> None:
        self.nodes = nodes
        self.width = width
        self.slips = slips
        self.hindsight = hindsight
        self.duel = duel or hindsight

    def choose(self, game: Game[Any], state: Any, seat: Seat, rng: Random) -> Sequence:
        """See Policy."""
        span = span_of(game, state)
        hindsight = self._hindsight(game, state) if span is not None else None
        most = hindsight.finalists if hindsight else FINALISTS
        plans = Beam(game, seat, self.width, Budget(self.nodes)).plans(state, most)
        if len(plans) == 1:
            return plans[0].sequence()
        if hindsight:
            if hindsight.haste and rng.random() < hindsight.haste:
                return plans[0].sequence()
            until, many = hindsight.views(game, state, span)
            worlds = [rng.randbytes(16) for _ in range(many)]
            return best_followed(game, plans, seat, worlds, until).sequence()
        if self.slips and plans[0].length <= SHORT and rng.random() < self.slips:
            return rng.choice(plans).sequence()
        if judges_itself(game):
            worlds = [rng.randbytes(16) for _ in range(SAMPLES)]
            return max(plans, key=lambda plan: answered(game, plan, seat, worlds)).sequence()
        budget = Budget(int(self.nodes * PLAYOUTS))
        playouts = Playouts(game, state, seat, rng, budget)
        return playouts.best([plan.sequence() for plan in plans])

    def _hindsight(self, game: Game[Any], state: Any) -> Hindsight | None:
        """The one for so many seats."""
        return self.duel if len(game.score(state)) == DUEL else self.hindsight


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
