"""Clocks: they run for who must think, never run out early, and stand while nobody could move."""

from __future__ import annotations

from typing import Any

import pytest
from redis.asyncio import Redis

from services.gamekit.game import Seat
from services.referee.clocks import Clocks, TimeControl, deadline, stretched, ticked, wound
from services.runtime.auth import Role
from tests.ambush.cards import Tower
from tests.ambush.moves import Fortify
from tests.referee.given import CONTRACT, Refused, World, world
from tests.until import until
from vallum.match.v1 import match_pb2 as pb

GATE = CONTRACT.action_message(Fortify(Tower.GATE))
BANK = TimeControl("substitute", bank_ms=60_000, increment_ms=5_000)
DAYS = TimeControl("substitute", per_question_ms=86_400_000)


def after(
    control: TimeControl, clocks: Clocks, thinking: set[int], mover: int | None, now: int
) -> Clocks:
    seat = None if mover is None else Seat(mover)
    return ticked(control, clocks, thinking.__contains__, seat, now)


def test_a_bank_runs_while_its_seat_must_think() -> None:
    clocks = after(BANK, wound(BANK, 2), {0, 1}, None, 1_000)
    assert deadline(BANK, clocks, Seat(0)) == 61_000
    clocks = after(BANK, clocks, {1}, 0, 11_000)
    assert clocks.left == (55_000, 60_000)
    assert deadline(BANK, clocks, Seat(0)) is None
    assert deadline(BANK, clocks, Seat(1)) == 61_000


def test_questions_that_follow_ones_own_moves_are_one_stretch_of_thought() -> None:
    clocks = after(BANK, wound(BANK, 1), {0}, None, 1_000)
    for now in (2_000, 3_000, 4_000):
        clocks = after(BANK, clocks, {0}, 0, now)
        assert deadline(BANK, clocks, Seat(0)) == 61_000
    assert after(BANK, clocks, set(), 0, 11_000).left == (55_000,)


def test_time_per_question_begins_anew_with_each() -> None:
    clocks = after(DAYS, wound(DAYS, 2), {0, 1}, None, 1_000)
    clocks = after(DAYS, clocks, {0, 1}, 0, 5_000)
    assert deadline(DAYS, clocks, Seat(0)) == 86_405_000
    assert deadline(DAYS, clocks, Seat(1)) == 86_401_000


def test_nobody_gains_time_by_what_happens_to_the_table() -> None:
    clocks = after(BANK, wound(BANK, 1), {0}, None, 1_000)
    assert after(BANK, clocks, set(), None, 11_000).left == (50_000,)


def test_an_outage_counts_for_no_clock_and_only_once() -> None:
    clocks = after(BANK, wound(BANK, 2), {0}, None, 10_000)
    late = stretched(clocks, 12_000, 40_000)
    assert deadline(BANK, late, Seat(0)) == 10_000 + 28_000 + 60_000
    assert late.since[1] == 0
    assert late.outage_end == 40_000
    began_within = after(BANK, clocks, {0, 1}, None, 20_000)
    assert stretched(began_within, 12_000, 40_000).since == (38_000, 40_000)


def test_a_clock_that_began_after_an_outage_is_not_moved() -> None:
    clocks = after(BANK, wound(BANK, 1), {0}, None, 50_000)
    assert stretched(clocks, 12_000, 40_000).since == (50_000,)


async def seconds(here: World, number: int, mode: int = pb.MODE_CASUAL, **fields: Any) -> str:
    """A match of two with some seconds for each question."""
    clock = pb.Clock(expiry=fields.get("expiry", 0))
    clock.per_decision.FromSeconds(number)
    who = here.person("studio", Role.TENANT)
    seats = [{"player": "ann"}, {"player": "bob"}]
    created = await who.call("CreateMatch", seats=seats, clock=clock, mode=mode)
    return str(created.match.name)


async def skip(monkeypatch: pytest.MonkeyPatch, by_ms: int) -> None:
    """Let the host's wall clock go on."""
    from services.referee import host, sweep  # noqa: PLC0415 # patched here alone

    real = host.now_ms

    def later() -> int:
        return real() + by_ms

    for module in (host, sweep):
        monkeypatch.setattr(module, "now_ms", later)


async def seat_of(here: World, match: str, seat: int) -> Any:
    return (await here.person("ann").call("GetMatch", name=match)).match.seats[seat]


async def test_whose_time_runs_out_is_played_by_a_bot_until_he_returns(
    here: World, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await seconds(here, 30)
    ann = here.person("ann")
    asked = (await ann.call("ListActions", name=match)).decision
    assert asked.deadline.seconds > 0
    await leap(redis, monkeypatch, 31_000)

    async def substituted() -> bool:
        return bool((await seat_of(here, match, 0)).bot)

    await until(substituted)
    with pytest.raises(Refused) as refused:
        await ann.play(match, GATE)
    assert refused.value.code == "bot_in_charge"
    await ann.call("Return", name=match, request_id="back")
    assert not (await seat_of(here, match, 0)).bot
    await ann.play(match, GATE)


async def test_in_a_ranked_match_time_forfeits(
    here: World, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await seconds(here, 30, pb.MODE_RANKED)
    await here.person("bob").play(match, GATE)
    await leap(redis, monkeypatch, 31_000)

    async def over() -> bool:
        there = (await here.person("ann").call("GetMatch", name=match)).match
        return bool(there.state == pb.MATCH_STATE_FINISHED)

    await until(over)


async def leap(redis: Redis, monkeypatch: pytest.MonkeyPatch, by_ms: int) -> None:
    """Time goes on while the service is there all along: the sheet is signed for it, too."""
    ahead = str(int(await redis.get("alive:ambush") or 0) + by_ms)
    await redis.set("alive:ambush", ahead)
    await skip(monkeypatch, by_ms)


async def test_a_deadline_is_never_early(
    here: World, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await seconds(here, 30)
    await leap(redis, monkeypatch, 25_000)
    signed = int(await redis.get("alive:ambush") or 0)

    async def signed_again() -> bool:
        return int(await redis.get("alive:ambush") or 0) > signed + 600

    await until(signed_again)
    assert not (await seat_of(here, match, 0)).bot


async def test_time_when_the_service_was_down_counts_for_nobody(
    empty_url: str, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with world(empty_url) as before:
        match = await seconds(before, 30)
    await skip(monkeypatch, 3_600_000)
    async with world(empty_url) as here:

        async def told() -> bool:
            return bool(await redis.lrange("outages:ambush", 0, -1))

        await until(told)
        await here.person("ann").play(match, GATE)
        there = (await here.person("ann").call("GetMatch", name=match)).match
        assert not any(seat.bot for seat in there.seats)
        for one in there.decisions:
            assert one.deadline.seconds * 1000 > there.update_time.ToMilliseconds()


async def test_a_player_hands_over_and_returns(here: World) -> None:
    match = await here.match("ann", "bob")
    ann = here.person("ann")
    await ann.call("HandOver", name=match, request_id="one")
    assert (await seat_of(here, match, 0)).bot == "easy"
    await ann.call("Return", name=match, request_id="two")
    with pytest.raises(Refused) as refused:
        await ann.call("Return", name=match, request_id="three")
    assert refused.value.code == "cannot_return"


async def test_nobody_hands_over_a_ranked_seat(here: World) -> None:
    match = await seconds(here, 60, pb.MODE_RANKED)
    with pytest.raises(Refused) as refused:
        await here.person("ann").call("HandOver", name=match, request_id="one")
    assert refused.value.code == "ranked_seat"
