from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
import redis as blocking
from redis.asyncio import Redis

from services.gamekit.game import Seat
from services.workers import claims
from services.workers.claims import Holding, Waiting, claim_key
from services.workers.queues import Turn
from tests.until import until

TURN = Turn("ambush", "m1", Seat(2), 4)


@pytest.fixture
def holding(redis_url: str) -> Iterator[Holding]:
    client = blocking.Redis.from_url(redis_url)
    holding = Holding(client)
    yield holding
    holding.close()
    client.close()


async def test_a_turn_that_waits_is_not_queued_again(redis: Redis) -> None:
    waiting = Waiting(redis)
    assert await waiting.enter(TURN)
    await redis.lpush(TURN.queue, "task")
    assert not await waiting.enter(TURN)


async def test_a_turn_that_waits_in_an_empty_queue_was_lost(redis: Redis) -> None:
    waiting = Waiting(redis)
    assert await waiting.enter(TURN)
    assert await waiting.enter(TURN)


async def queued(redis: Redis, *turns: Turn) -> list[int]:
    """Queue turns as the dispatcher does; their numbers."""
    numbers = []
    for turn in turns:
        numbers.append(await Waiting(redis).enter(turn))
        await redis.lpush(turn.queue, "task")
    return numbers


async def test_a_turn_that_others_have_passed_in_the_queue_was_lost(
    redis: Redis, holding: Holding
) -> None:
    later = [TURN._replace(decision_id=number) for number in (5, 6)]
    numbers = await queued(redis, TURN, *later)
    assert numbers == [1, 2, 3]
    with holding.turn(later[0], numbers[1]):
        assert await Waiting(redis).enter(TURN) == 4
        assert not await Waiting(redis).enter(TURN), "now it is the last one"
        assert not await Waiting(redis).enter(later[1])


async def test_the_first_of_two_tasks_of_a_turn_passes_nobody_behind_it(
    redis: Redis, holding: Holding
) -> None:
    others = [TURN._replace(decision_id=number) for number in (5, 6)]
    first, *_ = await queued(redis, TURN, *others)
    await redis.delete(claim_key(TURN))
    assert await queued(redis, TURN) == [4]
    with holding.turn(TURN, first):
        assert not any([await Waiting(redis).enter(one) for one in others])


async def test_a_task_from_before_a_flush_passes_nobody_after_it(
    redis: Redis, holding: Holding
) -> None:
    old = [TURN._replace(decision_id=number) for number in range(5, 9)]
    numbers = await queued(redis, *old)
    await redis.flushdb()
    await queued(redis, TURN)
    with holding.turn(old[-1], numbers[-1]):
        assert not await Waiting(redis).enter(TURN)


async def test_a_turn_that_could_not_be_queued_may_be_queued_later(redis: Redis) -> None:
    waiting = Waiting(redis)
    await redis.lpush(TURN.queue, "another task")
    assert await waiting.enter(TURN)
    await waiting.leave(TURN)
    assert await waiting.enter(TURN)


async def test_a_turn_in_hand_is_neither_queued_nor_taken_twice(
    redis: Redis, holding: Holding
) -> None:
    with holding.turn(TURN) as before:
        assert before == 0
        assert not await Waiting(redis).enter(TURN)
        with holding.turn(TURN) as again:
            assert again is None
    assert await Waiting(redis).enter(TURN)


async def test_a_turn_whose_process_died_is_free_again_and_counted(
    redis: Redis, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(claims, "HELD_MS", 150)
    client = blocking.Redis.from_url(redis_url)
    dead = Holding(client)
    dead.close()  # nobody renews what it holds
    stack = dead.turn(TURN)
    stack.__enter__()

    async def free() -> bool:
        return not await redis.exists(claim_key(TURN))

    await until(free, 3)
    with Holding(client).turn(TURN) as before:
        assert before == 1
    with Holding(client).turn(TURN) as before:
        assert before == 0
    client.close()


async def test_a_turn_in_hand_stays_so_as_long_as_its_process_lives(
    redis: Redis, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(claims, "HELD_MS", 300)
    monkeypatch.setattr(claims, "RENEW_S", 0.05)
    client = blocking.Redis.from_url(redis_url)
    holding = Holding(client)
    seen: list[int] = []

    async def renewed() -> bool:
        seen.append(await redis.pttl(claim_key(TURN)))
        return any(one < two for one, two in pairwise(seen))

    with holding.turn(TURN):
        await until(renewed, 3)
    holding.close()
    client.close()
