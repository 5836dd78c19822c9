"""What follows a plan, if everybody goes on with what is best at once by his own evaluation."""

from __future__ import annotations

from collections.abc import Hashable
from heapq import nlargest
from typing import Any, NamedTuple

from services.bots.beam import Line
from services.gamekit.chance import Chance
from services.gamekit.game import Game, Seat
from services.gamekit.play import legal, settle


class Until(NamedTuple):
    """How far a plan is followed: until so many spans have passed since this one; and whether what
    it has come to is judged by `standing_of`."""

    span: Hashable
    spans: int
    reckoned: bool = False


MOST = 200
"""Moves after which a sequel is judged as it stands."""


def best_followed(
    game: Game[Any], plans: list[Line], seat: Seat, worlds: list[bytes], until: Until
) -> Line:
    """The plan of `seat` that is worth most once so many spans have passed: the mean over some
    worlds, in each of which all that the seat does not see is drawn anew.

    Halving, as Karnin, Koren and Somekh have it (2013): the better half of the plans, two at
    least, goes on to the next world.
    """
    racing = [Runner(plan, 0.0) for plan in plans]
    for world in worlds:
        tried = [
            Runner(one.plan, one.worth + followed(game, one.plan, seat, world, until))
            for one in racing
        ]
        racing = nlargest(max(2, (len(tried) + 1) // 2), tried, key=worth_of)
    return racing[0].plan


class Runner(NamedTuple):
    """A plan, and what it came to in the worlds so far, together."""

    plan: Line
    worth: float


def worth_of(one: Runner) -> float:
    """By what plans are compared."""
    return one.worth


def followed(game: Game[Any], plan: Line, seat: Seat, world: bytes, until: Until) -> float:
    """What a plan of `seat` is worth in one world once so many spans have passed."""
    chance = Chance(world)
    end = later(game, game.imagine(plan.state, seat, chance), chance, until)
    return (standing_of if until.reckoned else evaluated)(game, end, seat)


def evaluated(game: Game[Any], state: Any, seat: Seat) -> float:
    """What a position is worth to whoever is to move next."""
    return game.evaluate(state, seat)


def later(game: Game[Any], state: Any, chance: Chance, until: Until) -> Any:
    """The position once so many spans have passed, as those who are asked see them pass."""
    span, left, _ = until
    for _ in range(MOST):
        state, _ = settle(game, state, chance, deferred=True)
        open_ = game.decisions(state)
        if not open_:
            break
        if (now := span_of(game, state)) != span:
            span, left = now, left - 1
            if not left:
                break
        state = best_next(game, state, open_[0].seat)
    return state


def span_of(game: Game[Any], state: Any) -> Hashable:
    """The part of a match that a position belongs to, where a game tells such parts apart: whose
    turn it is in which year, say. None where it does not."""
    tell = getattr(game, "span", None)
    return tell(state) if tell else None


def shows_after(game: Game[Any], state: Any) -> int:
    """Spans after which a game says that a move shows what it is worth; one where it does not."""
    tell = getattr(game, "shows_after", None)
    return tell(state) if tell else 1


def standing_of(game: Game[Any], state: Any, seat: Seat) -> float:
    """What a position is worth once spans have passed, where a game tells that from what guides the
    next move; its evaluation where it does not."""
    tell = getattr(game, "standing", None)
    return tell(state, seat) if tell else game.evaluate(state, seat)


def best_next(game: Game[Any], state: Any, seat: Seat) -> Any:
    """The best position that one move of `seat` leads to, by its evaluation."""
    children = [game.advance(action.apply(state, seat)) for action in legal(game, state, seat)]
    if len(children) == 1:
        return children[0]
    return max(children, key=lambda child: game.evaluate(child, seat))
