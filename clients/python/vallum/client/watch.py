"""A stream of a match's updates that outlives its connection."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from typing import Any, cast

import grpc

from vallum.client.errors import EpochChanged, VallumCallError, call_error
from vallum.client.retry import Patience
from vallum.client.shapes import End, Update

SILENCE_S = 35.0
"""Without a heartbeat for this long a stream is dead, whatever its connection says."""


class Watch:
    """`async for update in game.watch(match)`: each update once, in order.

    A broken stream is opened again where it ended. Iteration ends when the match has ended, and
    `end` then has its result; it never ends otherwise. `version` is the last one received: start
    with it after a restart of your own. Leaving the loop ends the call; where that must not wait
    for the garbage collector, use `async with game.watch(match) as updates`.

    Raises EpochChanged when the service has lost updates that were sent already, and the error of
    a stream that cannot be opened within the client's patience.
    """

    def __init__(
        self,
        open_stream: Callable[[int], Awaitable[Any]],
        patience: Callable[[], Patience],
        from_version: int = 0,
    ) -> None:
        self.version = from_version
        self.end: End | None = None
        self._open = open_stream
        self._patience = patience
        self._last: Any = None
        self._call: Any = None
        self._closed = False

    async def __aiter__(self) -> AsyncGenerator[Update, None]:
        patience = self._patience()
        while not self._over():
            failed = broken("stream_ended")
            try:
                async with aclosing(self._stream(patience)) as updates:
                    async for update in updates:
                        yield update
            except grpc.aio.AioRpcError as error:
                failed = self._told(call_error(error))
            except TimeoutError:
                failed = broken("stream_silent")
            if not self._over():
                await patience.after(failed)

    async def __aenter__(self) -> Watch:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the call, and the iteration with it."""
        self._closed = True
        if self._call is not None:
            self._call.cancel()

    def _over(self) -> bool:
        return self._closed or self.end is not None

    async def _stream(self, patience: Patience) -> AsyncGenerator[Update, None]:
        """What one call brings that is new, until it ends or is found to have missed something.

        It begins with the last update once more: one that has changed belongs to another log.
        """
        self._call = call = await self._open(self.version - (self._last is not None))
        try:
            while (message := await self._read(call)) is not grpc.aio.EOF:
                kind = message.WhichOneof("message")
                body = getattr(message, kind)
                if kind == "update":
                    if self._repeats(body):
                        continue
                    if body.version != self.version + 1:
                        return
                    self.version, self._last = body.version, body
                    yield cast("Update", body)
                elif self._behind(body.version):
                    return
                elif kind == "end":
                    self.end = body
                    return
                patience.reset()
        finally:
            call.cancel()

    async def _read(self, call: Any) -> Any:
        try:
            # Not wait_for: it forgets a cancellation that comes together with a message.
            async with asyncio.timeout(SILENCE_S):
                return await call.read()
        except asyncio.CancelledError:
            if self._closed:
                return grpc.aio.EOF
            raise

    def _repeats(self, update: Any) -> bool:
        """Whether an update was received before. Raises EpochChanged where it has changed."""
        again = self._last is not None and update.version == self.version
        if again and bare(update) != bare(self._last):
            raise changed()
        return bool(update.version <= self.version)

    def _behind(self, version: int) -> bool:
        """Whether the match is at a later version than was received. Raises EpochChanged where
        it is at an earlier one."""
        if version < self.version:
            raise changed()
        return version > self.version

    def _told(self, error: VallumCallError) -> VallumCallError:
        return changed() if self._last is not None and error.code == "version_ahead" else error


def bare(update: Any) -> Any:
    """An update without its view, which depends on where a batch ended."""
    copy = type(update)()
    copy.CopyFrom(update)
    copy.ClearField("view")
    return copy


def broken(code: str) -> VallumCallError:
    """A stream that ended although its match has not."""
    return VallumCallError(code, grpc.StatusCode.UNAVAILABLE, answered=False)


def changed() -> EpochChanged:
    """The log is not the one that was watched."""
    return EpochChanged(
        "epoch_changed", grpc.StatusCode.ABORTED, "the service has lost updates: read it again"
    )
