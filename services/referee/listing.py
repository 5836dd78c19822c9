"""Which matches there are: a sorted set for each tenant and for each player, newest first.

They lie outside the match's slot, so an entry is written before its match and read with care.
"""

from __future__ import annotations

import base64
from typing import Any, NamedTuple

from redis.asyncio import Redis

from services.referee.record import Header
from services.runtime.errors import InvalidRequest


class Page(NamedTuple):
    """Match ids of one page, and where the next begins ("" after the last)."""

    ids: list[str]
    next_token: str


class Listing:
    """The lists of one game."""

    def __init__(self, redis: Redis, game: str) -> None:
        self.redis: Any = redis  # its types do not tell bytes from str
        self.game = game

    async def add(self, match_id: str, header: Header, tenant: str) -> None:
        """Enter a match into the lists of its tenant and of its players."""
        lists = {self._key(tenant, "")} | {
            self._key(tenant, one.player) for one in header.seats if one.player
        }
        pipeline = self.redis.pipeline(transaction=False)
        for key in sorted(lists):
            pipeline.zadd(key, {match_id: header.create_time_ms})
        await pipeline.execute()

    async def add_player(self, match_id: str, header: Header, tenant: str, player: str) -> None:
        """Enter a match into the list of a player who comes later."""
        await self.redis.zadd(self._key(tenant, player), {match_id: header.create_time_ms})

    async def page(self, tenant: str, player: str, size: int, token: str) -> Page:
        """`size` ids of a tenant's matches, or of one player's. Raises `bad_page_token`."""
        start = _offset(token)
        rows = await self.redis.zrevrange(self._key(tenant, player), start, start + size)
        ids = [row.decode() for row in rows[:size]]
        return Page(ids, _token(start + size) if len(rows) > size else "")

    def _key(self, tenant: str, player: str) -> str:
        return f"matches:{self.game}:{tenant}:{player}"


def _token(offset: int) -> str:
    return base64.urlsafe_b64encode(str(offset).encode()).decode()


def _offset(token: str) -> int:
    if not token:
        return 0
    try:
        offset = int(base64.urlsafe_b64decode(token.encode()))
    except ValueError:
        offset = -1
    if offset < 0:
        raise InvalidRequest("bad_page_token", fields=[("page_token", "not one of ours")])
    return offset
