"""A whole match of Hadrian's Wall through the public API: one person, three bots, six invasions."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest

from services.games import GAMES
from services.lab.verify import verify
from services.workers.queues import FALLBACK
from tests.conftest import DATABASES
from tests.servers import Server
from tests.workers.given import Hall, by_seat, hall, kind
from vallum.client import bot, player
from vallum.match.v1 import match_pb2 as pb

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

HOSTED = GAMES["hadrians_wall"]
YEARS = 6
SEED = 122


@pytest.fixture(scope="module")
async def there(
    redis_server: Server, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Hall]:
    redis_url, broker_url = (redis_server.database(next(DATABASES)) for _ in range(2))
    folder: Path = tmp_path_factory.mktemp("wall")
    async with hall(redis_url, broker_url, folder, hosted=HOSTED) as running:
        yield running


async def test_one_person_and_three_bots_run_from_creation_to_result(there: Hall) -> None:
    seats = [player("ada"), bot("easy"), bot("greedy"), bot("raising")]
    created = await there.studio.create_match(seats)
    entries = await there.played(created.name, SEED)
    match_id = created.name.removeprefix("matches/")

    ended = await there.ada.get_match(created.name)
    assert ended.state == pb.MATCH_STATE_FINISHED
    assert sorted(one.seat for one in ended.result.places) == [0, 1, 2, 3]
    assert all(sheet.lines for sheet in ended.result.sheets)

    invasions = [one for one in entries if kind(one) == "attack"]
    task = re.compile(re.escape(match_id) + r":\d+:-1")
    assert len(invasions) == YEARS
    assert all(task.fullmatch(one["request_id"]) for one in invasions)
    for seat, ending in ((1, ""), (2, ""), (3, FALLBACK)):
        turn = re.compile(re.escape(match_id) + rf":\d+:{seat}{ending}")
        played = by_seat(entries, seat)
        assert played
        assert all(turn.fullmatch(one["request_id"]) for one in played)
    assert not any(one["request_id"].startswith(match_id) for one in by_seat(entries, 0))

    record = await there.studio.record(created.name)
    assert verify(msgspec.json.encode(record), {"hadrians_wall": HOSTED}).entries == len(entries)
