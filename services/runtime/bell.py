"""Waking those who watch something that another process has changed: Redis publish/subscribe.

A hint only: a message that is lost costs the wait until the next heartbeat.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import structlog
from redis.asyncio import Redis
from redis.exceptions import RedisError

from services.runtime.loops import ended

HEARTBEAT_S = 10.0
"""Seconds of silence after which a watcher looks for himself."""

PAUSE_S = 0.5
"""Seconds before a lost subscription is made again."""

Heard = Callable[[bytes], bool]
"""Whether a message is news."""

log = structlog.get_logger(__name__)


def anything(_: bytes) -> bool:
    """Every message is news."""
    return True


class Bell:
    """Rings for channels: one subscription for each that is watched in this process.

    One task alone uses the connection, for two that find it lost would both make it anew; a
    channel of its own tells that task that other channels are watched now.
    """

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._own = f"bell:{secrets.token_hex(8)}"
        self._watching: dict[str, dict[asyncio.Event, Heard]] = {}
        self._task: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def on(self, channel: str, news: Heard = anything) -> AsyncIterator[asyncio.Event]:
        """An event that is set by every message that is `news`, and whenever one may have been
        missed. Whoever waits for it clears it."""
        event = asyncio.Event()
        watching = self._watching.setdefault(channel, {})
        watching[event] = news
        try:
            if len(watching) == 1:
                await self._tell()
            yield event
        finally:
            del watching[event]
            if not watching and self._watching.get(channel) is watching:
                del self._watching[channel]

    async def close(self) -> None:
        """Stop listening."""
        if self._task:
            await ended([self._task])

    async def _tell(self) -> None:
        self._task = self._task or asyncio.create_task(self._listen())
        try:
            await self._redis.publish(self._own, "")
        except RedisError as error:
            log.warning("bell_lost", error=str(error))

    async def _listen(self) -> None:
        while True:
            try:
                async with self._redis.pubsub() as pubsub:
                    await pubsub.subscribe(self._own)
                    while True:
                        await self._follow(pubsub)
                        self._ring(await pubsub.get_message(timeout=HEARTBEAT_S))
            except (RedisError, OSError) as error:
                log.warning("bell_lost", error=str(error))
            await asyncio.sleep(PAUSE_S)

    async def _follow(self, pubsub: Any) -> None:
        """Subscribe to what is watched, and to nothing else."""
        heard = {channel.decode() for channel in pubsub.channels} - {self._own}
        if new := self._watching.keys() - heard:
            await pubsub.subscribe(*new)
        if old := heard - self._watching.keys():
            await pubsub.unsubscribe(*old)

    def _ring(self, message: Any) -> None:
        if not message:
            return
        watching = self._watching.get(message["channel"].decode(), {})
        missed = message["type"] == "subscribe"  # what came before was not heard
        for event, news in watching.items():
            if missed or (message["type"] == "message" and news(message["data"])):
                event.set()


async def rung(event: asyncio.Event, stopping: asyncio.Event) -> bool:
    """Wait for either; False when a heartbeat is due first. `event` is cleared."""
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
