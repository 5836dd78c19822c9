"""Matches against bots: a real host, a real broker, a real Celery worker."""

from __future__ import annotations

import asyncio
import re
import signal
from collections.abc import AsyncIterator
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from services.gamekit.game import Seat
from services.workers.queues import FALLBACK, Turn
from tests.conftest import DATABASES
from tests.servers import Server
from tests.workers.given import Hall, alive, by_seat, hall, kind, processes_of, restarted
from vallum.client import bot, player

pytestmark = pytest.mark.slow

SEED = 20261129


@pytest.fixture(scope="module")
async def here(
    redis_server: Server, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Hall]:
    """One hall for the module: a worker takes its time to start."""
    redis_url, broker_url = (redis_server.database(next(DATABASES)) for _ in range(2))
    folder: Path = tmp_path_factory.mktemp("hall")
    async with hall(redis_url, broker_url, folder, bot_think=0.3, worker_silence=6.0) as running:
        await running.ready()
        yield running


def every_turn_was_taken_once(entries: list[dict[str, Any]]) -> bool:
    """Whether the entries of each request stand together: one sequence, written once."""
    requests = [request for request, _ in groupby(one.get("request_id", "") for one in entries)]
    named = [request for request in requests if request]
    return len(named) == len(set(named))


async def test_one_person_and_three_bots_play_to_the_end(here: Hall) -> None:
    name = await here.against("random", "greedy", "easy")
    entries = await here.played(name, SEED)
    match_id = name.removeprefix("matches/")
    for seat in (1, 2, 3):
        played = by_seat(entries, seat)
        assert played
        assert all(one["request_id"].startswith(f"{match_id}:") for one in played)


async def test_storms_are_resolved_by_a_worker_under_the_ids_of_its_tasks(here: Hall) -> None:
    name = await here.against("random")
    storms = [one for one in await here.played(name, SEED) if kind(one) == "storm"]
    task = re.compile(re.escape(name.removeprefix("matches/")) + r":\d+:-1")
    assert all(task.fullmatch(one["request_id"]) for one in storms)
    assert len(storms) == 2


@pytest.mark.parametrize("policy", ["raising", "cheating", "garbling", "hanging"])
async def test_a_bot_that_misbehaves_is_replaced_turn_by_turn_and_the_record_says_so(
    here: Hall, policy: str
) -> None:
    name = await here.match(bot(policy), bot("random"), rounds=1)
    entries = await here.ended(name)
    assert by_seat(entries, 0)
    assert all(one["request_id"].endswith(FALLBACK) for one in by_seat(entries, 0))
    assert not any(one["request_id"].endswith(FALLBACK) for one in by_seat(entries, 1))


async def test_doubled_tasks_take_a_turn_once(here: Hall) -> None:
    name = await here.match(player("ada"), *[bot("random")] * 3)
    post = await here.post()
    turns = [
        Turn("ambush", name.removeprefix("matches/"), Seat(s), d)
        for s in (1, 2, 3)
        for d in (1, 2, 3)
    ]
    await asyncio.gather(*(post.turn(turn) for turn in turns * 3))
    entries = await here.played(name, SEED)
    await post.close()
    assert every_turn_was_taken_once(entries)


async def test_a_flushed_broker_delays_a_match_but_does_not_stop_it(here: Hall) -> None:
    names = [await here.against("random", "random") for _ in range(3)]
    await here.broker.flushdb()
    entries = await asyncio.gather(*(here.played(name, SEED) for name in names))
    assert all(entries)


async def test_a_killed_worker_delays_a_match_but_does_not_stop_it(here: Hall) -> None:
    names = [await here.against("random", "easy") for _ in range(3)]
    old = here.kill_worker()
    entries = await asyncio.gather(*(here.played(name, SEED) for name in names))
    await restarted(here, old)
    assert all(every_turn_was_taken_once(one) for one in entries)


async def test_a_worker_that_stopped_consuming_is_started_again(here: Hall) -> None:
    assert here.worker.process is not None
    old = here.worker.process.pid
    frozen = processes_of(old)
    for process in frozen:
        process.send_signal(signal.SIGSTOP)
    await restarted(here, old)
    assert not any(alive(process) for process in frozen)
    await here.ready()
