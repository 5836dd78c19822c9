"""Facts on their way to the bus: from the tenant's outbox, where the script that made them true put
them, to the partition of what they are about."""

from __future__ import annotations

import asyncio

import structlog

from services.matchmaking.invitations import WORDS, event_of
from services.matchmaking.storage import Corner
from services.runtime.bus import ENTRY, stream_of
from services.runtime.loops import ended
from vallum.events.v1 import events_pb2 as ev

AT_ONCE = 128
LOCK_MS = 2_000
"""After this long a replica that publishes is taken for dead."""
AGAIN_S = 0.05

log = structlog.get_logger(__name__)


class Relay:
    """Publishes at least once: who dies in between publishes again, under the same id, and the
    host creates a match once."""

    def __init__(self, partitions: int) -> None:
        self._partitions = partitions
        self._due: dict[str, Corner] = {}
        self._wanted = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def nudge(self, corner: Corner) -> None:
        """There may be something in a tenant's outbox."""
        self._due[corner.tenant] = corner
        self._wanted.set()
        self._task = self._task or asyncio.create_task(self._run())

    async def close(self) -> None:
        """Stop; what is left in an outbox waits for whoever looks next."""
        if self._task:
            await ended([self._task])

    async def _run(self) -> None:
        while True:
            await self._wanted.wait()
            self._wanted.clear()
            due, self._due = list(self._due.values()), {}
            for corner in due:
                try:
                    await self.publish(corner)
                except Exception as error:  # the sweep nudges again
                    log.warning("formed_not_published", tenant=corner.tenant, exc_info=error)

    async def publish(self, corner: Corner) -> int:
        """Publish everything in a tenant's outbox; how many. While another replica is at it, we
        look again a moment later."""
        outbox, lock, done = corner.key("outbox"), corner.key("outbox", "lock"), 0
        if not await corner.redis.xlen(outbox):
            return 0
        if not await corner.redis.set(lock, 1, nx=True, px=LOCK_MS):
            asyncio.get_running_loop().call_later(AGAIN_S, self.nudge, corner)
            return 0
        while rows := await corner.redis.xrange(outbox, count=AT_ONCE):
            await self.send(corner, [fact(corner, id_, row) for id_, row in rows])
            await corner.redis.xdel(outbox, *(id_ for id_, _ in rows))
            await corner.redis.pexpire(lock, LOCK_MS)
            done += len(rows)
        await corner.redis.delete(lock)
        return done

    async def send(self, corner: Corner, events: list[bytes]) -> None:
        """Put events on the bus, each in the partition of its subject."""
        pipeline = corner.redis.pipeline(transaction=False)
        for body in events:
            pipeline.xadd(stream_of(ev.Event.FromString(body), self._partitions), {ENTRY: body})
        await pipeline.execute()


def fact(corner: Corner, id_: bytes, row: dict[bytes, bytes]) -> bytes:
    """What an entry of an outbox tells, in its envelope."""
    return event_of(corner.tenant, id_, row[WORDS]) if WORDS in row else row[ENTRY]
