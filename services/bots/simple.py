"""Bots that do not look ahead."""

from __future__ import annotations

from random import Random
from typing import Any

from services.bots.policy import Sequence
from services.gamekit.game import Action, Game, Seat
from services.gamekit.play import legal, open_decision, sample


class Chancer:
    """Plays any legal action. What is legal a seat can see, so nothing need be imagined for it."""

    blind = True

    def choose(self, game: Game[Any], state: Any, seat: Seat, rng: Random) -> Sequence:
        """See Policy."""
        decision = open_decision(game, state, seat)
        assert decision is not None
        return (sample(game, state, decision, rng),)


class Greedy:
    """Plays the action after which the game's evaluation is best."""

    def choose(self, game: Game[Any], state: Any, seat: Seat, rng: Random) -> Sequence:
        """See Policy."""
        best = float("-inf")
        choice: list[Action[Any]] = []
        for action in legal(game, state, seat):
            value = game.evaluate(game.advance(action.apply(state, seat)), seat)
            if value > best:
                best, choice = value, []
            if value == best:
                choice.append(action)
        return (rng.choice(choice),)
