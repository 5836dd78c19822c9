"""Wakes who watches a ticket or a table: one subscription for each that is watched here.

A hint only: a message that is lost costs the wait until the next heartbeat.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import structlog
from redis.asyncio import Redis
from redis.exceptions import RedisError

from services.runtime.loops import ended

HEARTBEAT_S = 10.0
"""Seconds of silence after which a watcher looks for himself."""

log = structlog.get_logger(__name__)


class Bell:
    """Rings for the names of keys."""

    def __init__(self, redis: Redis) -> None:
        self._pubsub: Any = redis.pubsub(ignore_subscribe_messages=True)
        self._waiting: dict[str, set[asyncio.Event]] = {}
        self._task: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def on(self, key: str) -> AsyncIterator[asyncio.Event]:
        """An event that is set whenever what lies under `key` may have changed."""
        event = asyncio.Event()
        waiting = self._waiting.setdefault(key, set())
        waiting.add(event)
        try:
            if len(waiting) == 1:
                await self._pubsub.subscribe(key)
            self._task = self._task or asyncio.create_task(self._listen())
            yield event
        finally:
            waiting.discard(event)
            if not waiting and self._waiting.get(key) is waiting:
                del self._waiting[key]
                await self._pubsub.unsubscribe(key)

    async def close(self) -> None:
        """Stop listening."""
        if self._task:
            await ended([self._task])
        await self._pubsub.aclose()

    async def _listen(self) -> None:
        while True:
            try:
                message = await self._pubsub.get_message(timeout=HEARTBEAT_S)
            except (RedisError, RuntimeError) as error:
                log.warning("bell_lost", error=str(error))
                await asyncio.sleep(1)
                for key in list(self._waiting):
                    self._ring(key)
                continue
            if message:
                self._ring(message["channel"].decode())

    def _ring(self, key: str) -> None:
        for event in self._waiting.get(key, ()):
            event.set()


async def rung(event: asyncio.Event, stopping: asyncio.Event) -> bool:
    """Wait for either; False when a heartbeat is due first."""
    waits = [asyncio.ensure_future(one.wait()) for one in (event, stopping)]
    try:
        done, _ = await asyncio.wait(
            waits, timeout=HEARTBEAT_S, return_when=asyncio.FIRST_COMPLETED
        )
    finally:
        for wait in waits:
            wait.cancel()
    event.clear()
    return bool(done)
