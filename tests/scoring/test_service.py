"""What may be asked of the scoring service, and by whom."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest
from redis.asyncio import Redis

from services.runtime.auth import Role
from services.runtime.bus import Bus, streams
from services.runtime.settings import Settings
from services.scoring.database import database_of
from services.scoring.recompute import recomputed
from tests.referee.given import Refused
from tests.scoring.given import DAY, NOON, Hall, finished, hall
from tests.until import until
from vallum.events.v1 import events_pb2 as ev
from vallum.match.v1 import match_pb2 as pb
from vallum.scoring.v1 import scoring_pb2 as sc

DUEL = sc.Ladder(game="ambush", seats="2")
BOTS = sc.Ladder(game="ambush", seats="3-4", mode=pb.MODE_CASUAL, bots=True)


async def hear(there: Hall, settings: Settings, *events: ev.Event) -> None:
    """Publish facts, and wait until all have had their effect."""
    bus = Bus(there.redis, settings)
    for event in events:
        await bus.publish(event)
    root = there.asks("root", Role.ADMIN)

    async def heard() -> bool:
        results = (await root.call("ListResults", page_size=200)).results
        return len(results) >= len(events) and all(one.rated for one in results)

    await until(heard, 20.0)
    names = [one.subject for one in events]

    async def shown() -> bool:
        return await there.redis.exists("boards:made") == 1 and bool(names)

    await until(shown)


def duels() -> list[ev.Event]:
    """Ann beats bob six times, bob beats cat five times, cat and dan share five; one of another
    tenant; one between bots."""
    events = [
        finished(f"ab{number}", (1, 2), ("ann", "bob"), at=NOON + number * DAY)
        for number in range(6)
    ]
    events += [
        finished(f"bc{number}", (1, 2), ("bob", "cat"), at=NOON + number * DAY + 1)
        for number in range(5)
    ]
    events += [
        finished(f"cd{number}", (1, 1), ("cat", "dan"), at=NOON + number * DAY + 2)
        for number in range(5)
    ]
    events += [
        finished(f"s{number}", (1, 2), ("ann", "zoe"), at=NOON + number * DAY, tenant="south")
        for number in range(5)
    ]
    bots = ("bot:hard", "bot:easy", "bot:random")
    events.append(finished("robots", (1, 2, 3), bots, mode=pb.MODE_CASUAL))
    return events


@pytest.fixture
async def there(redis: Redis, settings: Settings) -> AsyncIterator[Hall]:
    """A hall where duels were fought."""
    async with hall(redis, settings) as running:
        await hear(running, settings, *duels())

        async def full() -> bool:
            page = await running.asks("ann").call("ListLeaderboard", ladder=DUEL)
            return len(page.standings) == 4

        await until(full, 20.0)
        yield running


def lines(page: Any) -> list[tuple[int, str]]:
    return [(one.rank, one.player) for one in page.standings]


async def test_what_a_hall_knows(there: Hall, settings: Settings, redis: Redis) -> None:
    """One hall for all of it: it takes a while to fill."""
    await boards(there)
    await tenants(there)
    await ratings(there)
    await statistics(there)
    await corrections(there)
    database = database_of(settings)
    verdict = await recomputed(database)
    await database.close()
    assert verdict.equal, verdict.examples
    told = [await redis.xlen(key) for key in streams("results", settings.partitions)]
    assert sum(told) == 2


async def boards(there: Hall) -> None:
    ann = there.asks("ann")
    page = await ann.call("ListLeaderboard", ladder=DUEL)
    assert lines(page)[0][1] == "ann"
    assert page.total == 4
    first = await ann.call("ListLeaderboard", ladder=DUEL, page_size=3)
    rest = await ann.call(
        "ListLeaderboard", ladder=DUEL, page_size=3, page_token=first.next_page_token
    )
    assert lines(first) + lines(rest) == lines(page)
    assert not rest.next_page_token
    season = await ann.call("ListLeaderboard", ladder=DUEL, season="2026-q4")
    assert lines(season) == lines(page)
    assert not (await ann.call("ListLeaderboard", ladder=DUEL, season="2027-q1")).standings
    around = await ann.call("ListLeaderboard", ladder=DUEL, around="cat", page_size=1)
    assert [name for _, name in lines(around)] == ["cat"]
    friends = await ann.call(
        "ListLeaderboard", ladder=DUEL, scope=sc.SCOPE_FRIENDS, friends=["dan", "ann", "nobody"]
    )
    assert [name for _, name in lines(friends)] == ["ann", "dan"]
    assert [rank for rank, _ in lines(friends)] == [1, 2]
    world = await ann.call("ListLeaderboard", ladder=DUEL, scope=sc.SCOPE_GLOBAL)
    assert world.total == 6
    assert sorted(name for _, name in lines(world)) == ["", "", "ann", "bob", "cat", "dan"]
    with pytest.raises(Refused, match="not on the leaderboard"):
        await ann.call("ListLeaderboard", ladder=DUEL, around="zoe")
    with pytest.raises(Refused):
        await ann.call("ListLeaderboard", ladder=DUEL, page_token="nonsense")
    await made_anew(there, lines(page))


async def made_anew(there: Hall, before: list[tuple[int, str]]) -> None:
    """A leaderboard that Redis has lost comes back from SQL."""
    await there.redis.delete("boards:made", *await there.redis.keys("board:*"))
    await there.asks("root", Role.ADMIN).call(
        "AdjustRating", ladder=BOTS, player="random", mu=10, sigma=5, reason="x", request_id="a0"
    )
    page = await there.asks("ann").call("ListLeaderboard", ladder=DUEL)
    assert lines(page) == before


async def tenants(there: Hall) -> None:
    ann, zoe = there.asks("ann"), there.asks("zoe", tenant="south")
    for method in ("GetResult", "GetRecord"):
        for who, name in ((ann, "matches/s0"), (zoe, "matches/ab0"), (ann, "matches/none")):
            with pytest.raises(Refused) as refused:
                await who.call(method, name=name)
            assert refused.value.status == grpc.StatusCode.NOT_FOUND
            assert refused.value.code == "match_not_found"
    mine = (await zoe.call("ListResults")).results
    assert {one.match.name for one in mine} == {f"matches/s{number}" for number in range(5)}
    assert (await zoe.call("GetRating", ladder=DUEL, player="bob")).rating.matches == 0
    north = (await ann.call("GetRating", ladder=DUEL)).rating
    south = (await there.asks("ann", tenant="south").call("GetRating", ladder=DUEL)).rating
    assert (north.matches, south.matches) == (6, 5)
    assert (await zoe.call("GetStatistics", game="ambush")).matches == 5
    for method in ("AdjustRating", "CorrectResult", "GetArchived"):
        with pytest.raises(Refused) as refused:
            await ann.call(method)
        assert refused.value.status == grpc.StatusCode.PERMISSION_DENIED


async def ratings(there: Hall) -> None:
    ann = there.asks("ann")
    rating = (await ann.call("GetRating", ladder=DUEL)).rating
    assert (rating.player, rating.matches, rating.provisional) == ("ann", 6, False)
    changes = (await ann.call("ListRatingChanges", ladder=DUEL, page_size=4)).changes
    assert [one.cause for one in changes] == [f"matches/ab{number}" for number in (5, 4, 3, 2)]
    assert changes[0].mu_before == changes[1].mu_after
    assert changes[0].formula == "pl-1"
    assert '"player":"bob"' in changes[0].inputs_json
    listed = (await ann.call("ListRatings")).ratings
    assert [(one.ladder.seats, one.ladder.bots) for one in listed] == [("2", False)]
    hard = (await ann.call("GetRating", ladder=BOTS, player="hard")).rating
    assert hard.mu == pytest.approx(27.869049, abs=1e-6)
    assert hard.provisional
    stranger = (await ann.call("GetRating", ladder=DUEL, player="nobody")).rating
    assert (stranger.mu, stranger.matches, stranger.provisional) == (25.0, 0, True)


async def statistics(there: Hall) -> None:
    ann = there.asks("ann")
    against = await ann.call("GetHeadToHead", other="bob")
    assert (against.won, against.shared, against.lost) == (6, 0, 0)
    shared = await ann.call("GetHeadToHead", player="dan", other="cat")
    assert (shared.won, shared.shared, shared.lost) == (0, 5, 0)
    figures = await ann.call("GetStatistics", game="ambush", seats=2)
    assert figures.matches == 16
    assert sum(figures.scores.bins) == figures.scores.count == 32
    first, second = figures.seats
    assert first.firsts + second.firsts == pytest.approx(1.0)
    assert first.firsts == pytest.approx((11 + 2.5) / 16)
    assert first.firsts_low < first.firsts < first.firsts_high
    (renown,) = figures.lines
    assert (renown.key, renown.count) == ("renown", 32)
    assert (await ann.call("ListResults", player="dan")).results[0].match.name == "matches/cd4"


async def corrections(there: Hall) -> None:
    root, ann = there.asks("root", Role.ADMIN), there.asks("ann")
    void = {"name": "matches/ab0", "void": True, "reason": "a test match", "request_id": "c1"}
    result = (await root.call("CorrectResult", **void)).result
    assert result.void
    assert [one.reason for one in result.corrections] == ["a test match"]
    assert result.match.result.places
    assert not result.rating_changes
    again = (await root.call("CorrectResult", **void)).result
    assert again == result
    with pytest.raises(Refused) as refused:
        await root.call("CorrectResult", **void | {"name": "matches/ab1"})
    assert refused.value.code == "request_id_reused"
    assert (await ann.call("GetRating", ladder=DUEL)).rating.matches == 5
    half = {"name": "matches/ab1", "places": [pb.Place(seat=0, place=1)], "reason": "x"}
    with pytest.raises(Refused) as refused:
        await root.call("CorrectResult", **half, request_id="c2")
    assert refused.value.status == grpc.StatusCode.INVALID_ARGUMENT
