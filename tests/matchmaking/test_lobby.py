"""Tables: people sit down together, and a match comes of it."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import pytest

from services.matchmaking.lobby import store
from services.matchmaking.storage import Storage
from services.matchmaking.times import now_ms
from services.runtime.redis import connect
from services.runtime.settings import Settings
from tests.matchmaking.given import Hall, Player
from tests.matchmaking.test_tickets import SHORT, refused
from tests.referee.given import play_on
from tests.until import until
from vallum.match.v1 import match_pb2 as pb
from vallum.matchmaking.v1 import lobby_pb2 as lb
from vallum.matchmaking.v1 import matchmaking_pb2 as mm

OPEN: dict[str, str] = {}


async def opens(host: Player, *seats: dict[str, str], **fields: Any) -> lb.Table:
    """A table with the host on its first seat and `seats` beside him."""
    fields = {"game": "ambush", "options_json": SHORT} | fields
    made = await host.call("CreateTable", seats=[{"player": host.who.subject}, *seats], **fields)
    table: lb.Table = made.table
    return table


async def joins(player: Player, code: str) -> lb.Table:
    """By an invite code alone."""
    table: lb.Table = (await player.call("JoinTable", name="tables/-", invite_code=code)).table
    return table


def who_sits(table: lb.Table) -> list[str]:
    return [one.player or one.kept_for or one.bot for one in table.seats]


async def test_friends_meet_by_an_invite_code_and_play(hall: Hall) -> None:
    ann, bob, cat, eve = hall.players("ann", "bob", "cat", "eve")
    table = await opens(ann, OPEN, OPEN)
    assert (table.host, table.visibility) == ("ann", lb.VISIBILITY_PRIVATE)
    await refused("table_not_found", bob, "GetTable", name=table.name)
    await refused("table_not_found", bob, "JoinTable", name=table.name)
    await refused("table_not_found", bob, "JoinTable", name="tables/-", invite_code="AAAAAAAA")
    await joins(bob, table.invite_code)
    full = await joins(cat, table.invite_code.lower())
    assert who_sits(full) == ["ann", "bob", "cat"]
    await refused("table_full", eve, "JoinTable", name="tables/-", invite_code=table.invite_code)
    await refused("host_only", bob, "StartTable", name=table.name)
    await refused("not_ready", ann, "StartTable", name=table.name)
    for one in (bob, cat):
        await one.call("SetReady", name=table.name, ready=True)
    started = (await ann.call("StartTable", name=table.name)).table
    assert started.state == lb.TABLE_STATE_STARTED
    await refused("table_over", eve, "JoinTable", name="tables/-", invite_code=table.invite_code)
    match = await hall.plays(started.match)
    assert match.state == pb.MATCH_STATE_FINISHED
    assert sorted(one.player for one in match.seats) == ["ann", "bob", "cat"]


async def test_seats_may_be_kept_for_a_friend_and_given_to_bots(hall: Hall) -> None:
    ann, bob, cat = hall.players("ann", "bob", "cat")
    table = await opens(ann, {"player": "bob"}, {"bot": "random"}, keep_seats=True)
    assert (await bob.call("ListTables", mine=True)).tables[0].name == table.name
    await refused("table_not_found", cat, "JoinTable", name=table.name)
    await refused("seats_open", ann, "StartTable", name=table.name)
    await bob.call("JoinTable", name=table.name)
    await bob.call("SetReady", name=table.name, ready=True)
    changed = await ann.call("SetSeat", name=table.name, seat=2, bot="easy")
    assert not changed.table.seats[1].ready
    await bob.call("SetReady", name=table.name, ready=True)
    started = (await ann.call("StartTable", name=table.name)).table
    seats = (await hall.playable(started.match)).seats
    assert [one.player or one.bot for one in seats] == ["ann", "bob", "easy"]


async def test_for_whom_a_seat_is_kept_may_decline_it(hall: Hall) -> None:
    ann, bob, cat = hall.players("ann", "bob", "cat")
    table = await opens(ann, {"player": "bob"}, {"player": "cat"})
    left = (await bob.call("LeaveTable", name=table.name)).table
    assert who_sits(left) == ["ann", "", "cat"]
    assert not (await bob.call("ListTables", mine=True)).tables
    await refused("table_not_found", bob, "LeaveTable", name=table.name)
    seats = [{"kept_for": "ann"}, {"kept_for": "bob"}]
    ours = (await hall.backend().call("CreateTable", game="ambush", seats=seats)).table
    open_still = (await bob.call("LeaveTable", name=ours.name)).table
    assert open_still.state == lb.TABLE_STATE_OPEN
    assert who_sits(open_still) == ["ann", ""]
    await cat.call("JoinTable", name=table.name)


async def test_public_tables_are_listed_while_a_seat_is_open(hall: Hall) -> None:
    ann, bob = hall.players("ann", "bob")
    table = await opens(ann, OPEN, visibility=lb.VISIBILITY_PUBLIC)
    await opens(hall.player("cat"), OPEN)
    listed = (await bob.call("ListTables", game="ambush")).tables
    assert [one.name for one in listed] == [table.name]
    assert listed[0].invite_code == ""
    assert not (await bob.call("ListTables", game="altarion")).tables
    await bob.call("JoinTable", name=table.name)
    assert not (await hall.player("dan").call("ListTables")).tables
    await bob.call("LeaveTable", name=table.name)
    assert (await hall.player("dan").call("ListTables")).tables


async def test_when_the_host_leaves_the_next_is_host_and_the_last_closes_it(hall: Hall) -> None:
    ann, bob, cat = hall.players("ann", "bob", "cat")
    table = await opens(ann, OPEN, OPEN, visibility=lb.VISIBILITY_PUBLIC)
    for one in (bob, cat):
        await one.call("JoinTable", name=table.name)
    assert (await ann.call("LeaveTable", name=table.name)).table.host == "bob"
    await bob.call("LeaveTable", name=table.name)
    assert (await cat.call("GetTable", name=table.name)).table.host == "cat"
    closed = (await cat.call("LeaveTable", name=table.name)).table
    assert (closed.state, closed.reason) == (lb.TABLE_STATE_CLOSED, "left")
    await opens(ann, OPEN)


async def test_the_host_shows_somebody_out(hall: Hall) -> None:
    ann, bob = hall.players("ann", "bob")
    table = await opens(ann, OPEN, visibility=lb.VISIBILITY_PUBLIC)
    await bob.call("JoinTable", name=table.name)
    await refused("host_only", bob, "SetSeat", name=table.name, seat=0)
    await refused("host_stays", ann, "SetSeat", name=table.name, seat=0)
    after = (await ann.call("SetSeat", name=table.name, seat=1)).table
    assert who_sits(after) == ["ann", ""]
    await opens(bob, OPEN)


async def test_a_player_sits_at_one_table(hall: Hall) -> None:
    ann, bob = hall.players("ann", "bob")
    await opens(bob, OPEN)
    table = await opens(ann, OPEN)
    await refused(
        "already_at_a_table", bob, "JoinTable", name="tables/-", invite_code=table.invite_code
    )


async def test_two_who_want_the_last_seat_do_not_share_it(hall: Hall) -> None:
    ann = hall.player("ann")
    table = await opens(ann, OPEN, visibility=lb.VISIBILITY_PUBLIC)
    crowd = hall.players(*(f"p{n}" for n in range(8)))
    calls = [one.call("JoinTable", name=table.name) for one in crowd]
    answers = await asyncio.gather(*calls, return_exceptions=True)
    assert sum(not isinstance(one, Exception) for one in answers) == 1
    seated = who_sits((await ann.call("GetTable", name=table.name)).table)
    assert len(set(seated)) == 2


async def test_a_match_from_a_table_ends_the_tickets_of_its_players(hall: Hall) -> None:
    ann = hall.player("ann")
    ticket = await ann.enters(min_seats=4)
    table = await opens(ann, {"bot": "random"})
    await ann.call("StartTable", name=table.name)
    assert (await ann.sees(ticket)).reason == "player_matched"


async def test_a_rematch_has_the_same_people_and_bots(hall: Hall) -> None:
    ann, bob, cat = hall.players("ann", "bob", "cat")
    table = await opens(ann, {"player": "bob"}, {"bot": "random"})
    await bob.call("JoinTable", name=table.name)
    await bob.call("SetReady", name=table.name, ready=True)
    started = (await ann.call("StartTable", name=table.name)).table
    await refused("match_not_found", cat, "Rematch", match=started.match)
    first = (await bob.call("Rematch", match=started.match)).table
    second = (await ann.call("Rematch", match=started.match)).table
    assert first.name == second.name
    assert (second.host, second.rematch_of) == ("bob", started.match)
    assert sorted(who_sits(second)) == ["ann", "bob", "random"]
    await ann.call("SetReady", name=second.name, ready=True)
    again = (await bob.call("StartTable", name=second.name)).table
    assert again.match != started.match
    await hall.playable(again.match)


async def test_a_match_of_tickets_has_a_rematch_too(hall: Hall) -> None:
    ann, bob = hall.players("ann", "bob")
    tickets = [await one.enters(max_seats=2) for one in (ann, bob)]
    match = await ann.is_matched(tickets[0])
    table = (await ann.call("Rematch", match=match)).table
    assert sorted(who_sits(table)) == ["ann", "bob"]


async def test_a_watcher_sees_people_come_and_the_match_begin(hall: Hall) -> None:
    ann, bob = hall.players("ann", "bob")
    table = await opens(ann, OPEN)
    seen: list[lb.Table] = []

    async def watch() -> None:
        async for message in ann.watches("WatchTable", table.name):
            seen.append(message.table)  # noqa: PERF401 # one by one, as they come

    async def watched() -> bool:
        return bool(seen)

    watching = asyncio.create_task(watch())
    await until(watched)
    await joins(bob, table.invite_code)
    await bob.call("SetReady", name=table.name, ready=True)
    await ann.call("StartTable", name=table.name)
    await asyncio.wait_for(watching, 10)
    assert who_sits(seen[0]) == ["ann", ""]
    assert seen[-1].state == lb.TABLE_STATE_STARTED
    versions = [one.version for one in seen]
    assert versions == sorted(set(versions))


async def test_an_idle_table_is_closed(hall: Hall, settings: Settings) -> None:
    ann = hall.player("ann")
    table = await opens(ann, OPEN)
    async with connect(settings.redis_url) as redis:
        corner = Storage(redis).of("north")
        await store.close_idle(corner, now_ms() + store.IDLE_MS - 5_000, 10)
        assert (await ann.call("GetTable", name=table.name)).table.state == lb.TABLE_STATE_OPEN
        await store.close_idle(corner, now_ms() + store.IDLE_MS + 5_000, 10)
    seen = (await ann.call("GetTable", name=table.name)).table
    assert (seen.state, seen.reason) == (lb.TABLE_STATE_CLOSED, "idle")
    await opens(ann, OPEN)


async def test_a_table_where_nobody_is_left_is_over(hall: Hall) -> None:
    ann = hall.player("ann")
    made = await hall.backend().call("CreateTable", game="ambush", seats=[{"kept_for": "ann"}, {}])
    name = made.table.name
    await ann.call("JoinTable", name=name)
    await ann.call("LeaveTable", name=name)
    for method, fields in (("StartTable", {}), ("SetSeat", {"seat": 0, "bot": "random"})):
        await refused("table_over", hall.backend(), method, name=name, **fields)


async def test_another_tenant_has_no_such_table(hall: Hall) -> None:
    ann = hall.player("ann")
    table = await opens(ann, OPEN, visibility=lb.VISIBILITY_PUBLIC)
    eve = hall.player("eve", tenant="south")
    assert not (await eve.call("ListTables")).tables
    for name in (table.name, f"tables/{'0' * 20}"):
        await refused("table_not_found", eve, "GetTable", name=name)
        await refused("table_not_found", eve, "JoinTable", name=name)
    await refused(
        "table_not_found", eve, "JoinTable", name="tables/-", invite_code=table.invite_code
    )


async def test_a_request_is_done_once(hall: Hall) -> None:
    ann, bob = hall.players("ann", "bob")
    table = await opens(ann, OPEN, request_id="t")
    assert (await opens(ann, OPEN, request_id="t")).name == table.name
    by_code = {"name": "tables/-", "invite_code": table.invite_code, "request_id": "j"}
    await bob.call("JoinTable", **by_code)
    await bob.call("LeaveTable", name=table.name)
    again = (await bob.call("JoinTable", **by_code)).table
    assert who_sits(again) == ["ann", ""]
    await refused("request_id_reused", bob, "JoinTable", name=table.name, request_id="j")


@pytest.mark.parametrize(
    ("code", "fields"),
    [
        ("ranked_by_tenant_only", {"mode": pb.MODE_RANKED}),
        ("unknown_bot", {"seats": [{"player": "ann"}, {"bot": "clever"}]}),
        ("not_at_the_table", {"seats": [{"player": "bob"}, {}]}),
        ("seated_already", {"seats": [{"player": "ann"}, {"player": "ann"}]}),
        ("bad_seats", {"seats": [{"player": "ann"}]}),
        ("unknown_game", {"game": "chess"}),
    ],
)
async def test_what_is_no_table_is_refused(
    hall: Hall, code: str, fields: dict[str, object]
) -> None:
    asked = {"game": "ambush", "seats": [{"player": "ann"}, {}]} | fields
    await refused(code, hall.player("ann"), "CreateTable", **asked)


async def test_a_tenant_seats_a_ranked_table(hall: Hall) -> None:
    ann, bob = hall.players("ann", "bob")
    seats = [{"kept_for": "ann"}, {"kept_for": "bob"}]
    made = await hall.backend().call(
        "CreateTable", game="ambush", seats=seats, mode=pb.MODE_RANKED, options_json=SHORT
    )
    for one in (ann, bob):
        await one.call("JoinTable", name=made.table.name)
    await bob.call("SetReady", name=made.table.name, ready=True)
    started = (await hall.backend().call("StartTable", name=made.table.name)).table
    match = await hall.playable(started.match)
    assert match.mode == pb.MODE_RANKED
    await play_on(
        hall.world, match.name, hall.world.people(*(s.player for s in match.seats)), Random(1)
    )


async def test_somebody_who_is_asked_to_accept_a_match_starts_no_table(hall: Hall) -> None:
    await hall.rules(accept_s=20.0)
    ann, bob = hall.players("ann", "bob")
    tickets = [await one.enters(max_seats=2) for one in (ann, bob)]
    await ann.awaits(tickets[0], mm.TICKET_STATE_OFFERED)
    table = await opens(ann, {"bot": "random"})
    await refused("match_offered", ann, "StartTable", name=table.name)
