"""The bell, on a real Redis: who watches hears what others publish, and survives its loss."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from services.runtime.bell import Bell
from services.runtime.redis import connect
from tests.servers import Server

SOON = 10.0


@pytest.fixture
async def redis(redis_server: Server) -> AsyncIterator[Any]:
    async with connect(redis_server.database(51)) as client:
        yield client


@pytest.fixture
async def bell(redis: Any) -> AsyncIterator[Bell]:
    one = Bell(redis)
    yield one
    await one.close()


async def heard(event: asyncio.Event) -> None:
    await asyncio.wait_for(event.wait(), SOON)
    event.clear()


async def test_a_new_watcher_is_told_to_look_once_it_is_heard_for_him(bell: Bell) -> None:
    async with bell.on("here") as event:
        await heard(event)  # what came before the subscription was not heard


async def test_a_message_rings_for_its_channel_alone(bell: Bell, redis: Any) -> None:
    async with bell.on("here") as here, bell.on("there") as there:
        await heard(here)
        await heard(there)
        await redis.publish("here", "")
        await heard(here)
        assert not there.is_set()


async def test_what_is_no_news_does_not_ring(bell: Bell, redis: Any) -> None:
    async with bell.on("here", lambda data: int(data) > 3) as event, bell.on("here") as all_of_it:
        await heard(event)
        await redis.publish("here", 3)
        await heard(all_of_it)
        assert not event.is_set()
        await redis.publish("here", 4)
        await heard(event)


async def test_two_watch_one_channel_and_one_stays(bell: Bell, redis: Any) -> None:
    async with bell.on("here") as first:
        async with bell.on("here") as second:
            await heard(first)
            await redis.publish("here", "")
            await heard(second)
        first.clear()
        await redis.publish("here", "")
        await heard(first)


async def test_many_come_and_go_at_once(bell: Bell, redis: Any) -> None:
    async def looks_in(number: int) -> None:
        async with bell.on(f"channel{number % 7}"):
            await redis.ping()

    await asyncio.wait_for(asyncio.gather(*(looks_in(number) for number in range(100))), SOON)
    async with bell.on("channel0") as event:
        while not event.is_set():  # it may still be about to forget the channel
            await redis.publish("channel0", "")
            await asyncio.wait([asyncio.ensure_future(event.wait())], timeout=0.2)


async def test_a_lost_connection_is_made_again_and_watchers_look(bell: Bell, redis: Any) -> None:
    async with bell.on("here") as event:
        await heard(event)
        await redis.execute_command("CLIENT", "KILL", "TYPE", "pubsub")
        await heard(event)  # subscribed anew
        await redis.publish("here", "")
        await heard(event)
