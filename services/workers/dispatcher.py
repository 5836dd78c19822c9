"""From facts to tasks: every automatic turn that is opened goes into its queue."""

from __future__ import annotations

import structlog
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from services.gamekit.game import Seat
from services.runtime.handling import Handlers
from services.workers.claims import Waiting
from services.workers.metrics import TURNS_QUEUED
from services.workers.post import Post
from services.workers.queues import Turn
from vallum.events.v1.events_pb2 import Event, TurnOpened

GROUP = "dispatcher"

log = structlog.get_logger(__name__)


class Dispatcher:
    """A consumer of facts; `handlers` says which."""

    def __init__(self, post: Post, waiting: Waiting) -> None:
        self._post = post
        self._waiting = waiting
        self.handlers: Handlers = {TurnOpened: (self.queue_turn,)}

    async def queue_turn(self, event: Event, fact: TurnOpened) -> None:
        """Queue an automatic turn. While the broker is away nothing is lost: the host announces
        again what nobody has taken."""
        if not fact.automatic:
            return
        turn = turn_of(event, fact)
        try:
            if number := await self._waiting.enter(turn):
                await self._queue(turn, number)
        except (RedisError, OperationalError, OSError) as error:
            log.warning("turn_not_queued", turn=turn.id, error=str(error))

    async def _queue(self, turn: Turn, number: int) -> None:
        try:
            await self._post.turn(turn, number)
            TURNS_QUEUED.labels(turn.queue).inc()
        except BaseException:
            await self._waiting.leave(turn)
            raise


def turn_of(event: Event, fact: TurnOpened) -> Turn:
    """The turn that was opened."""
    return Turn(
        game=fact.game,
        match_id=event.subject.removeprefix("matches/"),
        seat=Seat(fact.decision.seat),
        decision_id=fact.decision.decision_id,
    )
