"""A tenant's corner of the storage: the names of its keys, and its scripts."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote, unquote

from redis.asyncio import Redis
from redis.exceptions import NoScriptError

from services.matchmaking.scripts import claims, library, seats, tables, tickets

TENANTS = "mm:tenants"
"""Everybody who has ever had a ticket or a table."""

SCRIPTS = {
    name: library.NUMBERS + library.LIBRARY + body
    for name, body in {
        "create": tickets.CREATE,
        "join": tickets.JOIN,
        "cancel": tickets.CANCEL,
        "lease": claims.LEASE,
        "release": claims.RELEASE,
        "whole": claims.WHOLE,
        "claim": claims.CLAIM,
        "accept": claims.ACCEPT,
        "sweep": claims.SWEEP,
        "fill": seats.FILL,
        "filled": seats.FILLED,
        "kept": seats.KEPT,
        "table": tables.TABLE,
    }.items()
}
SHAS = {
    name: hashlib.sha1(body.encode(), usedforsecurity=False).hexdigest()
    for name, body in SCRIPTS.items()
}

Answer = list[Any]
"""What a script says: a word, then details, all bytes."""


class Storage:
    """Everybody's tickets and tables."""

    def __init__(self, redis: Redis) -> None:
        self.redis: Any = redis  # its types do not tell bytes from str

    def of(self, tenant: str) -> Corner:
        """One tenant's."""
        return Corner(self.redis, tenant)

    async def tenants(self) -> list[Corner]:
        """All of them."""
        names = await self.redis.smembers(TENANTS)
        return [self.of(unquote(name.decode())) for name in sorted(names)]


class Corner:
    """What one tenant has. All its keys share a hash tag: one Redis Cluster slot."""

    def __init__(self, redis: Any, tenant: str) -> None:
        self.redis = redis
        self.tenant = tenant
        self.name = quote(tenant, safe="")
        self.tag = f"{{mm:{self.name}}}"

    def key(self, *parts: str) -> str:
        """`{mm:acme}:ticket:4f2`."""
        return ":".join((self.tag, *parts))

    async def known(self) -> None:
        """Let the matchmakers know of this tenant."""
        await self.redis.sadd(TENANTS, self.name)

    async def run(self, script: str, *arguments: str | bytes | int | float) -> Any:
        """What a script answers."""
        (answer,) = await self.run_all(script, [arguments])
        return answer

    async def run_all(self, script: str, calls: Sequence[Sequence[Any]]) -> list[Any]:
        """What a script answers to each of several calls, which travel together."""
        try:
            return await self._send(script, calls)
        except NoScriptError:
            await self.redis.script_load(SCRIPTS[script])
            return await self._send(script, calls)

    async def _send(self, script: str, calls: Sequence[Sequence[Any]]) -> list[Any]:
        pipeline = self.redis.pipeline(transaction=False)
        for arguments in calls:
            pipeline.evalsha(SHAS[script], 1, self.tag, *arguments)
        answers: list[Any] = await pipeline.execute()
        return answers
