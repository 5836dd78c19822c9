"""What follows a plan, if everybody goes on with what is best at once by his own evaluation."""

from __future__ import annotations

from typing import Any

from services.bots.beam import Line
from services.gamekit.chance import Chance
from services.gamekit.game import Game, Seat
from services.gamekit.play import legal, settle


def followed(game: Game[Any], plan: Line, seat: Seat, worlds: list[bytes], moves: int) -> float:
    """What a plan of `seat` is worth when it and what follows have made so many moves: the mean
    over some worlds."""
    more = max(0, moves - plan.length)
    ends = (later(game, plan.state, Chance(world), more) for world in worlds)
    return sum(game.evaluate(end, seat) for end in ends) / len(worlds)


def later(game: Game[Any], state: Any, chance: Chance, moves: int) -> Any:
    """The position after so many moves of whoever is asked."""
    for _ in range(moves):
        state, _ = settle(game, state, chance, deferred=True)
        open_ = game.decisions(state)
        if not open_:
            break
        state = best_next(game, state, open_[0].seat)
    return state


def best_next(game: Game[Any], state: Any, seat: Seat) -> Any:
    """The best position that one move of `seat` leads to, by its evaluation."""
    children = [game.advance(action.apply(state, seat)) for action in legal(game, state, seat)]
    if len(children) == 1:
        return children[0]
    return max(children, key=lambda child: game.evaluate(child, seat))
