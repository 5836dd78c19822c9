"""Calls: built by keyword, refused with a code, tried again under the same request id."""

from __future__ import annotations

import asyncio
import json
from itertools import count

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration

from services.lab.verify import Wrong, verify
from services.runtime.auth import Caller, Role
from tests.ambush.hosted import HOSTED
from tests.client.given import QUICK, House
from tests.client.proxy import proxy
from tests.referee.given import KEYS
from vallum.client import Client, Retry, VallumCallError, player, standing
from vallum.match.v1 import match_pb2 as pb

FIRST = {"fortify": {"tower": "TOWER_GATE"}}


async def test_a_match_is_played_to_its_end_and_its_record_verifies(house: House) -> None:
    async with house.client("ann") as ann, house.client("bob") as bob:
        game, other = ann.game("ambush.v1"), bob.game("ambush.v1")
        match = await game.create_match(
            [player("ann"), player("bob")], options={"rounds": 1, "hard": True}
        )
        finished = await house.to_the_end(match.name, game, other)
        assert len(finished.result.places) == 2
        record = await game.record(match)
    verified = verify(json.dumps(record).encode(), {"ambush": HOSTED})
    assert (verified.name, verified.entries) == (match.name, finished.version)


async def test_the_record_of_a_table_with_events_and_clocks_verifies(house: House) -> None:
    async with house.client("ann") as ann, house.client("bob") as bob:
        game, other = ann.game("ambush.v1"), bob.game("ambush.v1")
        match = await game.create_match(
            [player("ann"), player("ann"), player("bob")],
            options={"rounds": 1},
            clock=pb.Clock(per_decision=Duration(seconds=60), expiry=pb.EXPIRY_FORFEIT),
        )
        await game.hand_over(match, seat=1)
        await game.come_back(match, seat=1)
        await other.resign(match)
        finished = await house.to_the_end(match.name, game, game, other)
        assert finished.result.places[-1].seat == 2
        text = json.dumps(await game.record(match))
    events = [one["action_json"] for one in json.loads(text)["entries"] if "origin" in one]
    assert [json.loads(one)["kind"] for one in events] == ["hand_over", "return", "resign"]
    assert verify(text.encode(), {"ambush": HOSTED}).entries == finished.version
    with pytest.raises(Wrong, match="header"):
        verify(text.replace("60000", "61000").encode(), {"ambush": HOSTED})


async def test_every_call_of_a_player_is_a_method(house: House) -> None:
    async with house.client() as ann:
        game = ann.game("ambush.v1")
        match = await game.create_match([player("ann"), player("bob")], match_id="one")
        listed = await game.actions("one")
        tried = await game.preview(match, FIRST)
        view = await game.view("matches/one")
        assert listed.decision.prompt == "orders"
        assert tried.steps[0].view.camps[0].guards.gate == 2
        assert (view.seat, view.view.camps[0].guards.gate) == (0, 1)
        played = await game.play(match, game.Action(**FIRST), expected_version=view.version)
        assert played.version == view.version + 1
        assert await game.answer(match, standing("reply", {"answer": {"reply": "REPLY_PASS"}})) == 1
        assert await game.answer(match) == 0
        assert await game.resign(match) > played.version
        assert [one.name async for one in game.list_matches(page_size=1)] == ["matches/one"]


async def test_a_list_goes_over_its_pages(house: House) -> None:
    async with house.client() as ann:
        game = ann.game("ambush.v1")
        for number in range(5):
            await game.create_match([player("ann"), player("bob")], match_id=f"m{number}")
        found = [one.name async for one in game.list_matches(page_size=2)]
    assert sorted(found) == [f"matches/m{number}" for number in range(5)]
    assert len(found) == 5


async def test_a_refusal_has_its_code_and_its_details(house: House) -> None:
    async with house.client() as ann:
        game = ann.game("ambush.v1")
        match = await game.create_match([player("ann"), player("bob")])
        with pytest.raises(VallumCallError) as stale:
            await game.play(match, FIRST, expected_version=99)
        assert (stale.value.code, stale.value.status) == ("stale", grpc.StatusCode.ABORTED)
        assert stale.value.metadata["version"] == str(match.version)
        with pytest.raises(VallumCallError) as invalid:
            await game.play(match)
        assert invalid.value.code == "invalid_request"
        assert [path for path, _ in invalid.value.fields] == ["actions"]
        with pytest.raises(VallumCallError, match="match_not_found"):
            await game.get_match("nowhere")


async def test_a_refused_call_is_not_tried_again() -> None:
    tries = []

    async def refuse(*_: object, **__: object) -> None:
        tries.append(1)
        raise grpc.aio.AioRpcError(
            grpc.StatusCode.FAILED_PRECONDITION, grpc.aio.Metadata(), grpc.aio.Metadata()
        )

    async with Client("127.0.0.1:1", "token") as client:
        with pytest.raises(VallumCallError):
            await client.call(refuse, None)
    assert len(tries) == 1


async def test_an_answer_that_was_lost_is_asked_for_again_and_played_once(house: House) -> None:
    async with proxy(house.world.app.target) as between, house.client() as there:
        match = await there.game("ambush.v1").create_match([player("ann"), player("bob")])
        async with house.client(target=between.target) as ann:
            game = ann.game("ambush.v1")
            await game.get_match(match)
            between.deaf = True
            playing = asyncio.create_task(game.play(match, FIRST))
            async for update in there.game("ambush.v1").watch(match, from_version=match.version):
                assert update.version == match.version + 1
                break
            between.deaf = False
            between.cut()
            played = await asyncio.wait_for(playing, 10)
        assert played.first_version == match.version + 1
        assert (await there.game("ambush.v1").get_match(match)).version == played.version


async def test_a_server_that_is_away_is_waited_for(house: House) -> None:
    async with proxy(house.world.app.target) as between:
        target = between.target
    tries, twice = count(1), asyncio.Event()

    def token() -> str:
        if next(tries) == 2:
            twice.set()
        return KEYS.mint(Caller("ann", "north", Role.PLAYER))

    async with Client(target, token, retry=QUICK) as ann:
        asking = asyncio.create_task(ann.game("ambush.v1").get_match("one"))
        await asyncio.wait_for(twice.wait(), 10)
        async with proxy(house.world.app.target, port=int(target.rpartition(":")[2])):
            with pytest.raises(VallumCallError, match="match_not_found"):
                await asyncio.wait_for(asking, 10)


async def test_patience_ends() -> None:
    quick = Retry(patience=0.2, first_pause=0.01, longest_pause=0.02)
    async with Client("127.0.0.1:1", "token", retry=quick) as client:
        with pytest.raises(VallumCallError) as gone:
            await client.game("ambush.v1").get_match("one")
    assert (gone.value.code, gone.value.answered) == ("unavailable", False)


async def test_a_token_may_be_renewed_between_tries(house: House) -> None:
    good = KEYS.mint(Caller("ann", "north", Role.PLAYER))
    tokens = iter(["nonsense"])
    async with Client(house.world.app.target, lambda: next(tokens, good)) as client:
        with pytest.raises(VallumCallError, match="token_invalid"):
            await client.game("ambush.v1").get_match("one")
        with pytest.raises(VallumCallError, match="match_not_found"):
            await client.game("ambush.v1").get_match("one")


def test_pauses_grow_to_a_bound_and_vary() -> None:
    retry = Retry(first_pause=0.1, longest_pause=1.0)
    pauses = [[retry.pause(failures) for _ in range(50)] for failures in (1, 2, 3, 50)]
    for most, some in zip((0.1, 0.2, 0.4, 1.0), pauses, strict=True):
        assert all(most / 2 <= pause <= most for pause in some)
        assert len(set(some)) > 10


def test_a_game_that_is_not_known_here_is_named() -> None:
    async def ask() -> None:
        async with Client("127.0.0.1:1", "token") as client:
            client.game("chess")

    with pytest.raises(ModuleNotFoundError, match="no game 'chess' here"):
        asyncio.run(ask())
