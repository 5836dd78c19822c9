"""Trimming the bus: a fact goes once every group has finished it and some time has passed."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import structlog
from redis.asyncio import Redis
from redis.exceptions import RedisError, ResponseError

from services.runtime import telemetry
from services.runtime.bus import TOPIC_OF, streams
from services.runtime.settings import Settings

EVERY = 15.0
"""Seconds between two rounds."""
UNREAD = 24 * 3600.0
"""Seconds that facts wait in a stream that no group reads yet."""

Id = tuple[int, int]

log = structlog.get_logger(__name__)


async def keep_trimmed(redis: Redis, settings: Settings) -> None:
    """Trim the bus and measure its lag, round after round. Several processes may do so at once."""
    while True:
        try:
            await trim(redis, settings)
            await measure(redis, settings)
        except RedisError as error:
            log.warning("bus_not_trimmed", error=str(error))
        await asyncio.sleep(EVERY)


async def trim(redis: Redis, settings: Settings) -> int:
    """Drop what every group has finished and is older than `bus_keep`; how many facts that was.

    A fact that one group has not read, or has in hand, stays, and so do all that came after it.
    """
    seconds, _ = await redis.time()
    dropped = 0
    for key in _all_keys(settings):
        groups = await _groups(redis, key)
        if groups is None:
            continue
        age = settings.bus_keep if groups else UNREAD
        limits = [(int((seconds - age) * 1000), 0)]
        limits += [await _unfinished(redis, key, group) for group in groups]
        ms, sequence = min(limits)
        if ms > 0:
            dropped += await redis.xtrim(key, minid=f"{ms}-{sequence}", approximate=False)
    return dropped


async def measure(redis: Redis, settings: Settings) -> None:
    """Set the lag gauges: facts that a group has not read yet or has in hand."""
    lag: Counter[tuple[str, str]] = Counter()
    for topic in set(TOPIC_OF.values()):
        for key in streams(topic, settings.partitions):
            for group in await _groups(redis, key) or ():
                lag[group["name"].decode(), topic] += (group.get("lag") or 0) + group["pending"]
    for (name, topic), facts in lag.items():
        telemetry.FACTS_LAG.labels(name, topic).set(facts)


def _all_keys(settings: Settings) -> list[str]:
    topics = sorted(set(TOPIC_OF.values()))
    return [key for topic in topics for key in streams(topic, settings.partitions)]


async def _groups(redis: Redis, key: str) -> list[dict[str, Any]] | None:
    """The groups of a stream; None when there is no such stream."""
    try:
        groups: list[dict[str, Any]] = await redis.xinfo_groups(key)
    except ResponseError as error:
        if "no such key" in str(error):
            return None
        raise
    return groups


async def _unfinished(redis: Redis, key: str, group: dict[str, Any]) -> Id:
    """The id below which a group has finished everything."""
    if group["pending"]:
        pending = await redis.xpending(key, group["name"])
        if pending["min"]:
            return min(_id(pending["min"]), _id(group["last-delivered-id"]))
    return _id(group["last-delivered-id"])


def _id(text: bytes) -> Id:
    ms, _, sequence = text.partition(b"-")
    return int(ms), int(sequence)
