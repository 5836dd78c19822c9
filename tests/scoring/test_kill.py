"""Whoever is killed, and whenever: each result counts once."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest
from redis.asyncio import Redis
from sqlalchemy import select

from services.runtime.bus import Bus
from services.runtime.database import Database
from services.runtime.settings import Settings
from services.scoring.recompute import recomputed
from services.scoring.schema import CHANGES, ENTRIES
from tests.scoring.given import NOON, finished, hall
from tests.until import until
from vallum.events.v1 import events_pb2 as ev


async def killed_after(last: str, event: ev.Event, settings: Settings, folder: Path) -> None:
    """SIGKILL a process when it has come so far."""
    body = folder / "event"
    body.write_bytes(event.SerializeToString())
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.scoring.killed"),
        *(settings.scoring_db, str(body), last),
        stdout=PIPE,
    )
    assert process.stdout is not None
    assert (await process.stdout.readline()).decode().strip() == last
    process.kill()
    await process.communicate()


async def causes(database: Database) -> list[str]:
    async with database.reading() as connection:
        query = select(CHANGES.c.cause).order_by(CHANGES.c.cause)
        return list((await connection.execute(query)).scalars())


@pytest.mark.faults
@pytest.mark.parametrize("last", ["stored", "rated"])
async def test_a_kill_between_result_and_rating_loses_and_doubles_nothing(
    last: str, database: Database, redis: Redis, settings: Settings, tmp_path: Path
) -> None:
    event = finished("m1", (1, 2, 3))
    await killed_after(last, event, settings, tmp_path)
    assert await causes(database) == ([] if last == "stored" else ["matches/m1"] * 3)
    async with database.reading() as connection:
        due = (await connection.execute(select(ENTRIES.c.due))).scalars().all()
    assert due == [last == "stored"]
    bus = Bus(redis, settings)
    await bus.publish(event)  # it was not acknowledged: it comes again
    await bus.publish(finished("m2", (1, 2, 3), at=NOON + 1))
    async with hall(redis, settings):

        async def all_rated() -> bool:
            return await causes(database) == ["matches/m1"] * 3 + ["matches/m2"] * 3

        await until(all_rated, 20.0)
    verdict = await recomputed(database)
    assert verdict.equal, verdict.examples
    assert verdict.results == 2
