"""From a match to a studio's own server: through the real host, bus, dispatcher and a real Celery
worker."""

from __future__ import annotations

from collections.abc import AsyncIterator
from random import Random
from threading import Event
from typing import NamedTuple

import grpc
import pytest
from msgspec.structs import replace

from services.notices.webhooks.bind import webhooks
from services.notices.webhooks.figures import FIGURES
from services.referee.bind import rules
from services.runtime.app import App
from services.runtime.auth import Caller, Role, Verifier
from services.runtime.redis import connect
from services.runtime.settings import Settings
from services.workers.crew import crew
from services.workers.queues import WEBHOOKS
from tests.ambush.hosted import HOSTED
from tests.notices.hooks import Clerk, receiver
from tests.referee.given import BOTS, KEYS, World, play_on
from tests.servers import Server
from tests.until import until
from vallum.client.webhooks import WebhookEvent
from vallum.notices.v1 import webhooks_pb2 as pb

START_S = 60.0
"""A worker's start, on a machine that has other things to do."""
QUICK = replace(FIGURES, pauses=(100, 100, 100), rest=100, hint=1_000, look=50, at_once=2)

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]


class Platform(NamedTuple):
    """A host, webhooks and a worker that calls them."""

    world: World
    backend: Clerk

    async def hook(self, url: str, *kinds: str) -> tuple[str, str]:
        """A webhook and its secret."""
        made = await self.backend.call("CreateWebhook", url=url, kinds=kinds)
        return made.webhook.name, made.secret

    async def deliveries(self, webhook: str) -> list[pb.Delivery]:
        """What a webhook was told."""
        answer = await self.backend.call("ListDeliveries", webhook=webhook)
        return list(answer.deliveries)

    async def delivered(self, webhook: str, count: int) -> list[pb.Delivery]:
        """What it took in, once that is so much."""

        async def enough() -> bool:
            states = [one.state for one in await self.deliveries(webhook)]
            return states.count(pb.DELIVERY_STATE_DELIVERED) >= count

        await until(enough, START_S)
        return await self.deliveries(webhook)


@pytest.fixture(scope="module")
async def platform(
    redis_server: Server, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Platform]:
    folder = tmp_path_factory.mktemp("platform")
    key_file = folder / "key.pem"
    key_file.write_bytes(KEYS._private_pem())
    settings = Settings(
        redis_url=redis_server.database(60),
        broker_url=redis_server.database(60),
        data_dir=folder,
        key_file=key_file,
        port=0,
        replica="test",
        log_level="warning",
        webhook_allow_private=("127.0.0.0/8",),
    )
    async with connect(settings.redis_url) as redis:
        await redis.flushdb()
    binds = [webhooks([KEYS], QUICK), rules(HOSTED, BOTS)]
    async with (
        App(settings, binds, Verifier(KEYS)) as app,
        crew(replace(settings, port=app.port), [WEBHOOKS]),
        grpc.aio.insecure_channel(app.target) as channel,
    ):
        backend = Clerk(channel, KEYS.mint(Caller("north", "north", Role.TENANT)))
        yield Platform(World(app, channel), backend)


async def test_a_match_is_told_from_its_beginning_to_its_end(platform: Platform) -> None:
    with receiver() as studio:
        webhook, secret = await platform.hook(studio.url)
        match = await platform.world.match("ann", "bob")
        people = platform.world.people("ann", "bob")
        await play_on(platform.world, match, people, Random(7))
        seen: list[WebhookEvent] = []

        async def over() -> bool:
            seen[:] = [one.event(secret) for one in studio.posts]
            return any(one.kind == "match.finished" for one in seen)

        await until(over, START_S)
        ours = [one for one in seen if one.subject == match]
        assert {"match.created", "turn.opened", "match.finished"} <= {one.kind for one in ours}
        (end,) = [one for one in ours if one.kind == "match.finished"]
        places = end.data["match"]["result"]["places"]
        assert sorted(place["seat"] for place in places) == [0, 1]
        turns = [one.data for one in ours if one.kind == "turn.opened"]
        assert {one["player"] for one in turns} <= {"ann", "bob"}
        assert len({one.delivery for one in seen}) == len(seen), "nothing was told twice"
        await platform.backend.call("DeleteWebhook", name=webhook)


async def test_what_a_receiver_refuses_is_sent_again(platform: Platform) -> None:
    with receiver(500, 301) as studio:
        webhook, secret = await platform.hook(studio.url, "match.created")
        await platform.backend.call("TestWebhook", name=webhook)
        (done,) = await platform.delivered(webhook, 1)
        assert (done.attempts, done.status) == (3, 200)
        ids = {post.event(secret).delivery for post in studio.posts}
        assert ids == {done.name.removeprefix("deliveries/")}
        assert len(studio.posts) == 3


async def test_what_nobody_takes_is_given_up_and_can_be_delivered_again(
    platform: Platform,
) -> None:
    with receiver(*[503] * 4) as studio:
        webhook, _ = await platform.hook(studio.url, "match.created")
        delivery = (await platform.backend.call("TestWebhook", name=webhook)).delivery

        async def given_up() -> bool:
            (one,) = await platform.deliveries(webhook)
            return one.state == pb.DELIVERY_STATE_FAILED

        await until(given_up, START_S)
        assert len(studio.posts) == 4
        await platform.backend.call("Redeliver", name=delivery.name)
        (done,) = await platform.delivered(webhook, 1)
        assert done.name == delivery.name


async def test_a_backend_that_hangs_does_not_hold_up_the_others(platform: Platform) -> None:
    with receiver() as stuck, receiver() as studio:
        stuck.hang = Event()
        hanging, _ = await platform.hook(stuck.url, "match.created")
        webhook, _ = await platform.hook(studio.url, "match.created")
        for _ in range(20):
            await platform.backend.call("TestWebhook", name=hanging)
        await stuck.got(1, START_S)
        await platform.backend.call("TestWebhook", name=webhook)
        await studio.got(1, START_S)
        assert len(stuck.posts) <= QUICK.at_once
        for name in (hanging, webhook):
            await platform.backend.call("DeleteWebhook", name=name)


async def test_fifty_deliveries_arrive_once_each(platform: Platform) -> None:
    with receiver() as studio:
        webhook, secret = await platform.hook(studio.url, "match.created")
        for _ in range(50):
            await platform.backend.call("TestWebhook", name=webhook)

        async def all_there() -> bool:
            return len(studio.posts) >= 50

        await until(all_there, 2 * START_S)
        await platform.delivered(webhook, 50)  # of the first page, all
        ids = [post.event(secret).delivery for post in studio.posts]
        assert len(ids) == len(set(ids)) == 50
