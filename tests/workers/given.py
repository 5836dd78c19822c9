"""A host, a dispatcher and a real Celery worker, and somebody who plays against bots."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec
import psutil
from msgspec.structs import replace
from redis.asyncio import Redis

from services.bots import policies
from services.gamekit.hosted import Hosted
from services.referee.bind import rules
from services.runtime.app import App
from services.runtime.auth import Caller, Keys, Role, Verifier
from services.runtime.redis import connect
from services.runtime.settings import Settings
from services.workers.crew import Worker, crew
from services.workers.post import Post
from services.workers.queues import QUEUES
from tests.ambush.hosted import HOSTED
from tests.until import until
from vallum.client import Client, GameClient, bot, player
from vallum.match.v1 import match_pb2 as pb

READY_S = 60.0
"""A worker's start, on a machine that has other things to do."""
ENDS_S = 120.0
"""A match's end, with a few turns announced again."""
EXTRA_BOTS = ("tests.workers.policies",)


class Hall(NamedTuple):
    """Where matches are played against bots."""

    settings: Settings
    worker: Worker
    broker: Redis
    studio: GameClient
    """Creates and watches matches."""
    ada: GameClient
    """Plays."""

    async def match(self, *seats: pb.Occupant, rounds: int = 2) -> str:
        """A fresh match; its name."""
        created = await self.studio.create_match(seats, options={"rounds": rounds})
        return created.name

    async def against(self, *bots: str) -> str:
        """A match of ada against bots."""
        return await self.match(player("ada"), *(bot(policy) for policy in bots))

    async def played(self, name: str, seed: int) -> list[dict[str, Any]]:
        """Ada plays at random to the end; the entries of the record."""
        rng = Random(seed)
        async with asyncio.timeout(ENDS_S):
            async for _ in self.ada.watch(name):
                await self.answer(name, rng)
        return await self.entries(name)

    async def answer(self, name: str, rng: Random) -> None:
        """Ada's answer, while she is asked anything."""
        while (asked := await self.ada.actions(name)).actions:
            await self.ada.play(name, rng.choice(asked.actions))

    async def ended(self, name: str) -> list[dict[str, Any]]:
        """Wait for the end of a match of bots; the entries of the record."""
        async with asyncio.timeout(ENDS_S):
            async for _ in self.studio.watch(name):
                pass
        return await self.entries(name)

    async def entries(self, name: str) -> list[dict[str, Any]]:
        """The entries of a finished match's record."""
        return list((await self.studio.record(name))["entries"])

    async def ready(self) -> None:
        """Wait until the worker takes turns."""
        async with asyncio.timeout(READY_S):
            await self.ended(await self.match(bot("random"), bot("random"), rounds=1))

    def kill_worker(self) -> int:
        """SIGKILL of the worker with its processes; its pid."""
        process = self.worker.process
        assert process is not None
        os.killpg(process.pid, signal.SIGKILL)
        return process.pid

    async def post(self) -> Post:
        """What the dispatcher queues tasks with."""
        return Post(self.settings, self.worker.name)


def kind(entry: dict[str, Any]) -> str:
    """The kind of move of an entry."""
    return str(msgspec.json.decode(entry["action_json"])["kind"])


def by_seat(entries: list[dict[str, Any]], seat: int) -> list[dict[str, Any]]:
    """The entries of one seat."""
    return [entry for entry in entries if int(entry.get("seat", 0)) == seat]


@asynccontextmanager
async def hall(
    redis_url: str,
    broker_url: str,
    folder: Path,
    *,
    hosted: Hosted = HOSTED,
    queues: Sequence[str] = QUEUES,
    **given: Any,
) -> AsyncIterator[Hall]:
    """Everything that a match against bots needs, on real servers."""
    key_file = folder / "key.pem"
    keys = Keys.ensure(key_file)
    settings = Settings(
        redis_url=redis_url,
        broker_url=broker_url,
        port=0,
        key_file=key_file,
        extra_games=("tests.ambush.hosted",),
        extra_bots=EXTRA_BOTS,
        replica="test",
        log_level="warning",
        bots_processes=2,
        invasions_processes=2,
        **given,
    )
    names = frozenset(policies(EXTRA_BOTS))
    async with App(settings, [rules(hosted, names)], Verifier(keys)) as app:
        known = replace(settings, port=app.port)
        studio, ada = Caller("studio", "acme", Role.TENANT), Caller("ada", "acme", Role.PLAYER)
        async with (
            crew(known, queues) as worker,
            connect(broker_url) as broker,
            Client(app.target, keys.mint(studio)) as backend,
            Client(app.target, keys.mint(ada)) as person,
        ):
            games = (backend.game(hosted.package), person.game(hosted.package))
            yield Hall(known, worker, broker, *games)


def processes_of(pid: int) -> Sequence[psutil.Process]:
    """A process with its children."""
    main = psutil.Process(pid)
    return [main, *main.children(recursive=True)]


def alive(process: psutil.Process) -> bool:
    """Whether it still runs; one that nobody has waited for does not."""
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


async def restarted(hall: Hall, old: int) -> None:
    """Wait until another worker runs."""

    async def another() -> bool:
        process = hall.worker.process
        return process is not None and process.pid != old

    await until(another, READY_S)
