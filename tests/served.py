"""Services as processes of their own, by `vallum serve`: killed on purpose, and started again."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress

import psutil

from services.runtime.settings import PREFIX
from tests.until import until

READY_S = 120.0
"""Seconds for a process to come up, on a machine that has other things to do."""


class Served:
    """`vallum serve NAME…`; `variables` are its settings, without their prefix."""

    def __init__(self, *names: str, **variables: object) -> None:
        self.port = free_port()
        self._command = (sys.executable, "-m", "services.cli", "serve", *names)
        ours = {name: text for name, text in os.environ.items() if not name.startswith(PREFIX)}
        self._environ = ours
        self.tell(**{"log_level": "warning", "port": self.port} | variables)
        self._process: subprocess.Popen[bytes] | None = None

    def tell(self, **variables: object) -> None:
        """Further settings, for its next start."""
        self._environ |= {PREFIX + name.upper(): str(value) for name, value in variables.items()}

    @property
    def target(self) -> str:
        """Where to call it."""
        return f"127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        """The process that runs now."""
        assert self._process is not None, "not started"
        return self._process.pid

    def start(self) -> None:
        """Start it. Returns at once."""
        assert self._process is None, "it runs"
        self._process = subprocess.Popen(self._command, env=self._environ)

    async def listening(self) -> None:
        """Wait until it answers at its port."""

        async def answers() -> bool:
            assert self._process is not None
            assert self._process.poll() is None, "it has ended"
            with suppress(OSError):
                _, writer = await asyncio.open_connection("127.0.0.1", self.port)
                writer.close()
                return True
            return False

        await until(answers, READY_S)

    def kill(self) -> None:
        """SIGKILL."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def stop(self) -> int:
        """SIGTERM; its exit status. What does not end in time is killed."""
        if self._process is None:
            return 0
        self._process.send_signal(signal.SIGTERM)
        try:
            return self._process.wait(READY_S)
        finally:
            self.kill()

    def children(self) -> Sequence[psutil.Process]:
        """The processes that it has started, and those that these have."""
        with suppress(psutil.NoSuchProcess):
            return psutil.Process(self.pid).children(recursive=True)
        return ()


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
