"""Who is asked to play is told, and told when it is over: tables and parties, through the real
matchmaker, bus and storage."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from redis.asyncio import Redis

from services.matchmaking.lobby import store
from services.matchmaking.storage import Storage
from services.matchmaking.times import now_ms
from services.notices.bind import notices
from services.notices.inbox import LATEST, Asking, Box
from services.runtime.auth import Caller, Role
from services.runtime.bus import Bus
from services.runtime.settings import Settings
from tests.ambush.hosted import HOSTED
from tests.client.given import QUICK
from tests.matchmaking.given import Hall
from tests.matchmaking.given import hall as running
from tests.matchmaking.test_lobby import OPEN, opens
from tests.referee.given import KEYS
from tests.until import until
from vallum.client import Client, Inbox
from vallum.events.v1 import events_pb2 as ev
from vallum.match.v1 import match_pb2 as match_pb
from vallum.notices.v1 import inbox_pb2 as pb

SOON = 20.0
FOR_BOB = {"player": "bob"}


class House(NamedTuple):
    """A matchmaker, a host and the notices service in one process."""

    hall: Hall
    bus: Bus
    redis: Redis

    def inbox(self, name: str, token: str = "", tenant: str = "north") -> Inbox:
        """Somebody's inbox."""
        bearer = KEYS.mint(Caller(name, tenant, Role.PLAYER))
        return Inbox(Client(self.hall.world.app.target, bearer, retry=QUICK), token)

    async def heard(self, name: str) -> list[Any]:
        """All that somebody's inbox keeps of invitations."""
        found = await Box(self.redis, 16, "north", name).since("0-0")
        kinds = [(one, one.WhichOneof("notice") or "") for one in found]
        return [getattr(one, kind) for one, kind in kinds if kind.startswith("invit")]


@pytest.fixture
async def house(redis: Redis, redis_url: str, tmp_path: Path) -> AsyncIterator[House]:
    settings = Settings(
        redis_url=redis_url, data_dir=tmp_path, port=0, replica="test", log_level="warning"
    )
    tells = notices({HOSTED.game.meta.key: HOSTED.package}, KEYS)
    async with running(settings, [tells]) as there:
        await there.rules()
        yield House(there, Bus(redis, settings), redis)


def are_asked(inbox: Inbox, count: int) -> Callable[[], Awaitable[bool]]:
    async def holds() -> bool:
        return len(await inbox.invitations()) == count

    return holds


async def reasons(house: House, name: str, count: int) -> list[str]:
    """How somebody's invitations ended, once so many have."""
    found: list[str] = []

    async def all_told() -> bool:
        told = await house.heard(name)
        found[:] = [one.reason for one in told if isinstance(one, pb.InvitationOver)]
        return len(found) >= count

    await until(all_told, SOON)
    return found


async def test_for_whom_a_seat_is_kept_is_invited_until_he_sits(house: House) -> None:
    ann, bob = house.hall.players("ann", "bob")
    inbox = house.inbox("bob")
    table = await opens(ann, FOR_BOB)
    await until(are_asked(inbox, 1), SOON)
    (asked,) = await inbox.invitations()
    assert (asked.table, asked.ticket, asked.by, asked.game) == (table.name, "", "ann", "ambush")
    assert asked.mode == match_pb.MODE_CASUAL
    assert abs(asked.create_time.seconds * 1000 - now_ms()) < 60_000
    await bob.call("JoinTable", name=asked.table)
    assert await reasons(house, "bob", 1) == ["accepted"]
    assert await inbox.invitations() == []
    assert not await house.heard("ann")


async def test_a_stream_tells_invitations_and_goes_on_where_it_ended(house: House) -> None:
    ann, bob = house.hall.players("ann", "bob")
    first = await opens(ann, FOR_BOB)
    inbox = house.inbox("bob")
    await until(are_asked(inbox, 1), SOON)
    all_of_it = await next_of(inbox)
    assert [one.table for one in all_of_it.turns.invitations] == [first.name]
    listening = asyncio.create_task(next_of(inbox))
    await bob.call("LeaveTable", name=first.name)
    told = await listening
    assert (told.invitation_over.table, told.invitation_over.reason) == (first.name, "withdrawn")
    await ann.call("SetSeat", name=first.name, seat=1, kept_for="bob")
    again = house.inbox("bob", token=told.resume_token)
    assert (await next_of(again)).invited.table == first.name


async def next_of(inbox: Inbox) -> pb.WatchMyMatchesResponse:
    """The next notice."""
    async with asyncio.timeout(SOON):
        async for notice in inbox.watch():
            return notice
    raise AssertionError("a stream never ends")


async def withdrawn(house: House, table: str) -> None:
    await house.hall.player("ann").call("SetSeat", name=table, seat=1, bot="random")


async def closed(house: House, table: str) -> None:
    await house.hall.player("ann").call("LeaveTable", name=table)


async def idle(house: House, _table: str) -> None:
    corner = Storage(house.redis).of("north")
    await store.close_idle(corner, now_ms() + 2 * store.IDLE_MS, 10)


@pytest.mark.parametrize(
    ("ends", "reason"), [(withdrawn, "withdrawn"), (closed, "withdrawn"), (idle, "expired")]
)
async def test_an_invitation_ends_with_what_it_was_to(
    house: House, ends: Callable[..., Awaitable[None]], reason: str
) -> None:
    inbox = house.inbox("bob")
    table = await opens(house.hall.player("ann"), FOR_BOB, OPEN)
    await until(are_asked(inbox, 1), SOON)
    await ends(house, table.name)
    assert await reasons(house, "bob", 1) == [reason]
    assert await inbox.invitations() == []


async def test_who_is_asked_again_is_told_again(house: House) -> None:
    ann = house.hall.player("ann")
    inbox = house.inbox("bob")
    table = await opens(ann, FOR_BOB)
    await ann.call("SetSeat", name=table.name, seat=1)
    await ann.call("SetSeat", name=table.name, seat=1, kept_for="bob")
    assert await reasons(house, "bob", 1) == ["withdrawn"]
    await until(are_asked(inbox, 1), SOON)
    told = [type(one).__name__ for one in await house.heard("bob")]
    assert told == ["Invited", "InvitationOver", "Invited"]


async def test_a_rematch_invites_whoever_played(house: House) -> None:
    ann, bob = house.hall.players("ann", "bob")
    table = await opens(ann, FOR_BOB)
    await bob.call("JoinTable", name=table.name)
    await bob.call("SetReady", name=table.name, ready=True)
    match = (await ann.call("StartTable", name=table.name)).table.match
    again = (await bob.call("Rematch", match=match)).table
    inbox = house.inbox("ann")
    await until(are_asked(inbox, 1), SOON)
    (asked,) = await inbox.invitations()
    assert (asked.table, asked.by, asked.rematch_of) == (again.name, "bob", match)
    await ann.call("Rematch", match=match)
    assert await reasons(house, "ann", 1) == ["accepted"]


async def test_a_party_invites_who_has_not_joined(house: House) -> None:
    ann, bob, cat = house.hall.players("ann", "bob", "cat")
    party = [{"player": one} for one in ("ann", "bob", "cat")]
    ticket = await ann.enters(party=party, min_seats=4)
    theirs = [house.inbox(one) for one in ("bob", "cat")]
    for inbox in theirs:
        await until(are_asked(inbox, 1), SOON)
        (asked,) = await inbox.invitations()
        assert (asked.table, asked.ticket, asked.by) == ("", ticket, "ann")
    await bob.call("JoinTicket", name=ticket)
    assert await reasons(house, "bob", 1) == ["accepted"]
    await cat.call("CancelTicket", name=ticket)
    assert await reasons(house, "cat", 1) == ["withdrawn"]
    assert [await inbox.invitations() for inbox in theirs] == [[], []]
    assert await reasons(house, "bob", 1) == ["accepted"]


async def test_a_backend_that_enters_a_party_invites_nobody(house: House) -> None:
    party = [{"player": one} for one in ("ann", "bob")]
    ticket = await house.hall.backend().enters(party=party, min_seats=4)
    await house.hall.backend().call("CancelTicket", name=ticket)
    ann, inbox = house.hall.player("ann"), house.inbox("bob")
    await opens(ann, FOR_BOB)  # what is told after it has come
    await until(are_asked(inbox, 1), SOON)
    assert len(await house.heard("bob")) == 1
    assert not await house.heard("ann")


async def test_a_tenant_sees_nothing_of_another(house: House) -> None:
    await opens(house.hall.player("ann"), FOR_BOB)
    await until(are_asked(house.inbox("bob"), 1), SOON)
    stranger = house.inbox("bob", tenant="south")
    assert await stranger.invitations() == []
    assert not (await next_of(stranger)).turns.invitations


async def test_what_is_told_late_opens_nothing_again(house: House) -> None:
    subject = "tables/t1"
    over = ev.InvitationEnded(player="bob", reason="withdrawn")
    events = [
        ev.Event(id="two", version=2, invitation_ended=over),
        ev.Event(id="one", version=1, player_invited=ev.PlayerInvited(player="bob", game="ambush")),
        ev.Event(id="one", version=1, player_invited=ev.PlayerInvited(player="bob", game="ambush")),
    ]
    for event in events:
        event.subject, event.tenant = subject, "north"
        event.occurred_at.CopyFrom(Timestamp(seconds=1_800_000_000))
        await house.bus.publish(event)

    async def both() -> bool:
        return len(await house.heard("bob")) == 2

    await until(both, SOON)
    assert await house.inbox("bob").invitations() == []


async def test_what_is_over_is_forgotten_in_the_end(redis: Any) -> None:
    box = Box(redis, 16, "north", "bob")
    for number in range(3 * LATEST):
        over = pb.InvitationOver(table=f"tables/t{number}", reason="withdrawn")
        notice = pb.WatchMyMatchesResponse(invitation_over=over)
        await box.tell(f"e{number}", number, notice, Asking(over.table, 1))
    asked = pb.WatchMyMatchesResponse(invited=pb.Invited(table="tables/now"))
    await box.tell("now", 10**6, asked, Asking("tables/now", 1))
    assert [one.table for one in await box.invitations(10)] == ["tables/now"]
    assert await redis.hlen(box._invited) <= 2 * LATEST
