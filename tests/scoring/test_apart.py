"""Rules, scoring and workers as processes that know of each other by their settings alone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec
import pytest
from redis.asyncio import Redis
from sqlalchemy import func, select

from services.lab.verify import verify
from services.referee.log import keys as keys_of
from services.runtime.auth import Caller, Keys, Role
from services.runtime.bus import Bus
from services.runtime.database import Database
from services.runtime.settings import Settings
from services.scoring.recompute import recomputed
from services.scoring.schema import CHANGES, ENTRIES, RESULTS
from tests.ambush.hosted import HOSTED
from tests.conftest import DATABASES
from tests.scoring.given import NOON, finished
from tests.served import Served
from tests.servers import Server
from tests.until import until
from vallum.client import Client, GameClient, VallumCallError, bot, player, record_to_json
from vallum.match.v1 import match_pb2 as pb
from vallum.scoring.v1 import scoring_pb2 as sc
from vallum.scoring.v1.scoring_pb2_grpc import ScoringServiceStub

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

SEED = 612
PEOPLE = ("ann", "bob")
RESULTS_TOLD = 400
ENDS_S = 120.0


class Apart(NamedTuple):
    """The processes, and those who call them."""

    rules: Served
    scoring: Sequence[Served]
    """Two replicas on one database."""
    workers: Served
    keys: Keys
    stack: AsyncExitStack

    async def client(self, at: Served, name: str, role: Role = Role.PLAYER) -> Client:
        """Somebody's connection to one of them."""
        token = self.keys.mint(Caller(name, "north", role), 3600)
        return await self.stack.enter_async_context(Client(at.target, token))

    async def result(self, at: Served, match: str) -> sc.MatchResult:
        """A result as one replica tells it, once it is rated and archived."""
        client = await self.client(at, "ann")
        stub: Any = client.stub(ScoringServiceStub)
        found = sc.MatchResult()

        async def complete() -> bool:
            try:
                answer = await client.call(stub.GetResult, sc.GetResultRequest(name=match))
            except VallumCallError as error:
                if error.code != "match_not_found":
                    raise
                return False
            found.CopyFrom(answer.result)
            return found.rated and found.archived

        await until(complete, ENDS_S)
        return found


@asynccontextmanager
async def apart(settings: Settings, broker_url: str, folder: Path) -> AsyncIterator[Apart]:
    """Start a rules service, two replicas of scoring, and workers, each alone."""
    keys = Keys.ensure(folder / "key.pem")
    known = {
        "redis_url": settings.redis_url,
        "broker_url": broker_url,
        "scoring_db": settings.scoring_db,
        "data_dir": folder,
        "key_file": folder / "key.pem",
        "extra_games": "tests.ambush.hosted",
        "bots_processes": 1,
        "invasions_processes": 1,
        "bus_idle": 5,
    }
    scoring = [Served("scoring", **known, replica=f"scoring-{n}") for n in range(2)]
    rules = Served("ambush", **known, scoring_target=scoring[0].target)
    workers = Served("workers", **known, rules_targets=f"ambush={rules.target}")
    for replica in scoring:
        replica.tell(rules_targets=f"ambush={rules.target}")
    async with AsyncExitStack() as stack:
        for process in (rules, *scoring, workers):
            stack.callback(process.stop)
            process.start()
        await asyncio.gather(*(one.listening() for one in (rules, *scoring)))
        yield Apart(rules, scoring, workers, keys, stack)


async def plays(game: GameClient, match: str, seat: int) -> None:
    """Answer every question of one's seat at random, until the match has ended."""
    rng = Random(f"{SEED}/{seat}")
    async for update in game.watch(match):
        if all(one.seat != seat for one in update.decisions):
            continue
        while (listed := await game.actions(match)).actions:
            question = listed.decision.decision_id
            await game.play(match, rng.choice(listed.actions), expected_decision=question)


@pytest.mark.parametrize("database_at", ["postgresql"], indirect=True)
async def test_a_match_is_played_scored_rated_archived_let_go_and_read_through(
    redis: Redis, settings: Settings, redis_server: Server, tmp_path: Path
) -> None:
    broker_url = redis_server.database(next(DATABASES))
    async with apart(settings, broker_url, tmp_path) as there:
        people = [(await there.client(there.rules, name)).game(HOSTED.package) for name in PEOPLE]
        backend = (await there.client(there.rules, "studio", Role.TENANT)).game(HOSTED.package)
        seats = [*map(player, PEOPLE), bot("greedy"), bot("random")]
        match = (await backend.create_match(seats, mode=pb.MODE_RANKED)).name
        async with asyncio.timeout(ENDS_S):
            await asyncio.gather(*(plays(game, match, s) for s, game in enumerate(people)))

        told = [await there.result(replica, match) for replica in there.scoring]
        assert told[0] == told[1]
        assert [sheet.seat for sheet in told[0].match.result.sheets] == [0, 1, 2, 3]
        rated = sorted((one.ladder.bots, one.player) for one in told[0].rating_changes)
        assert rated == [(False, "ann"), (False, "bob"), (True, "greedy"), (True, "random")]

        key = keys_of("ambush", match.removeprefix("matches/"), settings.partitions)

        async def let_go() -> bool:
            return await redis.ttl(key.match) > 0

        await until(let_go, ENDS_S)
        shown = await people[0].get_match(match), await backend.record(match)
        await redis.delete(key.match, key.log, key.requests)
        assert (await people[0].get_match(match), await backend.record(match)) == shown
        assert verify(msgspec.json.encode(shown[1]), {"ambush": HOSTED}).name == match

        asks = await there.client(there.scoring[1], "ann")
        stub: Any = asks.stub(ScoringServiceStub)
        archived = await asks.call(stub.GetRecord, sc.GetRecordRequest(name=match))
        assert record_to_json(archived.record) == shown[1]


@pytest.mark.faults
async def test_two_replicas_of_scoring_count_each_result_once_though_one_is_killed(
    redis: Redis, settings: Settings, redis_server: Server, database: Database, tmp_path: Path
) -> None:
    rng = Random(SEED)
    people = [f"p{number}" for number in range(40)]
    events = [
        finished(f"m{n}", rng.sample((1, 2, 3, 4), 4), rng.sample(people, 4), at=NOON + n * 1000)
        for n in range(RESULTS_TOLD)
    ]
    told = [*events, *events[::7]]
    rng.shuffle(told)
    bus = Bus(redis, settings)
    async with apart(settings, redis_server.database(next(DATABASES)), tmp_path) as there:

        async def some() -> bool:
            return await counted(database, RESULTS) > RESULTS_TOLD // 4

        for event in told[: len(told) // 2]:
            await bus.publish(event)
        await until(some, ENDS_S)
        there.scoring[0].kill()
        for event in told[len(told) // 2 :]:
            await bus.publish(event)
        there.scoring[0].start()

        async def all_rated() -> bool:
            return await counted(database, CHANGES) == 4 * RESULTS_TOLD and not await due(database)

        await until(all_rated, ENDS_S)
        verdict = await recomputed(database)
        assert verdict.equal, verdict.examples
        assert verdict.results == RESULTS_TOLD
        await there.scoring[0].listening()
        boards = [await board(there, replica) for replica in there.scoring]
        assert boards[0] == boards[1]
        assert len(boards[0]) == len(people)


async def counted(database: Database, table: Any) -> int:
    """How many rows a table has."""
    async with database.reading() as connection:
        return int((await connection.execute(select(func.count()).select_from(table))).scalar_one())


async def due(database: Database) -> bool:
    """Whether a ladder has something to take in."""
    async with database.reading() as connection:
        query = select(ENTRIES.c.ladder).where(ENTRIES.c.due).limit(1)
        return (await connection.execute(query)).one_or_none() is not None


async def board(there: Apart, at: Served) -> list[tuple[int, str, float]]:
    """The whole leaderboard, as one replica tells it."""
    asks = await there.client(at, "p1")
    stub: Any = asks.stub(ScoringServiceStub)
    ladder = sc.Ladder(game="ambush", seats="3-4")
    request = sc.ListLeaderboardRequest(ladder=ladder, scope=sc.SCOPE_TENANT, page_size=100)
    page = await asks.call(stub.ListLeaderboard, request)
    return [(one.rank, one.player, one.score) for one in page.standings]
