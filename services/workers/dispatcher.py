"""From facts to tasks: every automatic turn that is opened goes into its queue, and every delivery
that is due."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import structlog
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from services.gamekit.game import Seat
from services.runtime.handling import Handlers
from services.workers.claims import Waiting
from services.workers.metrics import TURNS_QUEUED
from services.workers.post import Post
from services.workers.queues import Delivery, Queued, Turn
from vallum.events.v1.events_pb2 import DeliveryDue, Event, TurnOpened

GROUP = "dispatcher"

log = structlog.get_logger(__name__)


class Dispatcher:
    """A consumer of facts; `handlers` says which."""

    def __init__(self, post: Post, waiting: Waiting) -> None:
        self._post = post
        self._waiting = waiting
        self.handlers: Handlers = {
            TurnOpened: (self.queue_turn,),
            DeliveryDue: (self.queue_delivery,),
        }

    async def queue_turn(self, event: Event, fact: TurnOpened) -> None:
        """Queue an automatic turn. While the broker is away nothing is lost: the host announces
        again what nobody has taken."""
        if not fact.automatic:
            return
        turn = turn_of(event, fact)
        if await self._queued(turn, lambda number: self._post.turn(turn, number)):
            TURNS_QUEUED.labels(turn.queue).inc()

    async def queue_delivery(self, _event: Event, fact: DeliveryDue) -> None:
        """Queue a delivery, likewise: the service that keeps it hints at it again."""
        delivery = Delivery(fact.delivery)
        await self._queued(delivery, lambda number: self._post.delivery(delivery, number))

    async def _queued(self, one: Queued, post: Callable[[int], Awaitable[None]]) -> bool:
        """Whether it is queued now and was not before."""
        try:
            number = await self._waiting.enter(one)
            if number:
                await self._posted(one, post(number))
        except (RedisError, OperationalError, OSError) as error:
            log.warning("not_queued", task=one.id, queue=one.queue, error=str(error))
            return False
        return bool(number)

    async def _posted(self, one: Queued, posting: Awaitable[None]) -> None:
        try:
            await posting
        except BaseException:
            await self._waiting.leave(one)
            raise


def turn_of(event: Event, fact: TurnOpened) -> Turn:
    """The turn that was opened."""
    return Turn(
        game=fact.game,
        match_id=event.subject.removeprefix("matches/"),
        seat=Seat(fact.decision.seat),
        decision_id=fact.decision.decision_id,
    )
