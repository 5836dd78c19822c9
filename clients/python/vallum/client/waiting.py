"""Async calls from programs without an event loop: one in a thread of its own makes them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Iterator
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")
A = TypeVar("A")


class Loop:
    """An event loop in a thread of its own."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Wait for `work`; Ctrl-C ends it."""
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def each(self, items: AsyncIterator[T]) -> Iterator[T]:
        """One after the other; leaving the loop early ends the iteration there, too."""
        nothing: Any = object()
        try:
            while (item := self.run(_next(items, nothing))) is not nothing:
                yield item
        finally:
            if isinstance(items, AsyncGenerator):
                self.run(_close(items))

    @property
    def alive(self) -> bool:
        """Whether calls can be made."""
        return self._thread.is_alive()

    def close(self) -> None:
        """End the thread."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()


class Facade(Protocol):
    """An async object behind a façade, and the loop that it lives on."""

    _loop: Loop
    _async: Any


def waits(
    method: Callable[Concatenate[A, P], Coroutine[Any, Any, R]],
) -> Callable[Concatenate[Facade, P], R]:
    """The method that does the same and waits for it."""

    @wraps(method)
    def call(self: Facade, /, *args: P.args, **kwargs: P.kwargs) -> R:
        return self._loop.run(method(self._async, *args, **kwargs))

    return call


def iterates(
    method: Callable[Concatenate[A, P], AsyncIterator[R]],
) -> Callable[Concatenate[Facade, P], Iterator[R]]:
    """The method that gives the same, one after the other."""

    @wraps(method)
    def call(self: Facade, /, *args: P.args, **kwargs: P.kwargs) -> Iterator[R]:
        return self._loop.each(method(self._async, *args, **kwargs))

    return call


async def _next(items: AsyncIterator[T], nothing: T) -> T:
    return await anext(items, nothing)


async def _close(items: AsyncGenerator[Any, None]) -> None:
    await items.aclose()


async def called(function: Callable[[], T]) -> T:
    """What a function gives, called where the loop runs."""
    return function()
