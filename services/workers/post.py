"""Putting tasks into queues without holding up the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from services.runtime.settings import Settings
from services.runtime.telemetry import current_traceparent
from services.workers.app import celery
from services.workers.queues import (
    CANARY,
    DELIVER,
    NUMBER,
    QUEUES,
    TAKE_TURN,
    Delivery,
    Queued,
    Turn,
    canary_queue,
)


class Post:
    """Publishes tasks from a thread of its own: kombu blocks, and is not to be shared by threads.

    A task that could not be published raises kombu's OperationalError or another error of its.
    """

    def __init__(self, settings: Settings, worker: str) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="post")
        self._canary = canary_queue(worker)
        self._app = celery(settings, [self._canary, *QUEUES])

    async def turn(self, turn: Turn, number: int = 0) -> None:
        """Queue a turn, as the `number`th in its queue."""
        await self._queue(TAKE_TURN, turn, turn, number)

    async def delivery(self, delivery: Delivery, number: int = 0) -> None:
        """Queue a delivery, likewise."""
        await self._queue(DELIVER, delivery, delivery, number)

    async def canary(self) -> None:
        """Queue a canary for the worker."""
        await self._send(CANARY, queue=self._canary)

    async def close(self) -> None:
        """Close the connection."""
        self._thread.submit(self._app.close)
        await asyncio.to_thread(self._thread.shutdown)

    async def _queue(self, name: str, one: Queued, args: Sequence[Any], number: int) -> None:
        trace = current_traceparent()
        headers = {NUMBER: str(number)} | ({"traceparent": trace} if trace else {})
        await self._send(name, args=args, task_id=one.id, queue=one.queue, headers=headers)

    async def _send(self, name: str, **options: Any) -> None:
        send = partial(self._app.send_task, name, ignore_result=True, **options)
        await asyncio.get_running_loop().run_in_executor(self._thread, send)
