"""The process that keeps a worker, and what becomes of the worker without it."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest
from msgspec.structs import replace

from services.runtime.auth import Keys
from services.runtime.settings import Settings, SettingsError
from services.workers.app import celery, processes
from services.workers.crew import crew
from services.workers.queues import BOTS, CLOCKS, QUEUES
from tests.until import until
from tests.workers.given import READY_S, alive

SERVE = "from services.workers.crew import serve; from services.runtime.settings import Settings; "


@pytest.mark.slow
@pytest.mark.usefixtures("redis")
async def test_a_worker_ends_with_the_process_that_keeps_it(
    settings: Settings, tmp_path: Path
) -> None:
    key_file = tmp_path / "key.pem"
    Keys.ensure(key_file)
    known = replace(settings, broker_url=settings.redis_url, key_file=key_file)
    environ = {**known.environ(), "PYTHONPATH": ":".join(sys.path)}
    keeper = subprocess.Popen(  # noqa: ASYNC220 # it returns at once
        [sys.executable, "-c", f"{SERVE}serve(Settings.load())"], env=environ
    )
    kept: list[psutil.Process] = []

    async def complete() -> bool:
        """The worker, and its process for tasks, run."""
        kept[:] = psutil.Process(keeper.pid).children(recursive=True)
        return len(kept) > 1

    async def gone() -> bool:
        return not any(alive(process) for process in kept)

    try:
        await until(complete, READY_S)
    finally:
        keeper.kill()
        keeper.wait()
    await until(gone)


@pytest.mark.slow
@pytest.mark.usefixtures("redis")
async def test_a_worker_whose_keeper_died_while_it_started_ends_too(
    settings: Settings, tmp_path: Path
) -> None:
    key_file = tmp_path / "key.pem"
    Keys.ensure(key_file)
    known = replace(settings, broker_url=settings.redis_url, key_file=key_file)
    keeper = subprocess.Popen([sys.executable, "-c", ""])  # noqa: ASYNC220 # it returns at once
    keeper.wait()
    worker = subprocess.Popen(  # noqa: ASYNC220 # as above
        [sys.executable, "-m", "services.workers", str(keeper.pid), "w", BOTS],
        env={**known.environ(), "PYTHONPATH": ":".join(sys.path)},
        start_new_session=True,
    )
    try:
        assert await asyncio.to_thread(worker.wait, READY_S) == -signal.SIGKILL
    finally:
        worker.kill()


async def test_a_broker_that_is_not_there_is_told_at_once(settings: Settings) -> None:
    nowhere = replace(settings, broker_url="redis://127.0.0.1:1/0")
    with pytest.raises(SettingsError, match="no Redis server answers"):
        await crew(nowhere).__aenter__()


def test_a_worker_is_as_wide_as_the_widest_of_its_queues(settings: Settings) -> None:
    known = replace(settings, bots_processes=7, clocks_processes=2)
    assert processes(known, [CLOCKS]) == 2
    assert processes(known, [CLOCKS, BOTS]) == 7


def test_no_task_counts_on_celery(settings: Settings) -> None:
    conf = celery(settings).conf
    assert [queue.name for queue in conf.task_queues] == list(QUEUES)
    assert conf.task_acks_late
    assert conf.task_reject_on_worker_lost
    assert conf.task_ignore_result
    assert conf.get("result_backend") is None
    assert conf.worker_prefetch_multiplier == 1
    options = conf.broker_transport_options
    assert conf.task_time_limit < options["visibility_timeout"]
    assert options["unacked_restore_interval"] * options["unacked_restore_throttle"] <= 5
