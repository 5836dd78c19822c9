"""The cache over the log: it follows, and never takes its own progress for a loss."""

from __future__ import annotations

from typing import Any

import pytest
from redis.asyncio import Redis

from services.gamekit.game import Seat
from services.referee.asking import Expectation, Proposal
from services.referee.folder import Folder
from services.referee.host import Host
from services.referee.outages import Outages
from services.referee.record import Occupant
from services.referee.store import Store
from tests.ambush.cards import Tower
from tests.ambush.hosted import HOSTED
from tests.ambush.moves import Fortify
from tests.ambush.state import AmbushOptions

TABLE = Proposal(
    match_id="one",
    tenant="north",
    seats=(Occupant(player="ann"), Occupant(player="bob")),
    options=AmbushOptions(),
    mode="MODE_CASUAL",
    clock=None,
    body="",
)


async def test_a_match_that_goes_on_while_its_end_is_asked_for_is_not_lost(
    redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = Host(Store(redis, Folder(HOSTED), 16), Outages(redis, "ambush"))
    live = await host.create(TABLE)
    asked, hget = [], redis.hget

    async def slow(*where: Any) -> Any:
        end = await hget(*where)
        asked.append(end)
        if len(asked) < 3:  # somebody plays before the answer is heard
            action = Fortify(Tower.GATE if len(asked) == 1 else Tower.NORTH)
            await host.play(live.id, Seat(0), [action], Expectation(), None)
        return end

    monkeypatch.setattr(redis, "hget", slow)
    assert await host.store.catch_up(live)
    assert not live.lost
    assert len(asked) == 3


async def test_an_answer_is_of_its_own_entries_though_the_cache_went_on(
    redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = Host(Store(redis, Folder(HOSTED), 16), Outages(redis, "ambush"))
    other = Host(Store(redis, Folder(HOSTED), 16), Outages(redis, "ambush"))
    live = await host.create(TABLE)
    before, append = live.version, host.store.log.append

    async def overtaken(*write: Any) -> Any:
        answer = await append(*write)
        await other.play(live.id, Seat(1), [Fortify(Tower.GATE)], Expectation(), None)
        assert await host.store.catch_up(live)  # as a watcher would
        return answer

    monkeypatch.setattr(host.store.log, "append", overtaken)
    reply = await host.play(live.id, Seat(0), [Fortify(Tower.GATE)], Expectation(), None)
    assert (reply.first, reply.last) == (before + 1, before + 1)
    assert live.version == before + 2
