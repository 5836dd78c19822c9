"""The server that everything lives in: it will do or is refused, it survives, it ends in time."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from redis.asyncio import Redis

from services.runtime.redis import EmbeddedRedis, check_server, connect
from services.runtime.settings import SettingsError


@pytest.fixture
def embedded(tmp_path: Path) -> Iterator[EmbeddedRedis]:
    server = EmbeddedRedis(tmp_path / "redis", fsync="always")
    server.start()
    yield server
    server.kill()


def until(condition: Callable[[], bool], seconds: float = 10.0) -> None:
    """Wait for a condition, or fail."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.01)


def alive(pid: int) -> bool:
    """Whether a process is there, and is not just waiting to be buried."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


async def test_a_server_that_keeps_what_it_is_told_will_do(redis: Redis) -> None:
    await check_server(redis)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"maxmemory-policy": "allkeys-lru"}, "maxmemory-policy is allkeys-lru"),
        ({"appendonly": "no"}, "set appendonly to yes"),
    ],
)
async def test_a_server_that_forgets_is_refused(
    embedded: EmbeddedRedis, change: dict[str, str], complaint: str
) -> None:
    client = connect(embedded.url)
    for name, value in change.items():
        await client.config_set(name, value)
    with pytest.raises(SettingsError, match=complaint):
        await check_server(client)
    await client.aclose()


async def test_forgetting_is_accepted_when_it_is_meant(tmp_path: Path) -> None:
    with EmbeddedRedis(tmp_path, fsync="memory") as server:
        client = connect(server.url)
        await check_server(client, need_aof=False)
        await client.aclose()


class Old(Redis):
    """A server of before 6.2, as far as `check_server` can see."""

    async def info(self, section: str | None = None, *args: Any, **kwargs: Any) -> dict[str, Any]:
        return {"redis_version": "6.0.16", "maxmemory_policy": "noeviction", "aof_enabled": 1}


async def test_an_old_server_is_refused() -> None:
    with pytest.raises(SettingsError, match=r"6\.0\.16 is too old"):
        await check_server(Old())


async def test_nobody_there_is_said_clearly() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        client = connect(f"redis://127.0.0.1:{unused.getsockname()[1]}/0")
        with pytest.raises(SettingsError, match="no Redis server answers"):
            await check_server(client)
    await client.aclose()


def test_a_url_that_is_none_is_said_clearly() -> None:
    with pytest.raises(SettingsError, match="not a Redis URL"):
        connect("localhost:6379")


def test_a_taken_port_is_said_clearly(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(SettingsError, match=f"port {port} for Redis: Address already in use"):
            EmbeddedRedis(tmp_path, port=port).start()


def test_a_folder_that_cannot_be_made_is_said_clearly(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SettingsError, match=r"cannot write to .*file"):
        EmbeddedRedis(tmp_path / "file" / "redis").start()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_an_unwritable_folder_is_said_clearly(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(SettingsError, match="Permission denied"):
        EmbeddedRedis(tmp_path).start()


def test_a_folder_has_one_server_at_a_time(embedded: EmbeddedRedis) -> None:
    with pytest.raises(SettingsError, match="in use by another server"):
        EmbeddedRedis(embedded.data_dir).start()
    embedded.stop()
    with EmbeddedRedis(embedded.data_dir):
        pass


def test_files_that_cannot_be_loaded_are_said_clearly(embedded: EmbeddedRedis) -> None:
    embedded.kill()
    (log,) = embedded.data_dir.glob("appendonlydir/*.incr.aof")
    log.write_bytes(b"this is no append-only file\r\n")
    with pytest.raises(SettingsError, match=r"Redis ended at its start: .*Bad file format"):
        EmbeddedRedis(embedded.data_dir).start()


async def test_what_was_acknowledged_survives_a_crash(embedded: EmbeddedRedis) -> None:
    client = connect(embedded.url)
    for number in range(100):
        await client.xadd("log", {"n": number}, id=f"{number + 1}-0")
    embedded.kill()
    (log,) = embedded.data_dir.glob("appendonlydir/*.incr.aof")
    log.write_bytes(log.read_bytes() + b"*3\r\n$3\r\nSET\r\n$1\r\nx\r\n$5\r\nhal")
    embedded.start()
    assert await client.xlen("log") == 100
    assert await client.get("x") is None
    await client.aclose()


async def test_a_client_waits_for_a_server_that_restarts(embedded: EmbeddedRedis) -> None:
    client = connect(embedded.url)
    await client.set("a", 1)
    embedded.kill()
    embedded.start()
    assert await client.get("a") == b"1"
    await client.aclose()


async def test_a_cancelled_task_ends_though_its_answer_has_come(redis: Redis) -> None:
    """Whenever it is cancelled: redis-py has swallowed cancellations on its way."""

    async def write() -> None:
        await redis.set("a", 1)
        await asyncio.sleep(0)

    for steps in range(150):
        task = asyncio.create_task(write())
        for _ in range(steps % 25):
            await asyncio.sleep(0)
        time.sleep(0.001)  # noqa: ASYNC251 # the answer arrives while nobody looks
        if task.cancel():
            with pytest.raises(asyncio.CancelledError):
                await task


PARENT = """
import sys, threading, time
from pathlib import Path
from services.runtime.redis import EmbeddedRedis
server = EmbeddedRedis(Path(sys.argv[1]))
thread = threading.Thread(target=server.start)  # the end of this thread must not end the server
thread.start()
thread.join()
print(server.pid, flush=True)
time.sleep(60)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child of its parent's end")
def test_the_server_ends_with_its_parent_and_not_before(tmp_path: Path) -> None:
    path = os.pathsep.join(part for part in sys.path if part)
    with subprocess.Popen(
        [sys.executable, "-c", PARENT, str(tmp_path)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": path},
    ) as parent:
        assert parent.stdout is not None
        server = int(parent.stdout.readline())
        time.sleep(0.2)  # long enough for a signal to arrive that must not come
        assert alive(server)
        parent.kill()
    until(lambda: not alive(server))
    with EmbeddedRedis(tmp_path):  # and the folder is free again
        pass
