"""Who has which turn, or delivery, in hand, noted beside the queues: what is waiting or being taken
is not queued again. Lost with the broker's data, like the queues: then turns are announced anew.
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

from services.workers.queues import Queued

WAITING_MS = 600_000
"""A turn that has waited so long may be queued again."""
HELD_MS = 4_000
"""A turn whose process was killed is free again after this."""
RENEW_S = 1.0

ENTER = """
local claim = redis.call('GET', KEYS[1])
if claim == 'held' then return 0 end
local passed = tonumber(redis.call('GET', KEYS[3]) or 0)
if claim and tonumber(claim) >= passed and redis.call('LLEN', KEYS[4]) > 0 then return 0 end
local number = redis.call('INCR', KEYS[2])
redis.call('SET', KEYS[1], number, 'PX', ARGV[1])
return number
"""

TAKE = """
local number, last = tonumber(ARGV[3]), tonumber(redis.call('GET', KEYS[4]) or 0)
if number <= last and number > tonumber(redis.call('GET', KEYS[3]) or 0) then
  redis.call('SET', KEYS[3], number)
end
if redis.call('GET', KEYS[1]) == 'held' then return -1 end
redis.call('SET', KEYS[1], 'held', 'PX', ARGV[1])
local times = redis.call('INCR', KEYS[2])
redis.call('PEXPIRE', KEYS[2], ARGV[2])
return times - 1
"""

log = structlog.get_logger(__name__)


def claim_key(turn: Queued) -> str:
    """Says "held", or while the turn waits its number in the queue."""
    return f"turn:{turn.id}"


def last_key(queue: str) -> str:
    """The number of what was queued last."""
    return f"queue:{queue}:last"


def passed_key(queue: str) -> str:
    """The largest number that was taken in hand."""
    return f"queue:{queue}:passed"


def tries_key(turn: Queued) -> str:
    """Counts how often a turn was taken in hand."""
    return f"turn:{turn.id}:tries"


class Waiting:
    """The dispatcher's side."""

    def __init__(self, broker: redis.asyncio.Redis) -> None:
        self._broker = broker
        self._enter: Any = broker.register_script(ENTER)

    async def enter(self, turn: Queued) -> int:
        """Note that `turn` is about to be queued; its number in the queue, from 1, which goes
        with its task, or 0 if it is queued or in hand already.

        One that should wait was lost, and is queued again, where the queue is empty or somebody
        has taken what came after it.
        """
        queue = turn.queue
        keys = (claim_key(turn), last_key(queue), passed_key(queue), queue)
        return int(await self._enter(keys=keys, args=[WAITING_MS]))

    async def leave(self, turn: Queued) -> None:
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
    def turn(self, turn: Queued, number: int = 0) -> Iterator[int | None]:
        """Hold a turn, whose task had this number: how often it was in hand before without coming
        to an end, or None when somebody else holds it. Without a broker it is simply taken."""
        key, tries = claim_key(turn), tries_key(turn)
        try:
            keys = [key, tries, passed_key(turn.queue), last_key(turn.queue)]
            before = int(self._take(keys=keys, args=[HELD_MS, WAITING_MS, number]))
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
