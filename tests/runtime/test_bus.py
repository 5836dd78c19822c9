"""The bus: at least once, shared by a group, patient with failures, trimmed behind all."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from redis.asyncio import Redis
from redis.exceptions import ConnectionError as RedisConnectionError

from services.runtime import bus as names
from services.runtime import telemetry
from services.runtime.bus import Bus
from services.runtime.consumer import Consumer
from services.runtime.handling import Handler
from services.runtime.redis import EmbeddedRedis, connect
from services.runtime.retention import measure, trim
from services.runtime.settings import Settings
from vallum.events.v1 import events_pb2 as ev

GROUP = "scoring"
TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
MINUTE = 60_000


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """Two partitions and little patience."""
    return replace(
        settings, partitions=2, bus_tries=3, bus_retry=0.05, bus_idle=0.5, bus_keep=0.0, grace=5.0
    )


def finished(match: str, **more: Any) -> ev.Event:
    """The fact that a match has ended."""
    fact = ev.MatchFinished(game="ambush")
    return ev.Event(subject=f"matches/{match}", match_finished=fact, **more)


async def until(condition: Callable[[], bool | Awaitable[bool]], seconds: float = 30.0) -> None:
    """Wait for a condition, or fail."""
    async with asyncio.timeout(seconds):
        while True:
            holds = condition()
            if holds if isinstance(holds, bool) else await holds:
                return
            await asyncio.sleep(0.01)


class Seen:
    """A handler that remembers what it saw, and fails where it is told to."""

    def __init__(self, fails: Callable[[str], bool] = lambda _match: False) -> None:
        self.matches: list[str] = []
        self.attempts: list[str] = []
        self._fails = fails

    async def __call__(self, event: ev.Event, fact: ev.MatchFinished) -> None:
        assert fact.game == "ambush"
        match = event.subject.removeprefix("matches/")
        self.attempts.append(match)
        if self._fails(match):
            raise LookupError(f"no rating for {match}")
        self.matches.append(match)


def consumer(redis: Redis, settings: Settings, *handlers: Handler, name: str = "one") -> Consumer:
    return Consumer(redis, replace(settings, replica=name), GROUP, {ev.MatchFinished: handlers})


async def unfinished(redis: Redis, settings: Settings) -> int:
    """Facts that the group has in hand."""
    keys = names.streams("matches", settings.partitions)
    return sum([(await redis.xpending(key, GROUP))["pending"] for key in keys])


async def entries(redis: Redis, key: str) -> list[Any]:
    """What a stream holds: (id, fields)."""
    found: Any = await redis.xrange(key)
    return list(found)


async def facts(redis: Redis, settings: Settings) -> int:
    """Facts on the bus."""
    return sum([await redis.xlen(key) for key in names.streams("matches", settings.partitions)])


def test_a_subject_always_lives_in_the_same_partition() -> None:
    assert [names.partition(f"m-{number}", 16) for number in range(4)] == [2, 4, 14, 8]
    assert names.stream("matches", 7) == "{p07}:bus:matches"
    assert names.stream_of(finished("m-0"), 16) == "{p02}:bus:matches"


def test_every_fact_has_a_topic() -> None:
    fields = ev.Event.DESCRIPTOR.oneofs_by_name["fact"].fields
    assert {field.name for field in fields} == names.TOPIC_OF.keys()


async def test_what_is_published_is_handled_once(redis: Redis, settings: Settings) -> None:
    seen = Seen()
    bus = Bus(redis, settings)
    async with consumer(redis, settings, seen):
        for match in "abcdef":
            await bus.publish(finished(match))
        await until(lambda: len(seen.matches) == 6)
    assert sorted(seen.matches) == list("abcdef")
    assert await unfinished(redis, settings) == 0


async def test_publishing_fills_in_the_envelope(redis: Redis, settings: Settings) -> None:
    event = finished("a")
    with telemetry.span("test", TRACE):
        await Bus(redis, settings).publish(event)
    assert event.id
    assert event.occurred_at.seconds > 1_700_000_000
    assert event.traceparent == TRACE


async def test_a_group_begins_with_what_was_said_before_it(
    redis: Redis, settings: Settings
) -> None:
    await Bus(redis, settings).publish(finished("early"))
    seen = Seen()
    async with consumer(redis, settings, seen):
        await until(lambda: seen.matches == ["early"])


async def test_facts_that_nobody_handles_are_passed_over(redis: Redis, settings: Settings) -> None:
    seen = Seen()
    opened = ev.Event(subject="matches/a", turn_opened=ev.TurnOpened(game="ambush"))
    later = ev.Event(subject="matches/a")
    async with consumer(redis, settings, seen):
        await Bus(redis, settings).publish(opened)
        key = names.stream_of(opened, settings.partitions)
        await redis.xadd(key, {"e": later.SerializeToString()})
        await Bus(redis, settings).publish(finished("a"))
        await until(lambda: seen.matches == ["a"])
    assert await unfinished(redis, settings) == 0


async def test_two_consumers_of_a_group_share_the_work(redis: Redis, settings: Settings) -> None:
    one, two = Seen(), Seen()
    matches = {f"m-{number}" for number in range(60)}

    async def slowly(_event: ev.Event, _fact: object) -> None:
        await asyncio.sleep(0.005)

    async with (
        consumer(redis, settings, slowly, one, name="one"),
        consumer(redis, settings, slowly, two, name="two"),
    ):
        for match in matches:
            await Bus(redis, settings).publish(finished(match))
        await until(lambda: len(one.matches) + len(two.matches) == 60)
    assert set(one.matches) | set(two.matches) == matches
    assert one.matches
    assert two.matches


async def test_two_groups_each_see_everything(redis: Redis, settings: Settings) -> None:
    one, two = Seen(), Seen()
    other = Consumer(redis, settings, "archive", {ev.MatchFinished: (two,)})
    async with consumer(redis, settings, one), other:
        await Bus(redis, settings).publish(finished("a"))
        await until(lambda: one.matches == two.matches == ["a"])


async def test_a_fact_that_fails_is_tried_again_while_the_others_go_on(
    redis: Redis, settings: Settings
) -> None:
    seen = Seen(fails=lambda match: match == "bad" and len(seen.matches) < 2)
    async with consumer(redis, replace(settings, bus_tries=20), seen):
        for match in ("bad", "b", "c"):
            await Bus(redis, settings).publish(finished(match))
        await until(lambda: len(seen.matches) == 3)
    assert seen.matches[-1] == "bad"
    assert seen.attempts.count("bad") > 1
    assert await redis.xlen(names.DEAD) == 0
    assert await unfinished(redis, settings) == 0


async def test_a_fact_that_always_fails_is_parked_with_its_error(
    redis: Redis, settings: Settings
) -> None:
    seen = Seen(fails=lambda match: match == "bad")
    event = finished("bad", id="the-event")
    async with consumer(redis, settings, seen):
        await Bus(redis, settings).publish(event)
        await until(lambda: _one_dead(redis))
        await Bus(redis, settings).publish(finished("good"))
        await until(lambda: seen.matches == ["good"])
    ((_, letter),) = await entries(redis, names.DEAD)
    assert seen.attempts.count("bad") == settings.bus_tries
    assert letter[b"error"] == b"LookupError: no rating for bad"
    assert letter[b"deliveries"] == b"3"
    assert letter[b"group"] == GROUP.encode()
    assert ev.Event.FromString(letter[b"e"]) == event
    assert await unfinished(redis, settings) == 0


async def _one_dead(redis: Redis) -> bool:
    return await redis.xlen(names.DEAD) == 1


async def test_what_is_no_event_is_parked_at_once(redis: Redis, settings: Settings) -> None:
    async with consumer(redis, settings, Seen()):
        await redis.xadd(names.stream("matches", 0), {"e": b"\xff\xff"})
        await until(lambda: _one_dead(redis))


async def test_a_handler_that_hangs_is_given_up(redis: Redis, settings: Settings) -> None:
    async def hang(_event: ev.Event, _fact: object) -> None:
        await asyncio.Event().wait()

    hasty = replace(settings, bus_timeout=0.05)
    async with consumer(redis, hasty, hang):
        await Bus(redis, settings).publish(finished("a"))
        await until(lambda: _one_dead(redis))


async def test_a_long_handler_keeps_what_it_has_in_hand(redis: Redis, settings: Settings) -> None:
    released = asyncio.Event()
    started: list[str] = []

    async def slow(event: ev.Event, _fact: object) -> None:
        started.append(event.subject)
        await released.wait()

    async with (
        consumer(redis, settings, slow, name="one"),
        consumer(redis, settings, slow, name="two"),
    ):
        await Bus(redis, settings).publish(finished("a"))
        await asyncio.sleep(4 * settings.bus_idle)  # time in which it must not be taken over
        assert started == ["matches/a"]
        released.set()
    assert await unfinished(redis, settings) == 0


DOOMED = """
import asyncio, sys
from services.runtime.consumer import Consumer
from services.runtime.redis import EmbeddedRedis, connect
from services.runtime.settings import Settings
from vallum.events.v1 import events_pb2 as ev

async def die(event, fact):
    print("in hand", flush=True)
    await asyncio.Event().wait()

async def main():
    settings = Settings(replica=sys.argv[2], partitions=2)
    async with Consumer(connect(sys.argv[1]), settings, "scoring", {ev.MatchFinished: (die,)}):
        await asyncio.Event().wait()

asyncio.run(main())
"""


@asynccontextmanager
async def doomed(redis_url: str, name: str) -> AsyncIterator[None]:
    """A consumer in a process of its own that has been killed with a fact in hand."""
    command = [sys.executable, "-c", DOOMED, redis_url, name]
    path = os.pathsep.join(part for part in sys.path if part)
    with subprocess.Popen(  # noqa: ASYNC220 # it takes a moment, and is waited for elsewhere
        command, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": path}
    ) as child:
        assert child.stdout is not None
        try:
            assert await asyncio.to_thread(child.stdout.readline) == b"in hand\n"
        finally:
            child.kill()
    yield


async def test_the_living_take_over_from_a_killed_consumer(
    redis: Redis, redis_url: str, settings: Settings
) -> None:
    await Bus(redis, settings).publish(finished("a"))
    async with doomed(redis_url, "doomed"):
        assert await unfinished(redis, settings) == 1
        seen = Seen()
        async with consumer(redis, settings, seen, name="living"):
            await until(lambda: seen.matches == ["a"])
    assert await unfinished(redis, settings) == 0


async def test_a_killed_consumer_goes_on_at_once_under_its_own_name(
    redis: Redis, redis_url: str, settings: Settings
) -> None:
    await Bus(redis, settings).publish(finished("a"))
    async with doomed(redis_url, "one"):
        seen = Seen()
        patient = replace(settings, bus_idle=3600.0)
        async with consumer(redis, patient, seen, name="one"):
            await until(lambda: seen.matches == ["a"])


async def test_a_fact_that_kills_whoever_handles_it_is_parked(
    redis: Redis, settings: Settings
) -> None:
    await Bus(redis, settings).publish(finished("a"))
    key = names.stream_of(finished("a"), settings.partitions)
    await redis.xgroup_create(key, GROUP, "0")
    await redis.xreadgroup(GROUP, "dead", {key: ">"})
    ((id_, _),) = await entries(redis, key)
    await redis.xclaim(key, GROUP, "dead", 0, [id_], idle=MINUTE, retrycount=settings.bus_tries)
    seen = Seen()
    async with consumer(redis, settings, seen):
        await until(lambda: _one_dead(redis))
    assert seen.attempts == []


async def test_the_trace_arrives_in_the_handler(redis: Redis, settings: Settings) -> None:
    traces: list[str] = []

    async def note(_event: ev.Event, _fact: object) -> None:
        traces.append(telemetry.current_traceparent())

    async with consumer(redis, settings, note):
        await Bus(redis, settings).publish(finished("a", traceparent=TRACE))
        await Bus(redis, settings).publish(finished("b", traceparent="nonsense"))
        await until(lambda: len(traces) == 2)
    assert sorted(trace.split("-")[1] for trace in traces if trace) == [TRACE.split("-")[1]]


async def test_a_consumer_outlives_the_loss_of_everything(redis: Redis, settings: Settings) -> None:
    seen = Seen()
    async with consumer(redis, settings, seen):
        await Bus(redis, settings).publish(finished("before"))
        await until(lambda: seen.matches == ["before"])
        await redis.flushdb()
        await Bus(redis, settings).publish(finished("after"))
        await until(lambda: seen.matches == ["before", "after"])


async def test_stopping_finishes_what_is_in_hand(redis: Redis, settings: Settings) -> None:
    begun = asyncio.Event()
    ended: list[str] = []

    async def slow(event: ev.Event, _fact: object) -> None:
        begun.set()
        await asyncio.sleep(0.2)
        ended.append(event.subject)

    async with consumer(redis, settings, slow):
        await Bus(redis, settings).publish(finished("a"))
        await begun.wait()
    assert ended == ["matches/a"]
    assert await unfinished(redis, settings) == 0


async def test_trimming_never_outruns_a_group(redis: Redis, settings: Settings) -> None:
    """A fast group, one that has read but not finished, one that has read nothing."""
    key = names.stream("matches", 0)
    for group in ("fast", "slow", "late"):
        await redis.xgroup_create(key, group, "0", mkstream=True)
    ids = [await redis.xadd(key, {"e": b""}, id=f"{number}-0") for number in range(1, 11)]

    await redis.xreadgroup("fast", "one", {key: ">"})
    await redis.xack(key, "fast", *ids)
    assert await trim(redis, settings) == 0

    await redis.xreadgroup("late", "one", {key: ">"})
    await redis.xack(key, "late", *ids)
    await redis.xreadgroup("slow", "one", {key: ">"}, count=8)
    await redis.xack(key, "slow", *ids[:3], *ids[4:8])
    assert await trim(redis, settings) == 3
    assert (await entries(redis, key))[0][0] == b"4-0"

    await redis.xack(key, "slow", ids[3])
    assert await trim(redis, settings) == 4
    assert [id_ for id_, _ in await entries(redis, key)] == [b"8-0", b"9-0", b"10-0"]


async def test_young_facts_stay_for_a_while(redis: Redis, settings: Settings) -> None:
    seen = Seen()
    async with consumer(redis, settings, seen):
        await Bus(redis, settings).publish(finished("a"))
        await until(lambda: seen.matches == ["a"])
    assert await trim(redis, replace(settings, bus_keep=60.0)) == 0
    assert await facts(redis, settings) == 1


async def test_what_no_group_reads_waits_a_day(redis: Redis, settings: Settings) -> None:
    key = names.stream("matches", 0)
    seconds, _ = await redis.time()
    await redis.xadd(key, {"e": b""}, id=f"{(seconds - 25 * 3600) * 1000}-0")
    await redis.xadd(key, {"e": b""}, id=f"{(seconds - 23 * 3600) * 1000}-0")
    assert await trim(redis, settings) == 1


async def test_the_lag_counts_what_is_unread_and_what_is_in_hand(
    redis: Redis, settings: Settings
) -> None:
    key = names.stream("matches", 1)
    await redis.xgroup_create(key, "lagging", "0", mkstream=True)
    for _ in range(5):
        await redis.xadd(key, {"e": b""})
    await redis.xreadgroup("lagging", "one", {key: ">"}, count=2)
    await measure(redis, settings)
    labels = {"group": "lagging", "topic": "matches"}
    assert telemetry.REGISTRY.get_sample_value("vallum_bus_lag", labels) == 5


async def test_only_facts_have_handlers(redis: Redis, settings: Settings) -> None:
    with pytest.raises(ValueError, match="Event is no fact"):
        Consumer(redis, settings, GROUP, {ev.Event: (Seen(),)})


async def test_no_consumer_starts_without_a_server(settings: Settings) -> None:
    nobody = connect("redis://127.0.0.1:1/0")
    with pytest.raises(RedisConnectionError):
        async with consumer(nobody, settings, Seen()):
            pytest.fail("nobody was there")
    await nobody.aclose()


async def test_a_consumer_outlives_a_crash_of_the_server(
    tmp_path: Path, settings: Settings
) -> None:
    with EmbeddedRedis(tmp_path / "redis", fsync="always") as server:
        redis = connect(server.url)
        seen = Seen()
        async with consumer(redis, settings, seen):
            await Bus(redis, settings).publish(finished("before"))
            await until(lambda: seen.matches == ["before"])
            server.kill()
            server.start()
            await Bus(redis, settings).publish(finished("after"))
            await until(lambda: "after" in seen.matches)
        await redis.aclose()
