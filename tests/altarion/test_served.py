"""Altarion through the public API: a person against bots, on real servers."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest

from services.games import GAMES
from tests.conftest import DATABASES
from tests.servers import Server
from tests.workers.given import hall
from vallum.client import bot, player

pytestmark = pytest.mark.slow

PATIENCE = 100.0
"""Seconds that the match may take, on a machine that has other things to do."""


async def test_a_person_and_bots_play_to_the_end(redis_server: Server, tmp_path: Path) -> None:
    redis_url, broker_url = (redis_server.database(next(DATABASES)) for _ in range(2))
    rng = Random(8)
    async with (
        hall(redis_url, broker_url, tmp_path, hosted=GAMES["altarion"]) as here,
        asyncio.timeout(PATIENCE),
    ):
        seats = [player("ada"), bot("greedy"), bot("random")]
        name = (await here.studio.create_match(seats, options={"round_limit": 20})).name
        async for _ in here.ada.watch(name):
            await here.answer(name, rng)
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
