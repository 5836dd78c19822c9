"""Deciding a turn: from what a worker may know to what is to be played. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from services.bots import Policy, rng_for
from services.gamekit.chance import Dealt
from services.gamekit.game import NATURE, Action, Game
from services.gamekit.play import nature_due
from services.workers.queues import Turn


class Position(NamedTuple):
    """What a worker may know of a match: for a bot what its seat sees, the rest imagined; for
    NATURE the position and the results of the draws that its due move needs."""

    version: int
    decision_id: int | None
    """The number of the seat's open question; None when it has none."""
    state: Any
    policy: str
    draws: Mapping[str, str]


def decide(
    game: Game[Any], turn: Turn, position: Position, policy: Policy, attempt: int
) -> tuple[Action[Any], ...]:
    """What is to be played. A bot draws anew in each `attempt`, the same for the same attempt."""
    if turn.seat == NATURE:
        return (resolved(game, position),)
    rng = rng_for(turn.match_id, turn.decision_id, turn.seat, attempt)
    return policy.choose(game, position.state, turn.seat, rng)


def resolved(game: Game[Any], position: Position) -> Action[Any]:
    """NATURE's due move."""
    kind = nature_due(game, position.state, deferred=True)
    assert kind is not None, "the position says that a move of NATURE is due"
    return kind.resolve(position.state, Dealt(position.draws))
