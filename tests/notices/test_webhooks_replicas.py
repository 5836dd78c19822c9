"""Several replicas of the service on one database: nothing is told, hinted at or taken twice."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import AsyncExitStack

import pytest
from msgspec.structs import replace
from redis.asyncio import Redis

from services.notices.webhooks.figures import FIGURES
from services.runtime.settings import Settings
from tests.notices.hooks import SOON, URL, Desk, Hand, desk, turn
from tests.referee.given import Refused
from tests.until import until
from vallum.events.v1 import events_pb2 as ev

FACTS = 15
QUICK = replace(FIGURES, look=20, at_once=10)


async def test_replicas_share_the_work(kept: Settings, redis: Redis) -> None:
    hand = Hand()
    async with AsyncExitStack() as stack:
        replicas = [
            await stack.enter_async_context(
                desk(replace(kept, replica=name), redis, figures=QUICK, hand=hand)
            )
            for name in ("one", "two", "three")
        ]
        first = replicas[0]
        made = await first.backend().call("CreateWebhook", url=URL, kinds=["turn.opened"])
        for number in range(FACTS):
            event = turn(number + 1)
            event.subject = f"matches/m{number}"  # of any partition
            await first.bus.publish(event)
        await first.told(made.webhook.name, FACTS)
        done = await emptied(replicas)
        assert sorted(done) == sorted(
            one.name for one in await first.told(made.webhook.name, FACTS)
        )
        hints = Counter(await first.hinted())
        assert set(hints.values()) == {1}, "each was hinted at once"


async def emptied(replicas: list[Desk]) -> list[str]:
    """Workers of every replica race for what is hinted at; who has got what, until nothing is
    left."""
    done: list[str] = []

    async def race() -> bool:
        names = {f"deliveries/{id_}" for id_ in await replicas[0].hinted()} - set(done)
        for name in names:
            won = await asyncio.gather(*(won_by(one, name) for one in replicas))
            assert won.count(True) == 1, "one worker takes it"
            done.append(name)
        return len(done) == FACTS

    await until(race, SOON)
    return done


async def won_by(replica: Desk, name: str) -> bool:
    """Whether a worker of this replica has got a delivery, and delivered it."""
    attempt = f"attempt-{id(replica)}"
    try:
        await replica.worker.call("TakeDelivery", name=name, request_id=attempt)
    except Refused as error:
        if error.code not in ("delivery_in_hand", "delivery_over"):
            raise
        return False
    await asyncio.sleep(0.01)  # the others ask meanwhile
    await replica.worker.call("ReportDelivery", name=name, request_id=attempt, status=200)
    return True


async def test_a_new_webhook_is_told_of_all_that_follows_by_every_replica(
    kept: Settings, redis: Redis
) -> None:
    async with (
        desk(replace(kept, replica="one"), redis) as one,
        desk(replace(kept, replica="two"), redis),
    ):
        asked = {"url": URL, "kinds": ["turn.opened"]}
        earlier = (await one.backend().call("CreateWebhook", **asked)).webhook.name
        await said(one, 1, earlier)  # both replicas know by now what the tenant has
        later = (await one.backend().call("CreateWebhook", **asked)).webhook.name
        await said(one, 2, later)


async def said(there: Desk, round_: int, webhook: str) -> None:
    """Publish facts of every partition, and see that a webhook is told of all of them."""
    facts = [scattered(number, round_) for number in range(FACTS)]
    for fact in facts:
        await there.bus.publish(fact)
    told = {delivery.event for delivery in await there.told(webhook, FACTS)}
    assert told == {fact.id for fact in facts}


def scattered(number: int, round_: int) -> ev.Event:
    """A fact of any partition."""
    event = turn(number + 1)
    event.id, event.subject = f"m{number}/{round_}", f"matches/m{number}"
    return event


@pytest.mark.parametrize("requests", [8])
async def test_of_many_requests_with_one_id_one_has_an_effect(
    kept: Settings, redis: Redis, requests: int
) -> None:
    async with desk(kept, redis) as there:
        asked = {"url": URL, "request_id": "same"}
        calls = (there.backend().call("CreateWebhook", **asked) for _ in range(requests))
        answers = await asyncio.gather(*calls)
        assert len({one.webhook.name for one in answers}) == 1
        assert len([one for one in answers if one.secret]) == 1
