"""Ending background tasks for certain."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

PATIENCE = 0.2
"""Seconds before a task that is still there is cancelled once more."""


async def ended(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """Cancel tasks until they are over.

    Once is not enough: redis-py can swallow a cancellation that arrives while it tries a pooled
    connection (`can_read_destructive` under a timeout of zero).
    """
    pending = {task for task in tasks if not task.done()}
    while pending:
        for task in pending:
            task.cancel()
        _, pending = await asyncio.wait(pending, timeout=PATIENCE)
