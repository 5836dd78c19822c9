"""Streams: every version once and in order, whoever moves and wherever; an explicit end."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import grpc
import pytest
from redis.asyncio import Redis

from services.runtime import bell
from tests.ambush.cards import Tower
from tests.ambush.moves import Fortify
from tests.referee.given import World, play_on, take, world

GATE = Fortify(Tower.GATE)


async def all_of(stream: Any) -> list[Any]:
    return [message async for message in stream]


def versions(messages: list[Any]) -> list[int]:
    return [one.update.version for one in messages if one.HasField("update")]


async def test_a_stream_has_every_version_once_and_ends(here: World) -> None:
    names = ("ann", "bob")
    match = await here.match(*names)
    streams = [asyncio.create_task(all_of(here.person(name).watch(match))) for name in names]
    await play_on(here, match, here.people(*names), Random(3))
    for stream in streams:
        messages = await asyncio.wait_for(stream, 10)
        assert versions(messages) == list(range(1, messages[-1].end.version + 1))
        assert messages[-1].end.result.places


async def test_a_stream_resumes_where_it_was_left(here: World) -> None:
    names = ("ann", "bob")
    match = await here.match(*names)
    await play_on(here, match, here.people(*names), Random(4))
    whole = await all_of(here.person("ann").watch(match))
    for start in (0, 1, 17, whole[-1].end.version):
        rest = await all_of(here.person("ann").watch(match, from_version=start))
        assert rest == whole[start:]


async def test_a_stream_sees_what_another_replica_writes(empty_url: str) -> None:
    names = ("ann", "bob")
    async with world(empty_url, replica="a") as one, world(empty_url, replica="b") as other:
        match = await one.match(*names)
        stream = asyncio.create_task(all_of(other.person("ann").watch(match)))
        await play_on(one, match, one.people(*names), Random(5))
        messages = await asyncio.wait_for(stream, 10)
        assert versions(messages) == list(range(1, messages[-1].end.version + 1))


async def test_silence_is_filled_with_the_last_version(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bell, "HEARTBEAT_S", 0.05)
    match = await here.match("ann", "bob")
    last = (await here.person("ann").call("GetMatch", name=match)).match.version
    stream = here.person("ann").watch(match, from_version=last)
    message = await stream.read()
    assert message.heartbeat.version == last
    stream.cancel()


async def test_a_secret_order_is_blank_to_everyone_else(here: World) -> None:
    match = await here.match("ann", "bob")
    ann, bob = here.people("ann", "bob")
    listed = await ann.call("ListActions", name=match)
    order = next(one for one in listed.actions if one.HasField("place_order"))
    played = await ann.play(match, order)
    seen = {}
    for person in (ann, bob, here.person("eve")):
        stream = person.watch(match, from_version=played.first_version - 1)
        seen[person.caller.subject] = (await stream.read()).update.action
        stream.cancel()
    assert seen["ann"] == order
    assert seen["bob"] == seen["eve"]
    assert seen["bob"].place_order.card == 0


async def test_the_view_comes_with_the_last_update_of_a_batch(here: World) -> None:
    match = await here.match("ann", "bob")
    ann = here.person("ann")
    view = await ann.call("GetView", name=match)
    stream = ann.watch(match, with_view=True)
    batch = [await stream.read() for _ in range(view.version)]
    assert [one.update.HasField("view") for one in batch] == [False] * (view.version - 1) + [True]
    assert batch[-1].update.view == view.view
    stream.cancel()


async def test_a_version_that_never_was_is_refused(here: World) -> None:
    match = await here.match("ann", "bob")
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await all_of(here.person("ann").watch(match, from_version=9999))
    assert refused.value.code() == grpc.StatusCode.INVALID_ARGUMENT


async def test_a_stopping_server_says_so_to_its_streams(empty_url: str) -> None:
    async with world(empty_url) as here:
        match = await here.match("ann", "bob")
        last = (await here.person("ann").call("GetMatch", name=match)).match.version
        stream = here.person("ann").watch(match, from_version=last)
        reading = asyncio.create_task(stream.read())
        await take(here.person("bob"), match, Random(1))
        await reading
        await here.app.stop()
        with pytest.raises(grpc.aio.AioRpcError) as ended:
            await stream.read()
        assert ended.value.code() == grpc.StatusCode.UNAVAILABLE


async def test_a_storage_that_lost_entries_ends_the_stream(
    here: World, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bell, "HEARTBEAT_S", 0.05)
    match = await here.match("ann", "bob")
    ann = here.person("ann")
    saved = await dump(redis)
    await ann.play(match, GATE)
    last = (await ann.call("GetMatch", name=match)).match.version
    stream = ann.watch(match, from_version=last)
    assert (await stream.read()).heartbeat.version == last
    await restore(redis, saved)
    await here.person("bob").play(match, GATE)
    assert await end_of(stream) == grpc.StatusCode.ABORTED


async def end_of(stream: Any) -> grpc.StatusCode:
    """How a stream ends that is read to its end."""
    try:
        while await stream.read() is not grpc.aio.EOF:
            pass
    except grpc.aio.AioRpcError as error:
        return error.code()
    return grpc.StatusCode.OK


async def dump(redis: Redis) -> dict[Any, Any]:
    return {key: await redis.dump(key) for key in await redis.keys("*:match:*")}


async def restore(redis: Redis, saved: dict[Any, Any]) -> None:
    await redis.delete(*await redis.keys("*:match:*"))
    for key, value in saved.items():
        await redis.restore(key, 0, value)
