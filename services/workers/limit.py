"""A bound on how long something may think."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class OutOfTime(BaseException):
    """It took too long. Not an Exception: a policy that swallows those is stopped all the same."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Raise OutOfTime in the block when its time is over. Only in a process's main thread.

    Code that never comes back to Python is not reached: the worker's own limit kills it.
    """

    def ring(_signal: int, _frame: FrameType | None) -> None:
        raise OutOfTime

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
