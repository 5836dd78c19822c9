"""Streams: each update once and in order, across whatever happens to the connection."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterable
from typing import Any

import pytest

from services.runtime.errors import InvalidRequest, NotFound, Stale, Unavailable
from tests.client.given import House
from tests.client.proxy import proxy
from tests.client.scripted import WAIT, end, heartbeat, said, update
from vallum.client import EpochChanged, VallumCallError, Watch, player

Stream = Iterable[Any]


async def versions(watch: Watch) -> list[int]:
    return [update.version async for update in watch]


async def test_a_watch_outlives_connections_that_break_at_every_step(house: House) -> None:
    async with proxy(house.world.app.target) as between:
        async with house.client() as ann, house.client("bob", between.target) as bob:
            game, other = ann.game("ambush.v1"), ann.game("ambush.v1")
            match = await game.create_match([player("ann"), player("ann")])
            watch = bob.game("ambush.v1").watch(match)
            seen = []

            async def follow() -> None:
                async for one in watch:
                    seen.append(one.version)
                    if one.version % 5 == 0:
                        between.cut()

            following = asyncio.create_task(follow())
            finished = await house.to_the_end(match.name, game, other)
            await asyncio.wait_for(following, 20)
        assert seen == list(range(1, finished.version + 1))
        assert watch.end is not None
        assert watch.end.result.places
        assert between.connections > 5


async def test_a_watch_can_begin_where_an_earlier_one_was_left(house: House) -> None:
    async with house.client() as ann:
        game = ann.game("ambush.v1")
        match = await game.create_match([player("ann"), player("ann")])
        finished = await house.to_the_end(match.name, game, game)
        first = game.watch(match, with_view=True)
        async for one in first:
            if one.version == 7:
                break
        assert first.version == 7
        rest = await versions(game.watch(match, from_version=first.version))
        assert rest == list(range(8, finished.version + 1))
        assert await versions(game.watch(match, from_version=finished.version)) == []


@pytest.mark.parametrize(
    "broken",
    [
        pytest.param([update(1), update(2)], id="it just ends"),
        pytest.param([update(1), update(2), Unavailable("shutting_down")], id="shutting down"),
        pytest.param([update(1), update(2), update(4)], id="an update is missing"),
        pytest.param([update(1), update(2), heartbeat(3)], id="the heartbeat is ahead"),
        pytest.param([update(1), update(2), end(3)], id="the end is ahead"),
    ],
)
async def test_a_stream_that_misses_something_is_opened_again(broken: Stream) -> None:
    async with said(broken, [update(2), update(3), end(3)]) as (script, game):
        watch = game.watch("one")
        assert await versions(watch) == [1, 2, 3]
        assert script.asked == [0, 1], "it asks for the last one again, to compare"
        assert watch.end is not None
        assert watch.end.result.outcome == "over"


async def test_a_silent_stream_is_opened_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vallum.client.watch.SILENCE_S", 0.1)
    async with said([update(1), WAIT], [update(1), update(2), end(2)]) as (script, game):
        assert await versions(game.watch("one")) == [1, 2]
        await asyncio.wait_for(script.cancelled.wait(), 10)


async def test_heartbeats_in_step_are_nothing_to_tell() -> None:
    async with said([heartbeat(0), update(1), heartbeat(1), end(1)]) as (_, game):
        assert await versions(game.watch("one")) == [1]


@pytest.mark.parametrize(
    "after",
    [
        pytest.param([update(2, seat=1)], id="the last update is another one"),
        pytest.param([InvalidRequest("version_ahead")], id="the match is not that far"),
        pytest.param([update(2), heartbeat(1)], id="the heartbeat is behind"),
        pytest.param([end(1)], id="the end is behind"),
        pytest.param([Stale("epoch_changed")], id="the service says so"),
    ],
)
async def test_updates_that_were_lost_by_the_service_are_told(after: Stream) -> None:
    async with said([update(1), update(2)], after) as (_, game):
        watch = game.watch("one")
        with pytest.raises(EpochChanged) as changed:
            await versions(watch)
        assert (changed.value.code, watch.version) == ("epoch_changed", 2)


async def test_a_view_is_not_what_makes_an_update_another_one() -> None:
    seen = update(1)
    seen.update.view.round = 3
    async with said([seen], [update(1), end(1)]) as (_, game):
        assert await versions(game.watch("one", with_view=True)) == [1]


@pytest.mark.parametrize("refusal", [NotFound("match_not_found"), InvalidRequest("version_ahead")])
async def test_a_refusal_ends_a_watch(refusal: Any) -> None:
    async with said([refusal]) as (script, game):
        with pytest.raises(VallumCallError, match=refusal.code) as refused:
            await versions(game.watch("one", from_version=9))
        assert not isinstance(refused.value, EpochChanged)
        assert script.asked == [9]


async def test_leaving_the_loop_cancels_the_call() -> None:
    async with said([update(1), WAIT]) as (script, game):
        async for _ in game.watch("one"):
            break
        gc.collect()
        await asyncio.wait_for(script.cancelled.wait(), 10)


async def test_leaving_the_block_cancels_the_call() -> None:
    async with said([update(1), WAIT]) as (script, game):
        async with game.watch("one") as updates:
            async for _ in updates:
                break
        await asyncio.wait_for(script.cancelled.wait(), 10)


async def test_closing_a_watch_ends_who_follows_it() -> None:
    async with said([update(1), WAIT]) as (script, game):
        watch, seen = game.watch("one"), asyncio.Event()

        async def follow() -> None:
            async for _ in watch:
                seen.set()

        following = asyncio.create_task(follow())
        await asyncio.wait_for(seen.wait(), 10)
        watch.close()
        await asyncio.wait_for(following, 10)
        await asyncio.wait_for(script.cancelled.wait(), 10)
        assert watch.end is None


@pytest.mark.parametrize("moments", range(0, 24, 2))
async def test_cancelling_who_follows_a_watch_ends_it_at_any_moment(moments: int) -> None:
    async with said([update(1), WAIT]) as (script, game):
        following = asyncio.create_task(versions(game.watch("one")))
        await asyncio.wait_for(script.opened.wait(), 10)
        for _ in range(moments):  # the update may be on its way, or arrive at this moment
            await asyncio.sleep(0)
        following.cancel()
        done, _ = await asyncio.wait({following}, timeout=10)
        assert done
        assert following.cancelled()
        await asyncio.wait_for(script.cancelled.wait(), 10)
