from __future__ import annotations

from dataclasses import dataclass

from msgspec.structs import replace
from redis.asyncio import Redis

from services.gamekit.game import NATURE
from services.runtime.bus import Bus
from services.runtime.consumer import Consumer
from services.runtime.handling import Handlers
from services.runtime.redis import connect
from services.runtime.settings import Settings
from services.workers.claims import Waiting
from services.workers.dispatcher import GROUP, Dispatcher
from services.workers.post import Post
from services.workers.queues import BOTS, INVASIONS
from tests.until import until
from vallum.events.v1.events_pb2 import Event, TurnOpened
from vallum.match.v1.match_pb2 import Decision


def opened(seat: int, *, automatic: bool = True, decision_id: int = 1) -> Event:
    decision = Decision(seat=seat, prompt="orders", decision_id=decision_id)
    fact = TurnOpened(game="ambush", decision=decision, automatic=automatic)
    return Event(subject="matches/m1", turn_opened=fact)


@dataclass
class Dispatched:
    """What lies in the queues after some facts were published and handled."""

    redis: Redis
    settings: Settings

    async def after(self, *events: Event) -> dict[str, int]:
        for event in events:
            await Bus(self.redis, self.settings).publish(event)
        handled: list[str] = []
        post = Post(self.settings, "w")
        dispatcher = Dispatcher(post, Waiting(connect(self.settings.broker_url)))

        async def count(event: Event, _: TurnOpened) -> None:
            handled.append(event.id)

        handlers: Handlers = {TurnOpened: (*dispatcher.handlers[TurnOpened], count)}

        async def all_handled() -> bool:
            return len(handled) == len(events)

        async with Consumer(self.redis, self.settings, GROUP, handlers):
            await until(all_handled)
        await post.close()
        return {queue: await self.redis.llen(queue) for queue in (BOTS, INVASIONS)}


async def test_automatic_turns_become_tasks_in_their_queues(
    redis: Redis, settings: Settings
) -> None:
    there = Dispatched(redis, replace(settings, broker_url=settings.redis_url))
    events = opened(0), opened(2), opened(NATURE), opened(1, automatic=False)
    assert await there.after(*events) == {BOTS: 2, INVASIONS: 1}


async def test_a_turn_announced_again_while_it_waits_is_queued_once(
    redis: Redis, settings: Settings
) -> None:
    there = Dispatched(redis, replace(settings, broker_url=settings.redis_url))
    assert await there.after(opened(0), opened(0), opened(0)) == {BOTS: 1, INVASIONS: 0}
    await redis.delete(BOTS)
    assert await there.after(opened(0)) == {BOTS: 1, INVASIONS: 0}


async def test_without_a_broker_facts_are_handled_and_forgotten(
    redis: Redis, settings: Settings
) -> None:
    there = Dispatched(redis, replace(settings, broker_url="redis://127.0.0.1:1/0"))
    assert await there.after(opened(0), opened(1)) == {BOTS: 0, INVASIONS: 0}
