"""The client finds others to play with, and sits down with them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from datetime import timedelta
from pathlib import Path

import pytest
from redis.asyncio import Redis

from services.runtime.settings import Settings
from tests.matchmaking.given import Hall, hall
from tests.referee.given import KEYS
from vallum.client import Client, Lobby, Matchmaking, TicketEnded, playable
from vallum.client.lobby import OPEN, sits, sits_bot
from vallum.matchmaking.v1 import lobby_pb2 as lb
from vallum.matchmaking.v1 import matchmaking_pb2 as mm

SHORT = {"rounds": 1}


@pytest.fixture
async def there(redis: Redis, redis_url: str, tmp_path: Path) -> AsyncIterator[Hall]:
    """A matchmaker and a host."""
    assert redis is not None
    settings = Settings(
        redis_url=redis_url, data_dir=tmp_path, port=0, replica="test", log_level="warning"
    )
    async with hall(settings) as running:
        yield running


def client(there: Hall, name: str) -> Client:
    """Somebody's connection."""
    return Client(there.world.app.target, KEYS.mint(there.player(name).who))


async def test_two_find_each_other_accept_and_have_a_match(there: Hall) -> None:
    await there.rules(accept_s=20.0)
    async with client(there, "ann") as ann, client(there, "bob") as bob:
        finding = [Matchmaking(ann), Matchmaking(bob)]
        tickets = [await one.enter("ambush", seats=(2, 2), options=SHORT) for one in finding]
        matches = await asyncio.gather(
            *(one.matched(ticket) for one, ticket in zip(finding, tickets, strict=True))
        )
        assert matches[0] == matches[1]
        match = await playable(ann, ann.game("ambush.v1"), matches[0])
        assert {one.player for one in match.seats} == {"ann", "bob"}


async def test_a_ticket_that_ends_otherwise_says_why(there: Hall) -> None:
    async with client(there, "ann") as ann:
        finding = Matchmaking(ann)
        ticket = await finding.enter(
            "ambush", seats=(4,), lifetime=timedelta(seconds=1), attributes={"region": "eu"}
        )
        assert [one.name for one in await finding.tickets()] == [ticket.name]
        assert (ticket.min_seats, ticket.max_seats) == (4, 4)
        with pytest.raises(TicketEnded) as ended:
            await finding.matched(ticket)
        assert ended.value.ticket.reason == "expired"
        assert (await finding.get(ticket)).state == mm.TICKET_STATE_EXPIRED
        assert await finding.tickets() == []


async def test_a_declined_match_ends_the_ticket_of_who_declines(there: Hall) -> None:
    await there.rules(accept_s=20.0)
    async with client(there, "ann") as ann, client(there, "bob") as bob:
        finding, other = Matchmaking(ann), Matchmaking(bob)
        hers = await finding.enter("ambush", seats=(2, 2))
        his = await other.enter("ambush", seats=(2, 2))
        async with aclosing(other.watch(his)) as changes:
            async for seen in changes:
                if seen.state == mm.TICKET_STATE_OFFERED:
                    await other.decline(his)
        assert seen.reason == "declined"
        assert (await finding.get(hers)).state == mm.TICKET_STATE_WAITING
        assert (await finding.cancel(hers)).reason == "cancelled"


async def test_friends_sit_down_and_play(there: Hall) -> None:
    async with client(there, "ann") as ann, client(there, "bob") as bob:
        hers, his = Lobby(ann), Lobby(bob)
        table = await hers.create("ambush", [sits("ann"), OPEN, OPEN], options=SHORT)
        table = await hers.set_seat(table, 2, bot="random")
        await his.join(code=table.invite_code)
        await his.ready(table)
        assert [one.name async for one in his.tables(mine=True)] == [table.name]
        table = await hers.start(table)
        async with aclosing(his.watch(table)) as changes:
            states = [one.state async for one in changes]
        assert states == [lb.TABLE_STATE_STARTED]
        match = await playable(bob, bob.game("ambush.v1"), table.match)
        assert len(match.seats) == 3
        again = await his.rematch(table.match)
        assert (await hers.rematch(table.match)).name == again.name
        assert (await his.leave(again)).host == "ann"


async def test_public_tables_are_listed_page_after_page(there: Hall) -> None:
    async with client(there, "ann") as ann:
        await Lobby(ann).create("ambush", [sits("ann"), sits_bot("easy"), OPEN], public=True)
        async with client(there, "bob") as bob:
            found = [one.host async for one in Lobby(bob).tables("ambush")]
        assert found == ["ann"]
