"""A match that is played to its end is scored, rated, archived, and then let go."""

from __future__ import annotations

from random import Random

import msgspec
from redis.asyncio import Redis

from services.lab.verify import verify
from services.referee.log import keys as keys_of
from services.runtime.auth import Role
from services.runtime.settings import Settings
from tests.ambush.hosted import HOSTED
from tests.referee.given import play_on
from tests.scoring.given import Hall, hall
from tests.until import until
from vallum.client import record_to_json
from vallum.match.v1 import match_pb2 as pb

PEOPLE = ("ann", "bob", "cat", "dan")


async def ranked_match(there: Hall, seed: int) -> str:
    """A ranked match of four, played at random."""
    tenant = there.world.person("backend", Role.TENANT)
    created = await tenant.call(
        "CreateMatch", seats=[{"player": name} for name in PEOPLE], mode=pb.MODE_RANKED
    )
    match = str(created.match.name)
    await play_on(there.world, match, there.world.people(*PEOPLE), Random(seed))
    return match


async def test_a_ranked_match_of_four_ends_in_sheets_places_ratings_and_a_record(
    redis: Redis, settings: Settings
) -> None:
    async with hall(redis, settings) as there:
        match = await ranked_match(there, 1)
        asks = there.asks("ann")

        async def archived() -> bool:
            found = await asks.call("ListResults")
            return bool(found.results) and found.results[0].archived

        await until(archived)
        result = (await asks.call("GetResult", name=match)).result
        assert [sheet.seat for sheet in result.match.result.sheets] == [0, 1, 2, 3]
        assert all(sheet.lines for sheet in result.match.result.sheets)
        assert all(one.decided_by for one in result.places)
        assert result.rated
        assert sorted(one.player for one in result.rating_changes) == sorted(PEOPLE)
        assert {one.mu_before for one in result.rating_changes} == {25.0}
        places = {
            result.match.seats[one.seat].player: one.place for one in result.match.result.places
        }
        best_first = sorted(result.rating_changes, key=lambda one: -one.mu_after)
        assert [places[one.player] for one in best_first] == sorted(places.values())

        key = keys_of("ambush", match.removeprefix("matches/"), settings.partitions)

        async def let_go() -> bool:
            return await redis.ttl(key.match) > 0

        await until(let_go)
        shown = [
            (await there.world.person("ann").call(method, name=match))
            for method in ("GetMatch", "GetRecord")
        ]
        await redis.delete(key.match, key.log, key.requests)
        kept = [
            (await there.world.person("ann").call(method, name=match))
            for method in ("GetMatch", "GetRecord")
        ]
        assert kept == shown
        record = (await asks.call("GetRecord", name=match)).record
        assert record == kept[1].record
        text = msgspec.json.encode(record_to_json(record))
        assert verify(text, {"ambush": HOSTED}).name == match
        assert await there.asks("backend", Role.TENANT).export() == [record]
        assert await there.asks("rival", Role.TENANT, "south").export() == []
