"""A worker that lives but does not consume any more is found out by a canary.

It happens after lost connections. The canary is a task in a queue that only this worker reads; any
other task that it begins proves as much.
"""

from __future__ import annotations

import asyncio
from typing import Any

import structlog
from kombu.exceptions import OperationalError
from redis.asyncio import Redis
from redis.exceptions import RedisError

from services.workers.post import Post
from services.workers.tasks import begun_key

START_S = 120.0
"""How long a worker may take until it begins its first task."""

log = structlog.get_logger(__name__)


class Canary:
    """Watches one worker. `silence` is how long, in seconds, it may begin nothing once it runs."""

    def __init__(self, broker: Redis, post: Post, worker: str, silence: float) -> None:
        self._broker = broker
        self._post = post
        self._worker = worker
        self._silence = silence

    async def died(self) -> None:
        """Return when the worker has stopped consuming. A broker that is away tells nothing."""
        while True:
            try:
                before = await self._begun()
                await self._post.canary()
                if not await self._begins_more(before) and await self._begun() == before:
                    return
            except (RedisError, OperationalError, OSError) as error:
                log.warning("canary_lost", worker=self._worker, error=str(error))
            await asyncio.sleep(self._silence / 3)

    async def _begins_more(self, before: Any) -> bool:
        """Whether it begins a task in time."""
        patience = max(self._silence, START_S) if before is None else self._silence
        deadline = asyncio.get_running_loop().time() + patience
        while asyncio.get_running_loop().time() < deadline:
            if await self._begun() != before:
                return True
            await asyncio.sleep(min(1.0, self._silence / 10))
        return False

    async def _begun(self) -> Any:
        return await self._broker.get(begun_key(self._worker))
