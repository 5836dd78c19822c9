"""Bots and invasions through the real thing: host, bus, dispatcher, broker, Celery worker."""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from statistics import median, quantiles

from msgspec.structs import replace

from services.games import GAMES
from services.runtime.embedded import EmbeddedRedis
from services.runtime.loops import ended
from services.workers.claims import passed_key
from services.workers.crew import crew
from services.workers.queues import BOTS, CLOCKS, INVASIONS
from tests.bench.figures import Figure
from tests.until import until
from tests.workers.given import Hall, hall
from vallum.client import bot, player
from vallum.match.v1 import match_pb2 as pb

REPLIES = 200
"""Answers of a bot that are timed."""
LONGEST_S = 90.0
"""For so long at most, however many there are by then."""
LANES = 8
"""Persons who play at once where others are waited for anyway; else there is one."""
QUEUED = (0, 50, 200)
"""Turns of other bots that wait in the queue meanwhile, about."""
LOOK_S = 0.05
"""How often the length of the queue is looked at."""
BOTS_EACH, ASKED_EACH = 4, 3
"""The bots of each of their matches, and how many of them are asked at a time, about."""
GLANCE_S = 2.0
"""How often it is looked whether a match between bots has ended: it costs as much as a move."""
INVADED = 100
"""Matches of Hadrian's Wall that reach the end of their first year together."""
PATIENCE_S = 240.0


async def replies(here: Hall, lanes: int) -> list[float]:
    """Milliseconds from ada's sending a move until she sees the bot's answer to it."""
    took: list[float] = []

    async def lane(rng: Random) -> None:
        while len(took) < REPLIES:
            await one_match(here, rng, took)

    tasks = [asyncio.create_task(lane(Random(number))) for number in range(lanes)]
    await asyncio.wait(tasks, timeout=LONGEST_S)
    await ended(tasks)
    return took


async def one_match(here: Hall, rng: Random, took: list[float]) -> None:
    """Ada against a bot that answers at once."""
    name = (await here.studio.create_match([player("ada"), bot("random")])).name
    seen: dict[int, float] = {}
    watcher = asyncio.create_task(noted(here, name, seen))
    try:
        while (match := await here.ada.get_match(name)).state == pb.MATCH_STATE_ACTIVE:
            if [one.seat for one in match.decisions] == [0]:
                took += await one_reply(here, name, seen, rng)
            else:
                await asyncio.sleep(0.005)
    finally:
        await ended([watcher])


async def noted(here: Hall, name: str, seen: dict[int, float]) -> None:
    """Note when each version of a match arrives."""
    async for update in here.ada.watch(name):
        seen[update.version] = time.perf_counter()


async def one_reply(here: Hall, name: str, seen: dict[int, float], rng: Random) -> list[float]:
    """Ada moves; how long the bot took to answer, if it was its turn then."""
    asked = await here.ada.actions(name)
    began = time.perf_counter()
    reply = await here.ada.play(name, rng.choice(asked.actions))
    if all(one.seat == 0 for one in reply.decisions) or reply.finished:
        return []
    answer = reply.version + 1

    async def answered() -> bool:
        return answer in seen

    await until(answered, PATIENCE_S)
    return [(seen[answer] - began) * 1000]


@asynccontextmanager
async def busy(here: Hall, queued: int) -> AsyncIterator[list[int]]:
    """Let so many matches between bots go on that about `queued` turns wait; how many did, at
    each look."""
    lengths: list[int] = []

    async def match() -> None:
        while True:
            going = await here.studio.create_match([bot("random")] * BOTS_EACH)
            while going.state == pb.MATCH_STATE_ACTIVE:
                await asyncio.sleep(GLANCE_S)
                going = await here.studio.get_match(going)

    async def look() -> None:
        while True:
            lengths.append(await here.broker.llen(BOTS))
            await asyncio.sleep(LOOK_S)

    matches = [asyncio.create_task(match()) for _ in range(queued // ASKED_EACH)]
    looking = asyncio.create_task(look())
    try:
        yield lengths
    finally:
        await ended([looking, *matches])


async def latencies(here: Hall) -> list[Figure]:
    """How long a person waits for an instant bot."""
    await here.ready()
    figures = []
    for queued in QUEUED:
        async with busy(here, queued) as lengths:
            took = await replies(here, LANES if queued else 1)
        if len(took) < 2:
            print(f"no reply within {LONGEST_S:.0f} s while {queued} turns wait", file=sys.stderr)
            continue
        cuts = quantiles(took, n=100)
        note = f"{len(took)} replies, {median(lengths or [0]):.0f} turns queued meanwhile"
        figures.append(Figure(f"bot_reply_p50_ms_{queued}", "ms", [cuts[49]], note))
        figures.append(Figure(f"bot_reply_p99_ms_{queued}", "ms", [cuts[98]], note))
    return figures


async def rates(here: Hall) -> list[Figure]:
    """Turns of bots, all at once, and then the invasions that they have led to."""
    for _ in range(INVADED):
        await here.studio.create_match([bot("random")])

    async def all_invaded() -> bool:
        waiting = await here.broker.llen(INVASIONS)
        return waiting >= INVADED and not await here.broker.llen(BOTS)

    async def none_invaded() -> bool:
        return not await here.broker.llen(INVASIONS)

    turns = await drained(here, BOTS, all_invaded)
    invasions = await drained(here, INVASIONS, none_invaded)
    note = f"{INVADED} matches at once"
    return [
        Figure("bot_decisions_per_s", "decisions/s", [turns], f"random, {note}"),
        Figure("invasions_per_s", "invasions/s", [invasions], note),
    ]


async def drained(here: Hall, queue: str, done: Callable[[], Awaitable[bool]]) -> float:
    """Tasks a second that a worker of one queue takes, from its first one until `done`."""

    async def taken() -> int:
        return int(await here.broker.get(passed_key(queue)) or 0)

    async def begun() -> bool:
        return await taken() > 0

    async with crew(replace(here.settings, replica=f"of-{queue}"), [queue]):
        await until(begun, PATIENCE_S)
        first, began = await taken(), time.perf_counter()
        await until(done, PATIENCE_S)
        return (await taken() - first) / (time.perf_counter() - began)


async def measured(folder: Path) -> list[Figure]:
    """Everything, on servers of its own."""
    with EmbeddedRedis(folder / "data") as server:
        async with hall(server.url, f"{server.url[:-1]}1", folder) as here:
            figures = await latencies(here)
    with EmbeddedRedis(folder / "more") as server:
        hosted = GAMES["hadrians_wall"]
        async with hall(
            server.url, f"{server.url[:-1]}1", folder, hosted=hosted, queues=[CLOCKS]
        ) as here:
            return figures + await rates(here)


def run() -> list[Figure]:
    """One run: the latencies are quantiles of many answers."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(measured(Path(folder)))
