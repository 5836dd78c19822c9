"""Doing in one go what is asked for at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

T = TypeVar("T")

MOST = 128
"""Things done in one go."""


class Together(Generic[T]):
    """While one go runs, what else is asked for waits and makes up the next."""

    def __init__(self, work: Callable[[list[T]], Awaitable[None]]) -> None:
        self._work = work
        self._waiting: list[tuple[T, asyncio.Future[None]]] = []
        self._running: asyncio.Task[None] | None = None

    async def do(self, thing: T) -> None:
        """Returns when it is done. Raises what went wrong with it."""
        done = asyncio.get_running_loop().create_future()
        self._waiting.append((thing, done))
        if self._running is None or self._running.done():
            self._running = asyncio.create_task(self._run())
        await done

    async def _run(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting[:MOST], self._waiting[MOST:]
            try:
                await self._work([thing for thing, _ in batch])
            except Exception as error:  # noqa: BLE001 # it is told to whoever asked
                await self._apart(batch, error)
            for _, done in batch:
                if not done.done():
                    done.set_result(None)

    async def _apart(self, batch: list[tuple[T, asyncio.Future[None]]], error: Exception) -> None:
        """One at a time, so that what cannot be done does not stop the rest."""
        for thing, done in batch:
            problem: Exception | None = error
            if len(batch) > 1:
                try:
                    await self._work([thing])
                    problem = None
                except Exception as own:  # noqa: BLE001 # as above
                    problem = own
            if problem is not None and not done.done():
                done.set_exception(problem)
