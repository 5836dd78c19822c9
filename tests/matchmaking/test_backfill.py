"""A seat that was left in a casual match goes to somebody who waits for one."""

from __future__ import annotations

import pytest
from google.protobuf.duration_pb2 import Duration
from redis.asyncio import Redis

from services.matchmaking import backfill
from services.matchmaking.storage import Storage
from services.matchmaking.times import now_ms
from tests.matchmaking.given import Hall
from tests.matchmaking.test_tickets import SHORT, refused
from tests.until import until
from vallum.match.v1 import match_pb2 as pb
from vallum.matchmaking.v1 import matchmaking_pb2 as mm

CLOCK = pb.Clock(per_decision=Duration(seconds=5))


async def match_of_two(hall: Hall, **fields: object) -> pb.Match:
    """A match of ann and bob, formed by tickets."""
    ann, bob = hall.players("ann", "bob")
    ticket = await ann.enters(max_seats=2, options_json=SHORT, **fields)
    await bob.enters(max_seats=2, options_json=SHORT, **fields)
    return await hall.playable(await ann.is_matched(ticket))


async def test_a_seat_that_ran_out_of_time_goes_to_who_waits_for_one(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backfill, "GRACE_MS", 0)
    match = await match_of_two(hall, clock=CLOCK)
    cat = hall.player("cat")
    ticket = await cat.enters(max_seats=2, options_json=SHORT, clock=CLOCK, backfill=True)
    assert await cat.is_matched(ticket) == match.name
    seats = (await hall.playable(match.name)).seats
    (his,) = (one for one in seats if one.player == "cat")
    assert not his.bot
    (left,) = {"ann", "bob"} - {one.player for one in seats}
    person = hall.world.person("cat")
    assert [one.name for one in (await person.call("ListMatches")).matches] == [match.name]
    listed = await person.call("ListActions", name=match.name)
    if listed.actions:
        await person.play(match.name, listed.actions[0])
    with pytest.raises(Exception, match="not at the table"):
        await hall.world.person(left).call("Return", name=match.name, request_id="back")
    await cat.enters(max_seats=2, options_json=SHORT, clock=CLOCK)


async def test_who_cannot_have_the_seat_waits_on(hall: Hall, redis: Redis) -> None:
    match = await match_of_two(hall)
    cat = hall.player("cat")
    ticket = await cat.enters(max_seats=2, options_json=SHORT, backfill=True)
    before = await cat.sees(ticket)
    corner = Storage(redis).of("north")
    vacant = corner.key("vacant", before.queue)
    spot = f"{match.name.removeprefix('matches/')}/0"
    await redis.hset(vacant, spot, now_ms())

    async def tried() -> bool:
        return not await redis.hlen(vacant) and not await redis.hlen(corner.key("filling"))

    await until(tried)
    after = await cat.sees(ticket)
    assert after.state == mm.TICKET_STATE_WAITING
    assert after.version > before.version
    assert after.create_time == before.create_time
    dan = hall.player("dan")
    other = await dan.enters(max_seats=2, options_json=SHORT)
    assert await dan.is_matched(other) == await cat.is_matched(ticket)


async def test_a_ticket_that_does_not_ask_for_it_gets_no_seat_that_was_left(
    hall: Hall, redis: Redis
) -> None:
    match = await match_of_two(hall)
    cat = hall.player("cat")
    ticket = await cat.enters(max_seats=2, options_json=SHORT)
    corner = Storage(redis).of("north")
    vacant = corner.key("vacant", (await cat.sees(ticket)).queue)
    await redis.hset(vacant, f"{match.name.removeprefix('matches/')}/0", now_ms())
    dan = hall.player("dan")
    other = await dan.enters(max_seats=2, options_json=SHORT)
    assert await dan.is_matched(other) == await cat.is_matched(ticket) != match.name
    await refused("already_matched", cat, "CancelTicket", name=ticket)
