"""Several queues, several replicas, changes of mind at once: nobody is in two matches."""

from __future__ import annotations

import asyncio
from collections import Counter
from random import Random
from typing import Any

from redis.asyncio import Redis

from services.matchmaking.asked import Asked, Queue
from services.matchmaking.bind import matchmaking
from services.matchmaking.model import Entrant
from services.matchmaking.storage import Storage
from services.matchmaking.tickets import New, create, get
from services.matchmaking.times import now_ms
from services.runtime.app import App
from services.runtime.auth import Verifier
from services.runtime.bus import ENTRY, streams
from services.runtime.settings import Settings
from tests.matchmaking.given import BOTS, GAMES, Hall
from tests.matchmaking.test_tickets import SHORT
from tests.referee.given import KEYS, Refused
from tests.until import until
from vallum.events.v1 import events_pb2 as ev
from vallum.matchmaking.v1 import matchmaking_pb2 as mm

MATCHED, WAITING = mm.TICKET_STATE_MATCHED, mm.TICKET_STATE_WAITING
QUEUES = 6


async def formed(redis: Redis, settings: Settings) -> list[ev.MatchFormed]:
    """Every match that was told on the bus."""
    rows: list[Any] = []
    for key in streams("formed", settings.partitions):
        rows += await redis.xrange(key) or ()
    return [ev.Event.FromString(row[ENTRY]).match_formed for _, row in rows]


async def at_most_alive(redis: Redis, most: int) -> bool:
    """Whether no more tickets than that are still live."""
    live: Any = await redis.hgetall(Storage(redis).of("north").key("live"))
    return sum(map(int, live.values())) <= most


def asks(player: str, queue: int, **fields: Any) -> dict[str, Any]:
    """A ticket of one of six queues, told apart by their clocks."""
    return {
        "game": "ambush",
        "options_json": SHORT,
        "party": [{"player": player}],
        "clock": {"per_decision": {"seconds": 60 + queue}},
        "request_id": f"{player}-{queue}",
    } | fields


async def test_the_same_player_in_six_queues_gets_one_match(
    hall: Hall, redis: Redis, settings: Settings
) -> None:
    names = [f"p{number}" for number in range(13)]
    requests = [asks(name, queue) for queue in range(QUEUES) for name in names]
    Random(1).shuffle(requests)
    async with App(settings, [matchmaking(GAMES, BOTS, KEYS)], Verifier(KEYS)):  # another replica
        backend = hall.backend()
        made = (await backend.call("BatchCreateTickets", requests=requests)).outcomes
        who = [one["party"][0]["player"] for one in requests]
        tickets = [(name, one.name) for name, one in zip(who, made, strict=True)]
        await until(lambda: at_most_alive(redis, QUEUES), 30)
        found = [(name, await backend.sees(ticket)) for name, ticket in tickets]
    matches = Counter(name for name, one in found if one.state == MATCHED)
    assert set(matches.values()) == {1}
    assert len(matches) >= len(names) - 1
    others = {one.reason for name, one in found if one.state != MATCHED and name in matches}
    assert others == {"player_matched"}

    async def told() -> bool:
        return sum(len(one.seats) for one in await formed(redis, settings)) >= len(matches)

    await until(told)
    seats = Counter(one.player for fact in await formed(redis, settings) for one in fact.seats)
    assert seats == matches


async def test_who_cancels_while_being_matched_is_out_or_in_never_both(
    hall: Hall, redis: Redis, settings: Settings
) -> None:
    rng = Random(2)
    people = hall.players(*(f"p{number}" for number in range(30)))
    ends: dict[str, mm.Ticket] = {}

    async def comes_and_goes(number: int) -> None:
        one = people[number]
        await asyncio.sleep(rng.uniform(0, 1.5))
        ticket = await one.enters(max_seats=3, options_json=SHORT)
        if number % 2:
            await asyncio.sleep(rng.uniform(0, 0.6))
            try:
                await one.call("CancelTicket", name=ticket)
            except Refused as refusal:
                assert refusal.code == "already_matched"  # noqa: PT017
        ends[one.who.subject] = await one.sees(ticket)

    await asyncio.gather(*(comes_and_goes(number) for number in range(30)))
    await until(lambda: at_most_alive(redis, 1), 30)
    ends = {name: await hall.backend().sees(one.name) for name, one in ends.items()}
    matched = {name: one.match for name, one in ends.items() if one.state == MATCHED}

    async def told() -> bool:
        return sum(len(one.seats) for one in await formed(redis, settings)) >= len(matched)

    await until(told)
    facts = await formed(redis, settings)
    seats = [(one.player, f"matches/{fact.match_id}") for fact in facts for one in fact.seats]
    assert sorted(seats) == sorted(matched.items())
    cancelled = {name for name, one in ends.items() if one.state == mm.TICKET_STATE_CANCELLED}
    assert not cancelled & matched.keys()


async def test_a_matchmaker_that_has_lost_its_lease_claims_nobody(redis: Redis) -> None:
    corner, now = Storage(redis).of("north"), now_ms()
    queue = Queue("ambush", "casual", "{}")
    asked = [Asked(queue, (Entrant(name),), (2,)) for name in ("ann", "bob")]
    tickets = [
        New(f"t{number}", "h", one, (), now, now + 60_000) for number, one in enumerate(asked)
    ]
    await create(corner, tickets)
    old = await corner.run("lease", queue.id, "first", now, 3_000)
    assert await corner.run("lease", queue.id, "second", now + 2_999, 3_000) == 0
    new = await corner.run("lease", queue.id, "second", now + 3_001, 3_000)
    assert new > old
    claim = (now, queue.id, old, "m1", 0, "ambush", b"event", "t0 t1", "ann 0 bob 1", 2)
    assert await corner.run("claim", *claim) == [b"fenced"]
    assert (await get(corner, "t0")).state == "waiting"
    claim = (now, queue.id, new, "m2", 0, "ambush", b"event", "t0 t1", "ann 0 bob 1", 2)
    assert await corner.run("claim", *claim) == [b"ok"]
    assert await corner.run("claim", *claim) == [b"ok"]
    assert await redis.xlen(corner.key("outbox")) == 1
    late = (now, queue.id, new, "m3", 0, "ambush", b"event", "t0", "ann 0", 2)
    assert await corner.run("claim", *late) == [b"gone", b"t0"]
