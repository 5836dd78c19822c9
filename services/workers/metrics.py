"""What the dispatcher's process tells Prometheus of the workers."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import structlog
from prometheus_client import Counter, Gauge
from redis.asyncio import Redis
from redis.exceptions import RedisError

from services.runtime.telemetry import REGISTRY

TURNS_QUEUED = Counter("vallum_turns_queued", "Turns queued.", ["queue"], registry=REGISTRY)
QUEUE_LENGTH = Gauge("vallum_queue_length", "Tasks waiting.", ["queue"], registry=REGISTRY)
WORKER_STARTS = Counter(
    "vallum_worker_starts", "Starts of a worker, by what ended the one before.", ["after"],
    registry=REGISTRY,
)  # fmt: skip
EVERY_S = 5.0

log = structlog.get_logger(__name__)


async def measure(broker: Redis, queues: Sequence[str]) -> None:
    """Look at the queues now and then, for ever."""
    while True:
        try:
            for queue in queues:
                QUEUE_LENGTH.labels(queue).set(await broker.llen(queue))
        except RedisError as error:
            log.warning("queues_not_measured", error=str(error))
        await asyncio.sleep(EVERY_S)
