"""Who has which turn in hand, noted beside the queues: what is waiting or being taken is not
queued again. Lost with the broker's data, like the queues: then turns are announced anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any

import redis
import redis.asyncio
import structlog
from redis.exceptions import RedisError

from services.workers.queues import Turn

WAITING_MS = 600_000
"""A turn that has waited so long may be queued again."""
HELD_MS = 4_000
"""A turn whose process was killed is free again after this."""
RENEW_S = 1.0

TAKE = """
local held = redis.call('GET', KEYS[1])
if held == 'held' then return -1 end
redis.call('SET', KEYS[1], 'held', 'PX', ARGV[1])
local times = redis.call('INCR', KEYS[2])
redis.call('PEXPIRE', KEYS[2], ARGV[2])
return times - 1
"""

log = structlog.get_logger(__name__)


def claim_key(turn: Turn) -> str:
    """Says "waiting" or "held"."""
    return f"turn:{turn.id}"


def tries_key(turn: Turn) -> str:
    """Counts how often a turn was taken in hand."""
    return f"turn:{turn.id}:tries"


class Waiting:
    """The dispatcher's side."""

    def __init__(self, broker: redis.asyncio.Redis) -> None:
        self._broker = broker

    async def enter(self, turn: Turn) -> bool:
        """Note that `turn` is about to be queued; False if it is queued or in hand already.

        One that should wait in an empty queue was lost: it is queued again.
        """
        key = claim_key(turn)
        if await self._broker.set(key, "waiting", nx=True, px=WAITING_MS):
            return True
        if await self._broker.get(key) == b"held" or await self._broker.llen(turn.queue):
            return False
        await self._broker.set(key, "waiting", px=WAITING_MS)
        return True

    async def leave(self, turn: Turn) -> None:
        """It could not be queued."""
        await self._broker.delete(claim_key(turn))


class Holding:
    """The worker's side. What it holds is renewed by a thread, so that it dies with the process.

    Made after the fork.
    """

    def __init__(self, broker: redis.Redis) -> None:
        self._broker = broker
        self._take: Any = broker.register_script(TAKE)
        self._held: str | None = None
        self._ended = Event()
        Thread(target=self._renew, name="claims", daemon=True).start()

    @contextmanager
    def turn(self, turn: Turn) -> Iterator[int | None]:
        """Hold a turn: how often it was in hand before without coming to an end, or None when
        somebody else holds it. Without a broker it is simply taken."""
        key, tries = claim_key(turn), tries_key(turn)
        try:
            before = int(self._take(keys=[key, tries], args=[HELD_MS, WAITING_MS]))
        except RedisError as error:
            log.warning("claim_failed", turn=turn.id, error=str(error))
            before = 0
        if before < 0:
            yield None
            return
        self._held = key
        try:
            yield before
        finally:
            self._held = None
            self._release(key, tries)

    def close(self) -> None:
        """End the thread."""
        self._ended.set()

    def _release(self, *keys: str) -> None:
        try:
            self._broker.delete(*keys)
        except RedisError as error:
            log.warning("release_failed", error=str(error))

    def _renew(self) -> None:
        while not self._ended.wait(RENEW_S):
            held = self._held
            try:
                if held:
                    self._broker.pexpire(held, HELD_MS)
            except RedisError as error:
                log.warning("renewal_failed", error=str(error))
