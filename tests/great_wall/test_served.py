"""The Great Wall through the public API: a person against a bot, on real servers."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from random import Random

import pytest

from services.games import GAMES
from tests.conftest import DATABASES
from tests.servers import Server
from tests.workers.given import by_seat, hall, kind
from vallum.client import bot, player

pytestmark = pytest.mark.slow

PATIENCE = 100.0
"""Seconds that the match may take, on a machine that has other things to do."""


async def test_a_person_and_a_bot_play_to_the_end(redis_server: Server, tmp_path: Path) -> None:
    """The winter assault is NATURE's deferred move: workers play it."""
    redis_url, broker_url = (redis_server.database(next(DATABASES)) for _ in range(2))
    rng = Random(8)
    async with (
        hall(redis_url, broker_url, tmp_path, hosted=GAMES["great_wall"]) as here,
        asyncio.timeout(PATIENCE),
    ):
        name = (await here.studio.create_match([player("ada"), bot("greedy")])).name
        async for _ in here.ada.watch(name):
            await here.answer(name, rng)
        match = await here.studio.get_match(name)
        assert sorted(place.seat for place in match.result.places) == [0, 1]
        assert match.result.outcome in ("shame", "walls", "years")
        entries = await here.entries(name)
        assert {int(entry.get("seat", 0)) for entry in entries} == {-1, 0, 1}
        assaults = [entry for entry in by_seat(entries, -1) if kind(entry) == "assault"]
        assert len(assaults) >= 2
        task = re.compile(rf"{name.rpartition('/')[2]}:\d+:-1")
        assert all(task.fullmatch(entry["request_id"]) for entry in assaults)


async def test_the_view_over_the_wire_shows_the_wall(redis_server: Server, tmp_path: Path) -> None:
    redis_url, broker_url = (redis_server.database(next(DATABASES)) for _ in range(2))
    async with hall(redis_url, broker_url, tmp_path, hosted=GAMES["great_wall"]) as here:
        name = (await here.studio.create_match([player("ada"), player("bea")])).name
        seen = (await here.ada.view(name)).view
        assert (seen.year, seen.years, seen.shame_pool) == (1, 6, 20)
        assert [section.barricades for section in seen.sections] == [3, 3]
        assert [len(clan.generals) for clan in seen.clans] == [2, 2, 0]
        assert (seen.neutral_clan, len(seen.own.commands)) == (2, 6)
