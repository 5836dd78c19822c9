"""Reading facts: a group of consumers shares the streams of its topics.

A fact is acknowledged after its handlers have run. One that fails is tried again, later and later,
while the others go on; after `bus_tries` it is parked in `bus:dead` with the error. What a dead
consumer had in hand is taken over by the living. So a handler may see a fact twice: it remembers
the ids of events in the same transaction as its effect, or does what may be done twice.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from time import monotonic
from typing import Any, Self

import structlog
from google.protobuf.message import Message
from redis.asyncio import Redis
from redis.exceptions import RedisError, ResponseError

from services.runtime.bus import ENTRY, TOPIC_OF, streams
from services.runtime.handling import Entry, Handlers, Handling
from services.runtime.loops import ended
from services.runtime.settings import Settings
from vallum.events.v1.events_pb2 import Event

AT_ONCE = 16
"""Facts taken from a stream at a time."""
WAIT = 2.0
"""Seconds that a read waits for news."""
SLOWER = 3.0
"""Each retry waits that many times as long as the one before."""

log = structlog.get_logger(__name__)


class Consumer:
    """A member of `group` while in its `async with`. Its name is stable: settings.replica."""

    def __init__(self, redis: Redis, settings: Settings, group: str, handlers: Handlers) -> None:
        self.group = group
        self.name = settings.replica
        self._redis = redis
        self._settings = settings
        self._handling = Handling(redis, settings, group, handlers)
        self._keys = _keys(handlers, settings.partitions)
        self._in_hand: dict[str, set[bytes]] = {key: set() for key in self._keys}
        self._later: dict[tuple[str, bytes], tuple[float, int]] = {}
        """(stream, id) of what failed -> when to try again, deliveries so far."""
        self._look_around = 0.0
        self._stopping = False
        self._reading: asyncio.Task[Any] | None = None
        self._tasks: tuple[asyncio.Task[None], ...] = ()

    async def __aenter__(self) -> Self:
        await self._join()
        self._tasks = (asyncio.create_task(self._run()), asyncio.create_task(self._hold()))
        return self

    async def __aexit__(self, *_: object) -> None:
        """Finish what is in hand, within the grace period."""
        self._stopping = True
        if self._reading:
            self._reading.cancel()
        await asyncio.wait(self._tasks[:1], timeout=self._settings.grace)
        await ended(self._tasks)

    async def _run(self) -> None:
        ready = False
        while not self._stopping:
            try:
                if not ready:
                    await self._join()
                    await self._claim_own()
                    ready = True
                await self._read()
                await self._retry()
                await self._take_over()
            except Exception as error:  # it stumbles, but it never ends
                log.warning("consumer_stumbled", group=self.group, exc_info=error)
                ready = False  # Redis may have lost the group with everything else
                await asyncio.sleep(self._settings.bus_retry)

    async def _join(self) -> None:
        """Make the group where it is new; it begins with the oldest fact there is."""
        for key in self._keys:
            try:
                await self._redis.xgroup_create(key, self.group, id="0", mkstream=True)
            except ResponseError as error:
                if not str(error).startswith("BUSYGROUP"):
                    raise

    async def _read(self) -> None:
        """Handle what is new, the streams side by side, each in its order."""
        self._reading = asyncio.create_task(self._news())
        await asyncio.wait({self._reading})
        read, self._reading = self._reading, None
        if self._stopping and read.cancelled():
            return
        outcomes = await asyncio.gather(
            *(self._batch(key.decode(), rows) for key, rows in read.result() or ()),
            return_exceptions=True,
        )
        for outcome in outcomes:
            if outcome is not None:
                raise outcome

    async def _news(self) -> Any:
        return await self._redis.xreadgroup(
            self.group,
            self.name,
            dict.fromkeys(self._keys, ">"),
            count=AT_ONCE,
            block=self._patience(),
        )

    def _patience(self) -> int:
        """Milliseconds to wait for news, until something else is due."""
        due = min((when for when, _ in self._later.values()), default=self._look_around)
        wait = min(due, self._look_around) - monotonic()
        return max(1, int(min(wait, WAIT) * 1000))

    async def _retry(self) -> None:
        """Try again what failed, when its time has come."""
        now = monotonic()
        due = [(spot, delivery) for spot, (when, delivery) in self._later.items() if when <= now]
        for (key, id_), delivery in due:
            await self._claim(key, {id_: delivery}, idle=0)

    async def _claim_own(self) -> None:
        """Go on with what was in hand when a process of this name ended."""
        for key in self._keys:
            await self._claim(key, await self._pending(key, consumer=self.name), idle=0)

    async def _take_over(self) -> None:
        """Now and then, take what somebody has had in hand for too long."""
        if monotonic() < self._look_around:
            return
        idle = int(self._settings.bus_idle * 1000)
        for key in self._keys:
            await self._claim(key, await self._pending(key, idle=idle), idle=idle)
        self._look_around = monotonic() + self._settings.bus_idle / 2

    async def _pending(
        self, key: str, *, consumer: str | None = None, idle: int | None = None
    ) -> dict[bytes, int]:
        """Ids in hand -> deliveries so far."""
        rows: Any = await self._redis.xpending_range(
            key, self.group, "-", "+", AT_ONCE, consumername=consumer, idle=idle
        )
        return {row["message_id"]: row["times_delivered"] for row in rows}

    async def _claim(self, key: str, deliveries: Mapping[bytes, int], idle: int) -> None:
        """Handle these facts unless somebody else has taken them in the meantime.

        One by one: if a fact kills its consumer, only that fact counts as delivered once more.
        """
        for id_, delivery in deliveries.items():
            self._later.pop((key, id_), None)
            rows: Any = await self._redis.xclaim(key, self.group, self.name, idle, [id_])
            await self._batch(key, rows, delivery + 1)

    async def _batch(self, key: str, rows: list[Any], delivery: int = 1) -> None:
        """Facts of one stream, in order; those that are done with are acknowledged together."""
        batch = [Entry(key, id_, row.get(ENTRY, b""), delivery) for id_, row in rows if id_]
        ids = {entry.id for entry in batch}
        self._in_hand[key] |= ids
        done: list[bytes] = []
        try:
            for entry in batch:
                if await self._handling.attempt(entry):
                    done.append(entry.id)
                else:
                    self._put_off(entry)
        finally:
            self._in_hand[key] -= ids
            if done:
                await self._redis.xack(key, self.group, *done)

    def _put_off(self, entry: Entry) -> None:
        wait = self._settings.bus_retry * SLOWER ** (entry.delivery - 1)
        self._later[entry.key, entry.id] = (monotonic() + wait, entry.delivery)

    async def _hold(self) -> None:
        """Keep what is in hand from looking abandoned, however long a handler takes."""
        while True:
            await asyncio.sleep(self._settings.bus_idle / 3)
            for key, ids in self._in_hand.items():
                try:
                    if ids:
                        await self._redis.xclaim(
                            key, self.group, self.name, 0, list(ids), justid=True
                        )
                except RedisError as error:
                    log.warning("not_held", group=self.group, stream=key, error=str(error))


def _keys(handlers: Handlers, partitions: int) -> list[str]:
    """The streams of the facts that are handled."""
    topics = {TOPIC_OF[_fact(kind)] for kind in handlers}
    return [key for topic in sorted(topics) for key in streams(topic, partitions)]


def _fact(kind: type[Message]) -> str:
    """What the envelope calls a class of fact. Raises ValueError for a class that is none."""
    for field in Event.DESCRIPTOR.oneofs_by_name["fact"].fields:
        if field.message_type is kind.DESCRIPTOR:
            return field.name
    raise ValueError(f"{kind.__name__} is no fact")
