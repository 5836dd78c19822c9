"""Taking a turn: whatever a policy does, the match goes on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import structlog

from services.bots import FALLBACK, Policy
from services.gamekit.game import NATURE, Action, Game
from services.workers import queues
from services.workers.limit import OutOfTime, within
from services.workers.queues import Turn
from services.workers.turn import Position, decide
from vallum.client.errors import VallumCallError

OWN_ATTEMPTS = 2
"""How often the seat's own policy may fail."""
FALLBACK_ATTEMPTS = 6
"""What is legal in an imagined position may be illegal in the true one: then others are tried."""
REPLANS = 8
"""How often a turn is planned anew because the match moved on under it."""

SUPERSEDED = frozenset(
    {
        "stale_decision",
        "game_over",
        "not_your_turn",
        "not_an_automatic_seat",
        "match_not_found",
        "request_id_reused",
    }
)
"""Codes that say: this turn is not open any more, or was taken already."""

log = structlog.get_logger(__name__)


class Host(Protocol):
    """A game's rules service, as GameRules is."""

    game: Game[Any]

    def position(self, turn: Turn) -> Position:
        """What the turn's seat may know."""
        raise NotImplementedError

    def play(self, turn: Turn, actions: tuple[Action[Any], ...], request_id: str) -> int:
        """Take the turn."""
        raise NotImplementedError


class TurnFailed(Exception):
    """Nothing that was tried was accepted; the host will announce the turn again."""


class Superseded(Exception):
    """The turn is not open any more: harmless."""


class PolicyFailed(Exception):
    """The policy raised, took too long, or answered what the rules refuse."""


class Taker:
    """Takes turns: by the seat's policy, tried twice, then by the fallback policy."""

    def __init__(
        self, hosts: Mapping[str, Host], policies: Mapping[str, Policy], think: float
    ) -> None:
        self._hosts = hosts
        self._policies = policies
        self._think = think

    def take(self, turn: Turn, failed: int = 0) -> str:
        """How it went: "played", "fallback" or "superseded".

        `failed` counts attempts that have brought down their process. Raises TurnFailed, and
        VallumCallError where the host does not answer.
        """
        for attempt in range(failed, OWN_ATTEMPTS + FALLBACK_ATTEMPTS):
            fallback = attempt >= OWN_ATTEMPTS and turn.seat != NATURE
            try:
                self._attempt(turn, attempt, fallback=fallback)
            except PolicyFailed as error:
                log.warning(
                    "policy_failed", turn=turn.id, attempt=attempt, exc_info=error.__cause__
                )
            except Superseded as reason:
                log.info("turn_superseded", turn=turn.id, code=str(reason))
                return "superseded"
            else:
                return "fallback" if fallback else "played"
        raise TurnFailed(turn.id)

    def _attempt(self, turn: Turn, attempt: int, *, fallback: bool) -> None:
        """Plan and play, anew as long as only the match's moving on makes it fail."""
        host = self._hosts[turn.game]
        request_id = turn.id + (queues.FALLBACK if fallback else "")
        position = self._position(host, turn)
        for _ in range(REPLANS):
            actions = self._decide(host.game, turn, position, attempt, fallback=fallback)
            try:
                host.play(turn, actions, request_id)
            except VallumCallError as refusal:
                known, position = position, self._after(host, turn, refusal)
                if position.version == known.version:
                    raise PolicyFailed from refusal
                log.info("turn_planned_anew", turn=turn.id, code=refusal.code)
            except Exception as error:  # what it answered cannot even be sent
                raise PolicyFailed from error
            else:
                return
        raise PolicyFailed

    def _decide(
        self,
        game: Game[Any],
        turn: Turn,
        position: Position,
        attempt: int,
        *,
        fallback: bool,
    ) -> tuple[Action[Any], ...]:
        policy = self._policies[FALLBACK]
        if not fallback:
            policy = self._policies.get(position.policy, policy)
        try:
            with within(self._think):
                return decide(game, turn, position, policy, attempt)
        except (Exception, OutOfTime) as error:  # whatever it is: the policy has failed
            raise PolicyFailed from error

    def _after(self, host: Host, turn: Turn, refusal: VallumCallError) -> Position:
        """The position after a refusal. Raises Superseded, or the error of a silent host."""
        if refusal.code in SUPERSEDED:
            raise Superseded(refusal.code) from None
        if refusal.transient:
            raise refusal
        return self._position(host, turn)

    def _position(self, host: Host, turn: Turn) -> Position:
        """Raises Superseded when the question is another one by now."""
        try:
            position = host.position(turn)
        except VallumCallError as refusal:
            if refusal.code in SUPERSEDED:
                raise Superseded(refusal.code) from None
            raise
        if position.decision_id != turn.decision_id:
            raise Superseded("stale_decision")
        return position
