"""What becomes of one fact: its handlers run, or it is left for later, or it is given up."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NamedTuple

import structlog
from google.protobuf.message import DecodeError, Message
from redis.asyncio import Redis

from services.runtime import telemetry
from services.runtime.bus import DEAD, ENTRY
from services.runtime.settings import Settings
from vallum.events.v1.events_pb2 import Event

Handler = Callable[[Event, Any], Awaitable[None]]
"""`async def rate_players(event, fact)`; it raises when the fact must be tried again."""
Handlers = Mapping[type[Message], tuple[Handler, ...]]
"""Class of fact -> who handles it, in order."""

MOST_DEAD = 100_000
"""Dead letters kept."""
LONGEST_ERROR = 500

log = structlog.get_logger(__name__)


class Entry(NamedTuple):
    """A fact in hand."""

    key: str
    id: bytes
    body: bytes
    delivery: int
    """Which attempt this is, from 1."""


class Handling:
    """How a group handles facts."""

    def __init__(self, redis: Redis, settings: Settings, group: str, handlers: Handlers) -> None:
        self.group = group
        self._redis = redis
        self._tries = settings.bus_tries
        self._timeout = settings.bus_timeout
        self._handlers = handlers

    async def attempt(self, entry: Entry) -> bool:
        """Whether the group is done with a fact: handled, of no concern, or given up."""
        try:
            event = Event.FromString(entry.body)
        except DecodeError:
            return await self._park(entry, "unreadable", "not an event")
        fact = event.WhichOneof("fact")
        if fact is None:  # of a later contract
            return True
        message = getattr(event, fact)
        handlers = self._handlers.get(type(message))
        if not handlers:
            return True
        if entry.delivery > self._tries:
            return await self._park(entry, fact, "every process that had it in hand died")
        try:
            await self._call(handlers, event, fact, message)
        except Exception as error:  # noqa: BLE001 # it is told, counted and tried again
            return await self._failed(entry, fact, error)
        telemetry.FACTS_HANDLED.labels(self.group, fact).inc()
        return True

    async def _call(
        self, handlers: tuple[Handler, ...], event: Event, fact: str, message: Message
    ) -> None:
        name = f"{self.group} {fact}"
        with telemetry.span(name, event.traceparent, event=event.id, subject=event.subject):
            async with asyncio.timeout(self._timeout):
                for handler in handlers:
                    await handler(event, message)

    async def _failed(self, entry: Entry, fact: str, error: Exception) -> bool:
        telemetry.FACTS_FAILED.labels(self.group, fact).inc()
        log.warning(
            "fact_failed", group=self.group, fact=fact, delivery=entry.delivery, exc_info=error
        )
        if entry.delivery < self._tries:
            return False
        return await self._park(entry, fact, f"{type(error).__name__}: {error}")

    async def _park(self, entry: Entry, fact: str, error: str) -> bool:
        """Put a fact among the dead letters, so that the stream goes on."""
        telemetry.FACTS_DEAD.labels(self.group, fact).inc()
        log.error("fact_given_up", group=self.group, fact=fact, error=error[:LONGEST_ERROR])
        letter: dict[Any, Any] = {
            ENTRY: entry.body,
            "group": self.group,
            "stream": entry.key,
            "id": entry.id,
            "deliveries": entry.delivery,
            "error": error[:LONGEST_ERROR],
        }
        await self._redis.xadd(DEAD, letter, maxlen=MOST_DEAD)
        return True
