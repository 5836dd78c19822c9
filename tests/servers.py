"""The one place that decides which real Redis the tests use, and says which.

Where a Docker engine answers it is a container of the official image; elsewhere Valkey's binary
runs as a local process on a free port. Either is the real server, empty, with append-only
persistence.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import docker  # type: ignore[import-untyped]  # it ships no types
from docker.errors import DockerException  # type: ignore[import-untyped]  # as above
from testcontainers.core.container import DockerContainer
from testcontainers.core.wait_strategies import LogMessageWaitStrategy

from services.runtime.redis import EmbeddedRedis

IMAGE = "redis:8"
COMMAND = "redis-server --appendonly yes --save '' --databases 64"


class Server(NamedTuple):
    """A running Redis, by the URL of its database 0."""

    url: str

    def database(self, number: int) -> str:
        """The URL of another database of the same server."""
        return f"{self.url.rsplit('/', 1)[0]}/{number}"


@cache
def docker_answers() -> bool:
    """Whether there is a Docker engine to run containers on."""
    try:
        client = docker.from_env(timeout=2)
        try:
            return bool(client.ping())
        finally:
            client.close()
    except DockerException:
        return False


def told() -> str:
    """Which Redis the tests run against, in words."""
    if docker_answers():
        return f"Redis for the tests: container {IMAGE} (a Docker engine answers)"
    return "Redis for the tests: Valkey as a local process (no Docker engine answers)"


@contextmanager
def redis_server() -> Iterator[Server]:
    """A Redis of the kind that `told` names, until the end of the block."""
    if docker_answers():
        container = DockerContainer(IMAGE).with_command(COMMAND).with_exposed_ports(6379)
        container.waiting_for(LogMessageWaitStrategy("Ready to accept connections"))
        with container:
            host, port = container.get_container_host_ip(), container.get_exposed_port(6379)
            yield Server(f"redis://{host}:{port}/0")
    else:
        with TemporaryDirectory() as folder, EmbeddedRedis(Path(folder) / "redis") as server:
            yield Server(server.url)
