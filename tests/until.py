"""Waiting for what must come true, with a deadline."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable


async def until(holds: Callable[[], Awaitable[bool]], seconds: float = 10.0) -> None:
    """Ask again and again; raises TimeoutError when it does not hold in time."""
    async with asyncio.timeout(seconds):
        while not await holds():  # noqa: ASYNC110 # nothing could set an event
            await asyncio.sleep(0.02)
