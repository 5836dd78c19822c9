"""What players are told, through the real host, bus and storage."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import grpc
import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from redis.asyncio import Redis

from services.notices import inbox as box_module
from services.notices.bind import notices
from services.referee.bind import rules
from services.runtime import bell
from services.runtime.app import App
from services.runtime.auth import Caller, Role, Verifier
from services.runtime.bus import Bus
from services.runtime.settings import Settings
from tests.ambush.hosted import HOSTED
from tests.client.given import QUICK
from tests.referee.given import BOTS, KEYS, World, play_on
from tests.until import until
from vallum.client import Client, Inbox, VallumCallError
from vallum.events.v1 import events_pb2 as ev
from vallum.match.v1 import match_pb2 as match_pb
from vallum.notices.v1 import inbox_pb2 as pb

SOON = 20.0


class House(NamedTuple):
    """A host and the notices service in one process."""

    world: World
    bus: Bus

    def inbox(self, name: str, token: str = "", tenant: str = "north") -> Inbox:
        """Somebody's inbox."""
        bearer = KEYS.mint(Caller(name, tenant, Role.PLAYER))
        return Inbox(Client(self.world.app.target, bearer, retry=QUICK), token)


@pytest.fixture
async def house(redis: Redis, redis_url: str, tmp_path: Path) -> AsyncIterator[House]:
    settings = Settings(redis_url=redis_url, data_dir=tmp_path, port=0)
    binds = [notices({HOSTED.game.meta.key: HOSTED.package}, KEYS), rules(HOSTED, BOTS)]
    async with (
        App(settings, binds, Verifier(KEYS)) as app,
        grpc.aio.insecure_channel(app.target) as channel,
    ):
        yield House(World(app, channel), Bus(redis, settings))


async def told(inbox: Inbox, count: int) -> list[pb.WatchMyMatchesResponse]:
    """The next notices."""
    found = []
    async with asyncio.timeout(SOON):
        async for notice in inbox.watch():
            found.append(notice)
            if len(found) == count:
                break
    return found


def kinds(found: list[pb.WatchMyMatchesResponse]) -> list[str | None]:
    return [one.WhichOneof("notice") for one in found]


async def test_a_player_is_told_that_he_was_seated_and_that_it_is_his_turn(house: House) -> None:
    ann = house.inbox("ann")
    stream = asyncio.create_task(told(ann, 3))
    await until(begun(ann), SOON)
    match = await house.world.match("ann", "bob")
    found = await stream
    assert kinds(found)[0] == "turns"
    assert not found[0].turns.turns
    by_kind = {one.WhichOneof("notice"): one for one in found}
    assert by_kind["seated"].seated.match == match
    assert [seat.player for seat in by_kind["seated"].seated.seats] == ["ann", "bob"]
    assert by_kind["turn"].turn.decision.seat == 0


async def test_turns_of_all_matches_are_listed_until_they_are_answered(house: House) -> None:
    first = await house.world.match("ann", "bob")
    second = await house.world.match("bob", "ann")
    ann = house.inbox("ann")

    async def both() -> bool:
        return {one.match for one in await ann.turns()} == {first, second}

    await until(both, SOON)
    await to_the_end(house, first)
    assert {one.match for one in await ann.turns()} == {second}


async def test_the_end_is_told_with_the_places(house: House) -> None:
    ann = house.inbox("ann")
    stream = asyncio.create_task(whole(ann))
    await until(begun(ann), SOON)
    match = await house.world.match("ann", "bob")
    await to_the_end(house, match)
    found = await asyncio.wait_for(stream, SOON)
    assert found[-1].ended.match == match
    assert sorted(one.seat for one in found[-1].ended.places) == [0, 1]


async def whole(inbox: Inbox) -> list[pb.WatchMyMatchesResponse]:
    """Everything up to the end of a match."""
    found = []
    async for notice in inbox.watch():
        found.append(notice)
        if notice.WhichOneof("notice") == "ended":
            break
    return found


async def test_a_stream_goes_on_where_it_ended_and_repeats_nothing(house: House) -> None:
    ann = house.inbox("ann")
    await told(ann, 1)
    first = await house.world.match("ann", "bob")
    seen = await told(ann, 2)
    second = await house.world.match("ann", "bob")
    again = house.inbox("ann", token=seen[0].resume_token)
    found = await told(again, 3)
    assert found[0] == seen[1]
    assert kinds([*seen, *found[1:]]) == ["seated", "turn", "seated", "turn"]
    assert [one.seated.match or one.turn.match for one in found] == [first, second, second]


async def test_who_was_away_for_too_long_is_told_all_his_turns(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(box_module, "LATEST", 1)
    match = await house.world.match("ann", "bob")
    ann = house.inbox("ann", token="1-1")
    await until(has_turns(ann), SOON)
    (first,) = await told(ann, 1)
    assert first.WhichOneof("notice") == "turns"
    assert {one.match for one in first.turns.turns} == {match}


def has_turns(inbox: Inbox) -> Callable[[], Awaitable[bool]]:
    async def holds() -> bool:
        return bool(await inbox.turns())

    return holds


def begun(inbox: Inbox) -> Callable[[], Awaitable[bool]]:
    async def holds() -> bool:
        return bool(inbox.token)

    return holds


async def to_the_end(house: House, match: str) -> None:
    people = house.world.people("ann", "bob")
    await play_on(house.world, match, people, Random(7))


async def test_a_seat_that_a_bot_has_taken_is_no_turn(house: House) -> None:
    match = await house.world.match("ann", "bob")
    ann = house.inbox("ann")
    await until(has_turns(ann), SOON)
    await house.world.person("ann").call("HandOver", name=match, request_id="away")
    assert not await ann.turns()

    async def heard() -> bool:
        return any(one.seat_taken.reason for one in await everything(house, "ann"))

    await until(heard, SOON)


async def everything(house: House, name: str) -> list[pb.WatchMyMatchesResponse]:
    """All that an inbox keeps."""
    box = box_module.Box(house.bus._redis, 16, "north", name)
    return await box.since("0-0")


async def test_a_fact_that_is_delivered_twice_is_told_once(house: House) -> None:
    event = ev.Event(
        id="twice",
        subject="matches/m1",
        tenant="north",
        occurred_at=Timestamp(seconds=1_800_000_000),
        turn_opened=ev.TurnOpened(
            game="ambush", player="ann", decision=match_pb.Decision(seat=0, prompt="order")
        ),
    )
    for _ in range(3):
        await house.bus.publish(event)
    after = ev.Event()
    after.CopyFrom(event)
    after.id = "after"
    await house.bus.publish(after)

    async def heard() -> bool:
        return len(await everything(house, "ann")) >= 2

    await until(heard, SOON)
    assert len(await everything(house, "ann")) == 2


async def test_a_tenant_sees_nothing_of_another(house: House) -> None:
    await house.world.match("ann", "bob")
    ann = house.inbox("ann")
    await until(has_turns(ann), SOON)
    stranger = house.inbox("ann", tenant="south")
    assert not await stranger.turns()
    (first,) = await told(stranger, 1)
    assert not first.turns.turns
    assert first.resume_token == "0-0"


async def test_a_quiet_stream_says_that_it_lives(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bell, "HEARTBEAT_S", 0.05)
    ann = house.inbox("ann")
    call: Any = ann._stub.WatchMyMatches(
        pb.WatchMyMatchesRequest(), metadata=await ann._client.metadata(), timeout=SOON
    )
    found = [await call.read() for _ in range(3)]
    call.cancel()
    assert kinds(found) == ["turns", "heartbeat", "heartbeat"]


async def test_a_token_that_is_none_is_refused(house: House) -> None:
    for token in ("yesterday", "1", f"{1 << 64}-0", f"0-{1 << 64}"):
        with pytest.raises(VallumCallError, match="invalid_request"):
            await told(house.inbox("ann", token=token), 1)


async def test_a_token_of_a_time_to_come_begins_anew(house: House) -> None:
    first, *_ = await told(house.inbox("ann", token=f"{10**19 - 1}-0"), 1)
    assert first.WhichOneof("notice") == "turns"
