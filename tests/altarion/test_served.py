"""Altarion through the public API: people and a bot at one table, on real servers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

import pytest
from google.protobuf.duration_pb2 import Duration

from services.altarion.board import starts
from services.games import GAMES
from services.runtime.auth import Caller, Keys, Role
from tests.conftest import DATABASES
from tests.servers import Server
from tests.until import until
from tests.workers.given import Hall, hall, kind
from vallum.client import Client, GameClient, bot, player
from vallum.match.v1 import match_pb2 as pb

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

PATIENCE = 240.0
"""Seconds that the match may take, on a machine that has other things to do."""


@asynccontextmanager
async def second_person(here: Hall) -> AsyncIterator[GameClient]:
    """Bea, who plays too."""
    assert here.settings.key_file is not None
    token = Keys.ensure(here.settings.key_file).mint(Caller("bea", "acme", Role.PLAYER))
    async with Client(f"127.0.0.1:{here.settings.port}", token) as client:
        yield client.game(GAMES["altarion"].package)


async def plays(person: GameClient, name: str, rng: Random) -> None:
    """Somebody answers at random whatever is asked, to the end."""
    async for _ in person.watch(name):
        while (asked := await person.actions(name)).actions:
            await person.play(name, rng.choice(asked.actions))


async def test_people_and_a_bot_play_to_the_end(redis_server: Server, tmp_path: Path) -> None:
    redis_url, broker_url = (redis_server.database(next(DATABASES)) for _ in range(2))
    async with (
        hall(redis_url, broker_url, tmp_path, hosted=GAMES["altarion"]) as here,
        second_person(here) as bea,
        asyncio.timeout(PATIENCE),
    ):
        seats = [player("ada"), bot("easy"), player("bea")]
        name = (await here.studio.create_match(seats, options={"round_limit": 20})).name
        await asyncio.gather(plays(here.ada, name, Random(8)), plays(bea, name, Random(9)))
        match = await here.studio.get_match(name)
        assert sorted(place.seat for place in match.result.places) == [0, 1, 2]
        assert match.result.outcome in ("special", "elimination", "limit")
        moved = {int(entry.get("seat", 0)) for entry in await here.entries(name)}
        assert moved == {-1, 0, 1, 2}


async def test_the_view_over_the_wire_shows_the_board(redis_server: Server, tmp_path: Path) -> None:
    redis_url, broker_url = (redis_server.database(next(DATABASES)) for _ in range(2))
    async with hall(redis_url, broker_url, tmp_path, hosted=GAMES["altarion"]) as here:
        name = (await here.studio.create_match([player("ada"), player("bea")])).name
        seen = (await here.ada.view(name)).view
        assert len(seen.fields) == 61
        assert [one.q for one in seen.fields[:5]] == [-4] * 5
        assert len(seen.players) == 2
        assert set(seen.reachable) in ({55, 49, 42}, {5, 11, 18})


async def test_10_3_13_4_whose_time_runs_out_has_answered_as_the_rules_say(
    redis_server: Server, tmp_path: Path
) -> None:
    redis_url, broker_url = (redis_server.database(next(DATABASES)) for _ in range(2))
    clock = pb.Clock(per_decision=Duration(seconds=5))
    async with (
        hall(redis_url, broker_url, tmp_path, hosted=GAMES["altarion"]) as here,
        asyncio.timeout(PATIENCE),
    ):
        seats = [player("ada"), bot("random")]
        name = (await here.studio.create_match(seats, clock=clock)).name

        async def bot_in_charge() -> bool:
            return bool((await here.studio.get_match(name)).seats[0].bot)

        await until(bot_in_charge, PATIENCE)
        await here.ada.resign(name)
        entries = await here.entries(name)
    answers = [entry for entry in entries if int(entry.get("seat", 0)) == 0]
    assert [kind(entry) for entry in answers[:2]] == ["clock_expired", "place_hero"]
    assert json.loads(answers[1]["action_json"])["field"] == min(starts(2, 0))
