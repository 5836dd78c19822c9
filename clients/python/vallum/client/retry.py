"""How often, and how fast, an unanswered call is tried again."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

import grpc

from vallum.client.errors import VallumCallError, call_error

T = TypeVar("T")
Renew = Callable[[str], bool]
"""A token was refused with this code: whether the next may be another."""


@dataclass(frozen=True)
class Retry:
    """Exponential backoff with jitter. All values are seconds."""

    patience: float = 30.0
    """How long a call, or a broken stream, is tried again before its error is raised."""
    timeout: float = 10.0
    """How long one try may take."""
    first_pause: float = 0.05
    """Before the second try; it doubles with each."""
    longest_pause: float = 2.0

    def pause(self, failures: int) -> float:
        """How long to wait after so many failures in a row, the first being 1."""
        most = min(self.longest_pause, self.first_pause * 2.0 ** min(failures - 1, 30))
        return random.uniform(most / 2, most)  # noqa: S311 # spreads callers, keeps no secret


class Patience:
    """The tries of one call: waits between them, or raises its error for good."""

    def __init__(self, retry: Retry, renew: Renew | None = None) -> None:
        self._retry = retry
        self._renew = renew
        self._now = asyncio.get_running_loop().time
        self.reset()

    def reset(self) -> None:
        """It works again: patience begins anew with the next failure."""
        self._failures = 0
        self._until: float | None = None

    def timeout(self) -> float:
        """How long the next try may take."""
        left = self._retry.patience if self._until is None else self._until - self._now()
        return min(self._retry.timeout, max(0.1, left))

    async def after(self, error: VallumCallError) -> None:
        """Wait before the next try. Raises `error` when there must be none."""
        self._failures += 1
        if self._until is None:
            self._until = self._now() + self._retry.patience
        pause = self._retry.pause(self._failures)
        again = error.transient or (error.token_refused and self._may_renew(error.code))
        if not again or self._now() + pause > self._until:
            raise error
        await asyncio.sleep(pause)

    def _may_renew(self, code: str) -> bool:
        return self._renew is not None and self._renew(code)


async def persistently(
    retry: Retry, attempt: Callable[[float], Awaitable[T]], renew: Renew | None = None
) -> T:
    """What `attempt(timeout)` returns once it is answered. Raises VallumCallError."""
    patience = Patience(retry, renew)
    while True:
        try:
            return await attempt(patience.timeout())
        except grpc.aio.AioRpcError as error:
            failed = call_error(error)
        await patience.after(failed)
