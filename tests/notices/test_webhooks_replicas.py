"""Several replicas of the service on one database: nothing is told, hinted at or taken twice."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import cycle

import pytest
from msgspec.structs import replace
from redis.asyncio import Redis

from services.notices.webhooks.figures import FIGURES, Figures
from services.runtime.settings import Settings
from tests.notices.hooks import SOON, URL, Desk, Hand, desk, made, turn
from tests.referee.given import Refused
from tests.until import until
from vallum.events.v1 import events_pb2 as ev

FACTS = 15
QUICK = replace(FIGURES, look=20, at_once=10)


async def test_replicas_share_the_work(kept: Settings, redis: Redis) -> None:
    async with replicas_of(kept, redis, QUICK) as replicas:
        first = replicas[0]
        webhook, _ = await made(first)
        for number in range(FACTS):
            await first.bus.publish(scattered(number, 1))
        await first.told(webhook, FACTS)
        done = await emptied(replicas)
        assert sorted(done) == sorted(one.name for one in await first.told(webhook, FACTS))
        hints = Counter(await first.hinted())
        assert set(hints.values()) == {1}, "each was hinted at once"


@asynccontextmanager
async def replicas_of(
    kept: Settings, redis: Redis, figures: Figures = FIGURES
) -> AsyncIterator[list[Desk]]:
    """Three replicas, on one clock."""
    hand = Hand()
    async with AsyncExitStack() as stack:
        yield [
            await stack.enter_async_context(
                desk(replace(kept, replica=name), redis, figures=figures, hand=hand)
            )
            for name in ("one", "two", "three")
        ]


async def test_no_more_are_in_hand_than_may_be_whoever_hints(kept: Settings, redis: Redis) -> None:
    async with replicas_of(kept, redis, replace(FIGURES, look=5)) as replicas:
        first = replicas[0]
        webhook, _ = await made(first)
        for number in range(4 * FACTS):
            await first.bus.publish(scattered(number, 1))
        await first.told(webhook, 4 * FACTS)
        hinted = await first.hinted()
        assert len(hinted) == len(set(hinted)) == FIGURES.at_once


async def test_every_one_of_many_failures_at_once_counts(kept: Settings, redis: Redis) -> None:
    most = 20
    async with replicas_of(kept, redis, replace(FIGURES, at_once=most)) as replicas:
        first = replicas[0]
        webhook, _ = await made(first)
        for number in range(most):
            await first.bus.publish(scattered(number, 1))
        names = [one.name for one in await first.told(webhook, most)]
        taken = [{"name": name, "request_id": name[-8:]} for name in names]
        for one in taken:
            await first.worker.call("TakeDelivery", **one)
        reports = zip(cycle(replicas), taken + taken)  # each is sent twice, as by a worker in doubt
        calls = (there.worker.call("ReportDelivery", **one, status=500) for there, one in reports)
        answers = await asyncio.gather(*calls, return_exceptions=True)
        refused = [one.code for one in answers if isinstance(one, Refused)]
        assert refused == ["delivery_not_held"] * most
        assert (await first.webhook(webhook)).failures == most


async def test_a_tenant_has_no_more_webhooks_than_it_may(kept: Settings, redis: Redis) -> None:
    async with replicas_of(kept, redis, replace(FIGURES, webhooks=5)) as replicas:
        await made(replicas[0])
        calls = [made(there) for there, _ in zip(cycle(replicas), range(9), strict=False)]
        answers = await asyncio.gather(*calls, return_exceptions=True)
        refused = [one.code for one in answers if isinstance(one, Refused)]
        assert refused == ["too_many_webhooks"] * 5


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
