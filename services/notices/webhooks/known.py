"""Which webhooks a tenant has, kept in memory: most facts are of tenants that have none, and must
not cost a question to the database each.

Redis holds a word that every change of a webhook replaces. What is in memory counts while the word
is the one that it was read under; so whoever has heard that his webhook is there is told of all
that happens from then on, by every replica.
"""

from __future__ import annotations

import secrets
from time import monotonic
from typing import Any, NamedTuple

from redis.asyncio import Redis

from services.notices.webhooks import hooks
from services.runtime.database import Database

WORD = "webhooks:word"
LONGEST_S = 60.0
"""After that it is read anew whatever the word is: Redis may have lost it."""
TENANTS = 10_000
"""So many are kept in memory."""


class Read(NamedTuple):
    """What was read, and when it stops to count."""

    word: bytes | None
    until: float
    rows: list[Any]


class Known:
    """The enabled webhooks of tenants."""

    def __init__(self, database: Database, redis: Redis) -> None:
        self._database = database
        self._redis: Any = redis  # its types do not tell bytes from str
        self._read: dict[str, Read] = {}

    async def of(self, tenant: str) -> list[Any]:
        """The enabled webhooks of a tenant, those of a moment ago perhaps. Raises Unavailable."""
        word, now = await self._redis.get(WORD), monotonic()
        found = self._read.get(tenant)
        if found is None or found.word != word or found.until < now:
            if len(self._read) >= TENANTS:
                self._read.clear()
            async with self._database.reading() as connection:
                rows = await hooks.enabled(connection, tenant)
            found = self._read[tenant] = Read(word, now + LONGEST_S, rows)
        return found.rows

    async def changed(self) -> None:
        """A webhook was changed: everybody reads anew."""
        await self._redis.set(WORD, secrets.token_hex(8))
