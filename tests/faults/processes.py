"""Processes that are killed on purpose and come back."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
from pathlib import Path

from services.runtime.embedded import EmbeddedRedis

READY = 60.0
"""Seconds for a process to come up."""


class HostProcess:
    """A rules service of the conformance game in a process of its own, on a port that it keeps."""

    def __init__(self, redis_url: str, key_file: Path) -> None:
        self.port = free_port()
        self._args = [redis_url, str(key_file), str(self.port)]
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def target(self) -> str:
        """Where to call it."""
        return f"127.0.0.1:{self.port}"

    async def start(self) -> None:
        """Start it, again and again while its storage is not there, until it listens."""
        async with asyncio.timeout(READY):
            while True:
                self._process = subprocess.Popen(  # noqa: ASYNC220 # it returns at once
                    [sys.executable, "-m", "tests.bench.host", *self._args],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                )
                assert self._process.stdout is not None
                if await asyncio.to_thread(self._process.stdout.readline):
                    return

    async def crash(self) -> None:
        """SIGKILL, then a new process."""
        self.kill()
        await self.start()

    def kill(self) -> None:
        """SIGKILL."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


class Storage:
    """An embedded Redis on a port that it keeps."""

    def __init__(self, folder: Path) -> None:
        self.server = EmbeddedRedis(folder, "always", free_port())

    async def crash(self) -> None:
        """SIGKILL, then a new server on the same files."""
        await asyncio.to_thread(self.server.kill)
        await asyncio.to_thread(self.server.start)


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
