"""Whatever befalls workers, dispatchers, the broker and the storage: matches go on (design 6)."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import quantiles

import msgspec
import psutil
import pytest

from services.games import hosted
from services.lab.verify import verify
from services.referee.due import TURN_LEASE_MS
from services.runtime.auth import Caller, Keys, Role
from services.runtime.redis import connect
from tests.faults.processes import Storage
from tests.faults.turns import Taken, check_turns, stood_open, taken
from tests.served import READY_S, Served
from tests.until import until
from vallum.client import Client, GameClient, Retry, bot
from vallum.match.v1 import match_pb2 as pb

GAMES = hosted(("tests.ambush.hosted",))
RETRY = Retry(patience=120.0, timeout=15.0, longest_pause=0.5)
CREWS = ("north", "south")
MATCH_S = 2.0
"""Seconds that a match may take of all its time: two cores play one in a quarter of that. Each
fault may cost what a crew takes to start here, and that twice."""
TABLES = (
    ("hadrians_wall", ("random",)),
    ("hadrians_wall", ("greedy", "random")),
    *[("ambush", ("random", "greedy")), ("ambush", ("greedy", "random", "random"))] * 4,
)
"""Matches are spread over these: both games have moves of NATURE that a worker resolves."""


@dataclass
class Scene:
    """A host, two crews and their storage, each a process of its own, and what befell them."""

    storage: Storage
    host: Served
    crews: dict[str, Served]
    client: Client
    rng: Random
    start_s: float = 0.0
    """How long the crews took to start here and now."""
    ended: int = 0
    over: bool = False
    befell: list[str] = field(default_factory=list)

    @property
    def broker_url(self) -> str:
        """The queues' database."""
        return self.storage.server.url.removesuffix("0") + "1"

    def game(self, key: str) -> GameClient:
        """The matches of a game."""
        return self.client.game(GAMES[key].package)

    async def victim(self, *, leads: bool) -> psutil.Process:
        """A Celery worker, the leader of its group of processes, or one that takes its turns; as
        soon as there is one."""
        found: list[psutil.Process] = []

        async def there() -> bool:
            for crew in self.crews.values():
                found.extend(one for one in crew.children() if leader(one) is leads)
            return bool(found)

        await until(there, READY_S)
        return self.rng.choice(found)


def leader(process: psutil.Process) -> bool | None:
    """Whether it leads its group; None when it has just ended."""
    try:
        return os.getpgid(process.pid) == process.pid
    except ProcessLookupError:
        return None


async def kill_worker(scene: Scene) -> None:
    """SIGKILL of a Celery worker with all its processes."""
    worker = await scene.victim(leads=True)
    with suppress(ProcessLookupError):
        os.killpg(worker.pid, signal.SIGKILL)


async def kill_process(scene: Scene) -> None:
    """SIGKILL of a single process that takes turns."""
    process = await scene.victim(leads=False)
    with suppress(psutil.NoSuchProcess):
        process.kill()


async def kill_dispatcher(scene: Scene) -> None:
    """SIGKILL of a dispatcher's process, which takes its worker with it."""
    crew = scene.crews[scene.rng.choice(CREWS)]
    crew.kill()
    crew.start()


async def flush_broker(scene: Scene) -> None:
    """Everything that is queued, and who has it in hand, is gone."""
    async with connect(scene.broker_url) as broker:
        await broker.flushdb()


async def restart_redis(scene: Scene) -> None:
    """SIGKILL of the storage and the broker in one."""
    await scene.storage.crash()


FAULTS: dict[str, Callable[[Scene], Awaitable[None]]] = {
    "worker": kill_worker,
    "process": kill_process,
    "dispatcher": kill_dispatcher,
    "flush": flush_broker,
    "redis": restart_redis,
}


@asynccontextmanager
async def scene(folder: Path, seed: int) -> AsyncIterator[Scene]:
    """Start everything; end it by the handles it was started with."""
    storage, keys = Storage(folder / "redis"), Keys.ensure(folder / "key.pem")
    storage.server.start()
    known = {
        "redis_url": storage.server.url,
        "broker_url": storage.server.url.removesuffix("0") + "1",
        "key_file": folder / "key.pem",
        "extra_games": "tests.ambush.hosted",
        "bots_processes": 1,
        "invasions_processes": 1,
        "worker_silence": 15,
    }
    host = Served("ambush", "hadrians_wall", **known)
    targets = ",".join(f"{game}={host.target}" for game in GAMES)
    crews = {
        name: Served("workers", **known, replica=name, rules_targets=targets) for name in CREWS
    }
    studio = Caller("studio", "north", Role.TENANT)
    async with AsyncExitStack() as stack:
        stack.callback(storage.server.stop)
        for process in (host, *crews.values()):
            stack.callback(process.stop)
            process.start()
        client = Client(host.target, keys.mint(studio, 3600), retry=RETRY)
        await stack.enter_async_context(client)
        there = Scene(storage, host, crews, client, Random(seed))
        began = time.monotonic()
        await asyncio.gather(host.listening(), *(consumes(there, name) for name in CREWS))
        there.start_s = time.monotonic() - began
        yield there


async def consumes(scene: Scene, crew: str) -> None:
    """Wait until a crew's worker has begun its first task."""
    async with connect(scene.broker_url) as broker:

        async def begun() -> bool:
            return bool(await broker.keys(f"worker:{crew}-*:begun"))

        await until(begun, READY_S)


async def befall(scene: Scene, faults: int) -> None:
    """One fault of each kind, then any, at random moments."""
    order = scene.rng.sample(sorted(FAULTS), len(FAULTS))
    order += [scene.rng.choice(sorted(FAULTS)) for _ in range(faults - len(order))]
    began = time.monotonic()
    for name in order:
        await asyncio.sleep(scene.rng.uniform(0.3, 1.2))
        if scene.over:
            return
        await FAULTS[name](scene)
        scene.befell.append(f"{name} at {time.monotonic() - began:.1f} s")


async def plays_out(scene: Scene, number: int) -> None:
    """A match of bots, from its creation to its end."""
    key, policies = TABLES[number % len(TABLES)]
    game = scene.game(key)
    options = {"rounds": 1} if key == "ambush" else None
    seats = [bot(policy) for policy in policies]
    match = await game.create_match(seats, options=options, match_id=f"m{number}")
    while match.state == pb.MATCH_STATE_ACTIVE:
        await asyncio.sleep(scene.rng.uniform(1.0, 2.0))
        match = await game.get_match(match)
    scene.ended += 1


async def turns_of(scene: Scene, number: int) -> list[Taken]:
    """The turns of a match that has ended, after a look at everything that may be wrong."""
    key, match_id = TABLES[number % len(TABLES)][0], f"m{number}"
    record = await scene.game(key).record(match_id)
    assert verify(msgspec.json.encode(record), GAMES).entries == len(record["entries"])
    async with connect(scene.storage.server.url) as redis:
        turns = await taken(redis, GAMES[key], match_id)
    check_turns(match_id, turns)
    return turns


@pytest.mark.faults
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(
    ("matches", "faults"), [(50, 8), pytest.param(1000, 200, marks=pytest.mark.soak)]
)
async def test_matches_of_bots_end_whatever_befalls_those_who_play_them(
    tmp_path: Path, matches: int, faults: int
) -> None:
    seed = time.time_ns() % 1_000_000
    print(f"seed {seed}")
    async with scene(tmp_path, seed) as there:
        limit = matches * MATCH_S + 2 * faults * there.start_s
        befalling = asyncio.create_task(befall(there, faults))
        began = time.monotonic()
        try:
            async with asyncio.timeout(limit):
                await asyncio.gather(*(plays_out(there, number) for number in range(matches)))
            took = time.monotonic() - began
        finally:
            there.over = True
            await befalling
            print(f"{there.ended} of {matches} ended; befell:", "; ".join(there.befell))
        kinds = {one.split()[0] for one in there.befell}
        assert kinds == set(FAULTS), "the matches were over before everything was tried"
        turns = [one for number in range(matches) for one in await turns_of(there, number)]
        stood = stood_open(turns)
        longest = max(stood, key=lambda request: stood[request])
        cuts = quantiles(stood.values(), n=100)
        print(
            f"{matches} matches in {took:.1f} s, {len(turns)} answers; a turn stood open for "
            f"{cuts[49]:.2f} s (p50), {cuts[98]:.2f} s (p99), {stood[longest]:.2f} s at most "
            f"({longest}); a crew took {there.start_s:.1f} s to start"
        )
        assert sum(one.seat < 0 for one in turns) >= matches, "NATURE's moves by workers"
        assert cuts[98] < 3 * (TURN_LEASE_MS / 1000 + there.start_s)
