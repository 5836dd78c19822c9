"""The compare-and-append script alone: what the storage can take from one connection pool."""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path

from services.referee.log import Append, Log
from services.runtime.embedded import EmbeddedRedis
from services.runtime.redis import connect
from tests.bench.figures import Figure

LANES = 50
APPENDS = 100
RUNS = 5


async def lane(log: Log, match_id: str) -> None:
    """A log that grows by one entry of usual size at a time."""
    at, chain = log.keys(match_id), bytes(32)
    first = Append(chain, chain, (), 0, head=b"head", snapshot=b"x" * 300)
    await log.append(at, first)
    for number in range(APPENDS):
        link = number.to_bytes(32, "big")
        entry = (b"x" * 180, link)
        word, _ = await log.append(
            at, Append(chain, link, (entry,), number, request=f"0:{number}", reply="body 1 1")
        )
        assert word == "ok"
        chain = link


async def measured() -> list[float]:
    """Appends a second, everysec."""
    rates = []
    with tempfile.TemporaryDirectory() as folder, EmbeddedRedis(Path(folder)) as server:
        redis = connect(server.url)
        log = Log(redis, "bench", 16)
        for run in range(RUNS + 1):
            began = time.perf_counter()
            await asyncio.gather(*(lane(log, f"m{run}-{n}") for n in range(LANES)))
            rates.append(LANES * APPENDS / (time.perf_counter() - began))
    return rates[1:]


def run() -> list[Figure]:
    """See `measured`."""
    return [Figure("lua_appends_per_s", "appends/s", asyncio.run(measured()), "50 lanes, everysec")]
