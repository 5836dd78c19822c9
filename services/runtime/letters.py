"""Dead letters of one group, handled after all: what they needed was away for longer than the bus
tries."""

from __future__ import annotations

from typing import Any

import structlog
from redis.asyncio import Redis
from sqlalchemy.exc import SQLAlchemyError

from services.runtime.bus import DEAD, ENTRY
from services.runtime.errors import Unavailable
from services.runtime.handling import Handlers
from vallum.events.v1.events_pb2 import Event

AT_ONCE = 100

log = structlog.get_logger(__name__)


class DeadLetters:
    """Those of one group, in `bus:dead`."""

    def __init__(self, redis: Redis, group: str) -> None:
        self._redis: Any = redis  # its types do not tell bytes from str
        self._group = group

    async def take_back(self, handlers: Handlers) -> int:
        """Handle what can be handled now, and drop it from the letters; how many these were.

        Raises what says that the database is still away.
        """
        done, start = 0, "-"
        while rows := await self._redis.xrange(DEAD, min=start, count=AT_ONCE):
            for id_, row in rows:
                if row.get(b"group") == self._group.encode() and await handled(
                    row[ENTRY], handlers
                ):
                    await self._redis.xdel(DEAD, id_)
                    done += 1
            start = b"(" + rows[-1][0]
        return done


async def handled(body: bytes, handlers: Handlers) -> bool:
    """Whether a letter could be handled."""
    try:
        event = Event.FromString(body)
        fact: Any = getattr(event, event.WhichOneof("fact") or "id")
        wanted = handlers.get(type(fact), ())
        for handler in wanted:
            await handler(event, fact)
    except (SQLAlchemyError, OSError, Unavailable):
        raise
    except Exception as error:  # it stays where it is, and is told
        log.error("letter_cannot_be_handled", exc_info=error)
        return False
    return bool(wanted)
