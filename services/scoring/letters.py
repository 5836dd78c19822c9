"""Results among the dead letters: the database was away for longer than the bus tries."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import structlog
from redis.asyncio import Redis
from sqlalchemy.exc import SQLAlchemyError

from services.runtime.bus import DEAD, ENTRY
from vallum.events.v1 import events_pb2 as ev

AT_ONCE = 100

log = structlog.get_logger(__name__)


class DeadLetters:
    """Those of one group, in `bus:dead`."""

    def __init__(self, redis: Redis, group: str) -> None:
        self._redis: Any = redis  # its types do not tell bytes from str
        self._group = group.encode()

    async def take_back(self, store: Callable[[list[ev.Event]], Awaitable[None]]) -> int:
        """Store what can be stored now, and drop it from the letters; how many these were."""
        done, start = 0, "-"
        while rows := await self._redis.xrange(DEAD, min=start, count=AT_ONCE):
            for id_, row in rows:
                if row.get(b"group") == self._group and await stored(row[ENTRY], store):
                    await self._redis.xdel(DEAD, id_)
                    done += 1
            start = b"(" + rows[-1][0]
        return done


async def stored(body: bytes, store: Callable[[list[ev.Event]], Awaitable[None]]) -> bool:
    """Whether a letter was a result that could be stored."""
    try:
        event = ev.Event.FromString(body)
        if event.WhichOneof("fact") != "match_finished":
            return False
        await store([event])
    except (SQLAlchemyError, OSError):
        raise
    except Exception as error:  # it stays where it is, and is told
        log.error("result_cannot_be_stored", exc_info=error)
        return False
    return True
