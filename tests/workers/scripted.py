"""A host that answers as it is told, for tests of what a worker makes of its answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import grpc

from services.gamekit.chance import Chance
from services.gamekit.game import Action, Game, Seat
from services.gamekit.play import play, settle, start
from services.workers.queues import Turn
from services.workers.turn import Position
from tests.ambush.game import GAME
from vallum.client.errors import VallumCallError

SEAT = Seat(0)
TURN = Turn("ambush", "m1", SEAT, 7)

Answer = Callable[[], int]


def opening() -> Any:
    """A position of Ambush where everybody is asked for orders."""
    options = GAME.Options()
    state, _ = settle(GAME, start(GAME, 3, options), Chance(b"opening"))
    return state


def refused(code: str) -> VallumCallError:
    """A refusal by the rules."""
    return VallumCallError(code, grpc.StatusCode.FAILED_PRECONDITION)


def silent() -> VallumCallError:
    """No answer."""
    return VallumCallError("unavailable", grpc.StatusCode.UNAVAILABLE, answered=False)


class ScriptedHost:
    """One position and a judge: the rules of Ambush, after `errors` have been raised in turn."""

    def __init__(self, policy: str, errors: Sequence[Exception | None] = ()) -> None:
        self.game: Game[Any] = GAME
        self.policy = policy
        self.errors = list(errors)
        self.state = opening()
        self.version = 3
        self.decision_id: int | None = TURN.decision_id
        self.moves_on = False
        """Whether the version grows with every call to `play`."""
        self.played: list[tuple[str, tuple[Action[Any], ...]]] = []
        """(request_id, actions) of what was accepted."""
        self.asked = 0

    def position(self, turn: Turn) -> Position:
        self.asked += 1
        return Position(self.version, self.decision_id, self.state, self.policy, {})

    def play(self, turn: Turn, actions: tuple[Action[Any], ...], request_id: str) -> int:
        self.version += self.moves_on
        error = self.errors.pop(0) if self.errors else None
        if error:
            raise error
        state = self.state
        for action in actions:
            state = play(GAME, state, turn.seat, action)
        self.played.append((request_id, actions))
        return self.version + len(actions)
