"""The bus: facts on Redis Streams, split into partitions by what they are about.

Delivery is at least once. What a group has not finished is never trimmed away.
"""

from __future__ import annotations

import time
import uuid
from zlib import crc32

from redis.asyncio import Redis

from services.runtime.settings import Settings
from services.runtime.telemetry import current_traceparent
from vallum.events.v1.events_pb2 import Event

TOPIC_OF = {
    "match_created": "matches",
    "turn_opened": "matches",
    "match_finished": "matches",
    "seat_changed": "matches",
    "match_formed": "formed",
    "seat_found": "formed",
    "player_invited": "invitations",
    "invitation_ended": "invitations",
    "record_archived": "archive",
    "result_corrected": "results",
    "rating_adjusted": "results",
    "key_revoked": "accounts",
    "webhook_changed": "accounts",
    "delivery_due": "webhooks",
    "player_deleted": "accounts",
}
"""Fact, as the envelope names it -> topic."""

ENTRY = b"e"
"""The one field of a stream's entry: the event's bytes."""
DEAD = "bus:dead"
"""Where facts lie that could not be handled."""


def partition(subject_id: str, partitions: int) -> int:
    """Where a match, or anything else with an id, lives."""
    return crc32(subject_id.encode()) % partitions


def tag(number: int) -> str:
    """`{p07}`: keys that share it share a Redis Cluster slot."""
    return f"{{p{number:02}}}"


def stream(topic: str, number: int) -> str:
    """The key of a topic's stream in a partition."""
    return f"{tag(number)}:bus:{topic}"


def streams(topic: str, partitions: int) -> list[str]:
    """The keys of a topic's streams."""
    return [stream(topic, number) for number in range(partitions)]


def stream_of(event: Event, partitions: int) -> str:
    """The stream that an event belongs to. Raises ValueError for one without a fact."""
    fact = event.WhichOneof("fact")
    if fact is None:
        raise ValueError("an event needs a fact")
    subject_id = event.subject.rpartition("/")[2]
    return stream(TOPIC_OF[fact], partition(subject_id, partitions))


class Bus:
    """Where facts are published that are not written together with what they tell of."""

    def __init__(self, redis: Redis, settings: Settings) -> None:
        self._redis = redis
        self._partitions = settings.partitions

    async def publish(self, event: Event) -> None:
        """Append a fact. Its id, time and trace context are filled in where they are unset."""
        event.id = event.id or uuid.uuid4().hex
        event.traceparent = event.traceparent or current_traceparent()
        if not event.HasField("occurred_at"):
            event.occurred_at.FromMilliseconds(time.time_ns() // 1_000_000)
        key = stream_of(event, self._partitions)
        await self._redis.xadd(key, {ENTRY: event.SerializeToString()})
