"""Trying plans out: what may come of them in worlds that look the same to the seat."""

from __future__ import annotations

from random import Random
from typing import Any

from services.bots.beam import Budget
from services.bots.policy import Sequence
from services.gamekit.chance import Chance
from services.gamekit.game import Game, IllegalAction, Seat
from services.gamekit.play import play, sample, settle

HORIZON = 40
"""Moves of people after which a playout is judged as it stands."""

RETURNS = 3
"""Turns of the seat's own after which it is judged as well."""


class Playouts:
    """Random continuations of plans of `seat` from `state`, hidden things imagined anew."""

    def __init__(
        self, game: Game[Any], state: Any, seat: Seat, rng: Random, budget: Budget
    ) -> None:
        self.game = game
        self.state = state
        self.seat = seat
        self.rng = rng
        self.budget = budget
        self._sums: dict[Sequence, tuple[float, int]] = {}

    def best(self, plans: list[Sequence]) -> Sequence:
        """The plan that does best; after each round the worse half of them is out."""
        rounds = max(1, (len(plans) - 1).bit_length())
        share = self.budget.left // rounds
        while len(plans) > 1 and self.budget.left > 0:
            self._try(plans, share)
            order = sorted(plans, key=self._mean, reverse=True)
            plans = order[: (len(order) + 1) // 2]
        return plans[0]

    def _try(self, plans: list[Sequence], nodes: int) -> None:
        """Play each plan out as often as the others, in the same worlds, for so many nodes."""
        least = max(0, self.budget.left - nodes)
        while self.budget.left > least:
            world = self.rng.randbytes(16)
            for plan in plans:
                self._count(plan, self._value(plan, world))

    def _count(self, plan: Sequence, value: float | None) -> None:
        self.budget.spend()
        if value is not None:
            total, times = self._sums.get(plan, (0.0, 0))
            self._sums[plan] = (total + value, times + 1)

    def _mean(self, plan: Sequence) -> float:
        total, times = self._sums.get(plan, (float("-inf"), 1))
        return total / times

    def _value(self, plan: Sequence, world: bytes) -> float | None:
        """One continuation; None where that world refuses the plan."""
        game, chance = self.game, Chance(world)
        state = game.imagine(self.state, self.seat, chance)
        try:
            for action in plan:
                state = play(game, state, self.seat, action)
        except IllegalAction:
            return None
        self.budget.spend(len(plan))
        return game.evaluate(self._continued(state, chance), self.seat)

    def _continued(self, state: Any, chance: Chance) -> Any:
        game, returns = self.game, 0
        for _ in range(HORIZON):
            state, _ = settle(game, state, chance, deferred=True)
            open_ = game.decisions(state)
            if not open_ or returns >= RETURNS:
                break
            decision = self.rng.choice(open_)
            returns += decision.seat == self.seat
            action = sample(game, state, decision, self.rng)
            state = game.advance(action.apply(state, decision.seat))
            self.budget.spend()
        return state
