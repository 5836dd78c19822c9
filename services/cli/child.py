"""A child process that is started again when it dies, and ends when we do."""

from __future__ import annotations

import asyncio
import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress

import structlog

PR_SET_PDEATHSIG = 1
FIRST_PAUSE = 0.5
LONGEST_PAUSE = 30.0
HEALTHY = 60.0
"""Seconds after which a child counts as having worked."""
STOP = 15.0
"""Seconds that a child has to end when it is asked to."""

log = structlog.get_logger(__name__)


@asynccontextmanager
async def kept_alive(
    name: str, command: Sequence[str], environment: Mapping[str, str]
) -> AsyncIterator[Child]:
    """`command` runs until the end of the block."""
    child = Child(name, command, environment)
    keeper = asyncio.create_task(child.keep())
    try:
        yield child
    finally:
        keeper.cancel()
        with suppress(asyncio.CancelledError):
            await keeper
        await child.stop()


class Child:
    """A command that should always be running. Its output goes where ours goes."""

    def __init__(self, name: str, command: Sequence[str], environment: Mapping[str, str]) -> None:
        self.name = name
        self._command = command
        self._environment = environment
        self._process = self._started()

    @property
    def pid(self) -> int:
        """Of the process that runs now or ran last."""
        return self._process.pid

    async def keep(self) -> None:
        """Start it again whenever it dies, later and later while it does so soon."""
        pause, now = FIRST_PAUSE, asyncio.get_running_loop().time
        while True:
            began = now()
            status = await asyncio.to_thread(self._process.wait)
            if now() - began > HEALTHY:
                pause = FIRST_PAUSE
            log.error("child_died", child=self.name, status=status, again_in=pause)
            await asyncio.sleep(pause)
            pause = min(LONGEST_PAUSE, pause * 2)
            self._process = self._started()

    async def stop(self) -> None:
        """Ask it to end, then end it."""
        process = self._process
        process.terminate()
        try:
            await asyncio.to_thread(process.wait, STOP)
        except subprocess.TimeoutExpired:
            log.error("child_killed", child=self.name)
            process.kill()
            await asyncio.to_thread(process.wait)

    def _started(self) -> subprocess.Popen[bytes]:
        """A new process, of the main thread: it may ask to end with it (`end_with_parent`)."""
        return subprocess.Popen(  # noqa: S603 # our own command line
            self._command,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is for us: we tell it when to end
        )


def end_with_parent() -> None:
    """Be told to end (SIGTERM) when the process that started this one has died."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() == 1:  # it died in the meantime
        sys.exit("my parent is gone")
