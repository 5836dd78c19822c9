"""Whatever dies between a fact and its receiver: it is told, under one id."""

from __future__ import annotations

import os
import signal
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from threading import Event
from typing import NamedTuple

import grpc
import pytest

from services.runtime.auth import Caller, Keys, Role
from services.runtime.bus import Bus
from services.runtime.redis import connect
from services.runtime.settings import Settings
from tests.faults.processes import Storage
from tests.notices.hooks import Clerk, receiver, turn
from tests.served import READY_S, Served
from tests.until import until
from vallum.notices.v1 import webhooks_pb2 as pb

TOLD_S = 180.0
"""A lease, a start of a worker, and a retry or two, on a machine that has other things to do."""


class Scene(NamedTuple):
    """The notices service and a crew of workers, each a process of its own."""

    notices: Served
    workers: Served
    storage: Storage
    settings: Settings
    backend: Clerk

    async def say(self, number: int) -> None:
        """A fact."""
        async with connect(self.settings.redis_url) as redis:
            await Bus(redis, self.settings).publish(turn(number))

    def kill_workers(self) -> None:
        """SIGKILL of the Celery worker and all its processes, not of who keeps it."""
        for process in self.workers.children():
            if os.getpgid(process.pid) == process.pid:
                os.killpg(process.pid, signal.SIGKILL)

    async def delivered(self, webhook: str, count: int) -> list[pb.Delivery]:
        """What a webhook has taken in, once that is so much."""
        found: list[pb.Delivery] = []

        async def enough() -> bool:
            answer = await self.backend.call("ListDeliveries", webhook=webhook, page_size=200)
            found[:] = answer.deliveries
            states = [one.state for one in found]
            return states.count(pb.DELIVERY_STATE_DELIVERED) >= count

        await until(enough, TOLD_S)
        return found


@asynccontextmanager
async def scene(folder: Path) -> AsyncIterator[Scene]:
    """Start everything; end it by the handles it was started with."""
    storage, keys = Storage(folder / "redis"), Keys.ensure(folder / "key.pem")
    storage.server.start()
    broker_url = storage.server.url.removesuffix("0") + "1"
    known = {
        "redis_url": storage.server.url,
        "broker_url": broker_url,
        "key_file": folder / "key.pem",
        "data_dir": folder,
        "webhook_allow_private": "127.0.0.0/8",
        "bus_idle": 2,
    }
    notices = Served("notices", **known, replica="notices")
    workers = Served(
        "workers", "--queue", "webhooks", **known, replica="w", notices_target=notices.target
    )
    async with AsyncExitStack() as stack:
        stack.callback(storage.server.stop)
        for process in (notices, workers):
            stack.callback(process.stop)
            process.start()
        await notices.listening()
        channel = grpc.aio.insecure_channel(
            notices.target, [("grpc.max_reconnect_backoff_ms", 500)]
        )
        await stack.enter_async_context(channel)
        backend = Clerk(channel, keys.mint(Caller("north", "north", Role.TENANT), 3600))
        settings = Settings(redis_url=storage.server.url, broker_url=broker_url)
        there = Scene(notices, workers, storage, settings, backend)
        await consumes(broker_url)
        yield there


async def consumes(broker_url: str) -> None:
    """Wait until the worker has begun its first task."""
    async with connect(broker_url) as broker:

        async def begun() -> bool:
            return bool(await broker.keys("worker:w-*:begun"))

        await until(begun, READY_S)


@pytest.mark.faults
@pytest.mark.timeout(600)
async def test_what_a_killed_worker_had_in_hand_is_delivered_again(tmp_path: Path) -> None:
    async with scene(tmp_path) as there:
        with receiver() as studio:
            studio.hang = Event()
            made = await there.backend.call("CreateWebhook", url=studio.url, kinds=["turn.opened"])
            await there.say(1)
            await studio.got(1, TOLD_S)
            there.kill_workers()
            studio.hang.set()
            studio.hang = None
            (done,) = await there.delivered(made.webhook.name, 1)
            assert done.attempts == 2
            assert len(studio.posts) == 2
            ids = {post.event(made.secret).delivery for post in studio.posts}
            assert ids == {done.name.removeprefix("deliveries/")}, "and under the same id"


@pytest.mark.faults
@pytest.mark.timeout(600)
async def test_what_happened_while_everything_died_is_told_once_it_is_back(tmp_path: Path) -> None:
    async with scene(tmp_path) as there:
        with receiver() as studio:
            made = await there.backend.call("CreateWebhook", url=studio.url, kinds=["turn.opened"])
            there.notices.kill()
            for number in range(1, 11):
                await there.say(number)
            there.kill_workers()
            async with connect(there.settings.broker_url) as broker:
                await broker.flushdb()
            await there.storage.crash()
            there.notices.start()
            await there.notices.listening()
            done = await there.delivered(made.webhook.name, 10)
            assert {one.event for one in done} == {f"m1/{number}/0" for number in range(1, 11)}
            told = {post.event(made.secret).delivery for post in studio.posts}
            assert told == {one.name.removeprefix("deliveries/") for one in done}
