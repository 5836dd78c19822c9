"""Scoring: results a second from the bus to the archive, leaderboard pages, verification."""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path
from random import Random
from statistics import quantiles
from typing import Any, NamedTuple

import grpc
from redis.asyncio import Redis
from sqlalchemy import func, select

from services.bots import arena
from services.bots.policies import policies
from services.lab.record import record_text
from services.lab.verify import verify
from services.runtime.app import App
from services.runtime.auth import Caller, Keys, Role, Verifier
from services.runtime.bus import Bus, streams
from services.runtime.consumer import Consumer
from services.runtime.database import Database
from services.runtime.embedded import EmbeddedRedis
from services.runtime.letters import DeadLetters
from services.runtime.loops import ended
from services.runtime.redis import connect
from services.runtime.settings import Settings
from services.scoring.archive import Archive
from services.scoring.bind import GROUP, scoring
from services.scoring.boards import MARK, Boards, board, member
from services.scoring.database import database_of
from services.scoring.handlers import Handlers
from services.scoring.model import Who
from services.scoring.schema import ENTRIES, RECORDS
from tests.ambush.hosted import HOSTED
from tests.bench.figures import Figure
from tests.scoring.given import NOON, finished
from vallum.client import record_from_json
from vallum.match.v1 import match_pb2 as pb
from vallum.scoring.v1 import scoring_pb2 as sc

RESULTS = 500
PLAYERS = 1_000_000
PAGES = 1000
RUNS = 3
LADDER = "ambush/3-4/ranked/players"
SEED = b"bench"


def match_text() -> bytes:
    """The record of one match of four random bots."""
    bots = ("random",) * 4
    random = policies(())["random"]
    options = HOSTED.game.Options()
    played = arena.match(HOSTED.game, options, [random] * 4, SEED.decode())
    return record_text(HOSTED, "bench", bots, options, SEED, played.entries)


class OneRecord:
    """A rules service that has always the same record."""

    def __init__(self, text: bytes) -> None:
        self._record = record_from_json(text)

    async def record(self, game: str, name: str) -> pb.Record:
        """That record, under another name."""
        record = pb.Record()
        record.CopyFrom(self._record)
        record.name = name
        return record


class Pace(NamedTuple):
    """What results cost, from facts on the bus to ratings and RecordArchived."""

    per_s: float
    cpu_ms: float
    """CPU time of the service for each: what a busy machine does not change."""


async def end_to_end(settings: Settings, redis: Redis, source: OneRecord, run: int) -> Pace:
    """The pace of one run."""
    rng = Random(run)
    people = [f"p{number}" for number in range(500)]
    bus = Bus(redis, settings)
    for number in range(RESULTS):
        places, who = rng.sample((1, 2, 3, 4), 4), rng.sample(people, 4)
        at = NOON + number * 1000  # matches end one after the other
        await bus.publish(finished(f"r{run}-{number}", places, who, at=at))
    database = database_of(settings)
    await database.migrate()
    boards, archive = Boards(redis, database), Archive(database, source)
    letters = DeadLetters(redis, GROUP)
    handlers = Handlers(database, boards, archive, Bus(redis, settings), letters)
    began, used = time.perf_counter(), time.process_time()
    working = asyncio.create_task(handlers.run())
    async with Consumer(redis, settings, GROUP, handlers.table):
        while not await all_done(database, redis, settings):  # noqa: ASYNC110 # as in `until`
            await asyncio.sleep(0.1)
    took, cpu = time.perf_counter() - began, time.process_time() - used
    await ended([working])
    await database.close()
    return Pace(RESULTS / took, cpu / RESULTS * 1000)


async def all_done(database: Database, redis: Redis, settings: Settings) -> bool:
    """Whether every result is rated, archived and told of."""
    told = [await redis.xlen(key) for key in streams("archive", settings.partitions)]
    if sum(told) < RESULTS:
        return False
    async with database.reading() as connection:
        kept = select(func.count()).select_from(RECORDS)
        due = select(func.count()).select_from(ENTRIES).where(ENTRIES.c.due)
        rows = [(await connection.execute(one)).scalar_one() for one in (kept, due)]
    return rows == [RESULTS, 0]


async def paces(folder: Path) -> list[Pace]:
    """Several runs, each on an empty storage."""
    source = OneRecord(match_text())
    runs = []
    for run in range(RUNS):
        data = folder / f"results-{run}"
        with EmbeddedRedis(data, "everysec") as server:
            settings = Settings(redis_url=server.url, data_dir=data, log_level="warning")
            async with connect(server.url) as redis:
                runs.append(await end_to_end(settings, redis, source, run))
    return runs


async def pages(folder: Path) -> tuple[list[float], list[float]]:
    """(p50, p99) in ms of leaderboard pages among a million players, over gRPC."""
    keys = Keys.generate()
    with EmbeddedRedis(folder / "boards", "memory") as server:
        settings = Settings(redis_url=server.url, data_dir=folder / "boards", port=0, rate_player=0)
        async with (
            connect(server.url) as redis,
            App(settings, [scoring({}, keys)], Verifier(keys)) as app,
            grpc.aio.insecure_channel(app.target) as channel,
        ):
            await filled(redis)
            token = keys.mint(Caller("p7", "north", Role.PLAYER))
            halves, nines = [], []
            for run in range(RUNS):
                cuts = quantiles(await asked(channel, token, Random(run)), n=100)
                halves.append(cuts[49] * 1000)
                nines.append(cuts[98] * 1000)
            return halves, nines


async def filled(redis: Any) -> None:
    """A leaderboard of a million."""
    rng = Random(1)
    await redis.set(MARK, 1)
    for start in range(0, PLAYERS, 10_000):
        names = [member(Who("north", f"p{number}")) for number in range(start, start + 10_000)]
        scores = {name: round(rng.gauss(15, 6), 3) for name in names}
        await redis.zadd(board(LADDER, "", "north"), scores)


async def asked(channel: grpc.aio.Channel, token: str, rng: Random) -> list[float]:
    """Seconds of each of many pages: the top, somewhere, around somebody."""
    stub: Any = channel.unary_unary(
        "/vallum.scoring.v1.ScoringService/ListLeaderboard",
        request_serializer=sc.ListLeaderboardRequest.SerializeToString,
        response_deserializer=sc.ListLeaderboardResponse.FromString,
    )
    metadata = (("authorization", f"Bearer {token}"),)
    ladder = sc.Ladder(game="ambush", seats="3-4")
    took = []
    for number in range(PAGES):
        around = f"p{rng.randrange(PLAYERS)}" if number % 2 else ""
        request = sc.ListLeaderboardRequest(ladder=ladder, around=around)
        began = time.perf_counter()
        page = await stub(request, metadata=metadata)
        took.append(time.perf_counter() - began)
        assert len(page.standings) >= 25
    return took


def verify_per_s() -> list[float]:
    """Entries of a record replayed and checked a second of CPU."""
    text = match_text()
    known = {"ambush": HOSTED}
    runs = []
    for _ in range(RUNS):
        began, entries = time.process_time(), 0
        while time.process_time() - began < 1.0:
            entries += verify(text, known).entries
        runs.append(entries / (time.process_time() - began))
    return runs


def run() -> list[Figure]:
    """Every figure."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        results = asyncio.run(paces(folder))
        halves, nines = asyncio.run(pages(folder))
    board_note = f"{PLAYERS:,} players"
    return [
        Figure(
            "scoring_results_per_s",
            "results/s",
            [one.per_s for one in results],
            "SQLite, bus to RecordArchived",
        ),
        Figure(
            "scoring_result_cpu_ms",
            "ms",
            [one.cpu_ms for one in results],
            "CPU of the service for each, archive and ratings included",
        ),
        Figure("scoring_leaderboard_page_p50_ms", "ms", halves, board_note),
        Figure("scoring_leaderboard_page_p99_ms", "ms", nines, board_note),
        Figure("verify_moves_per_s", "moves/s", verify_per_s(), "Ambush, four seats, of CPU"),
    ]
