"""Which matches there are: a sorted set for each tenant and for each player, newest first.

They lie outside the match's slot, so an entry is written before its match and read with care.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from redis.asyncio import Redis

from services.referee.record import Header
from services.runtime.offsets import offset_of, token_of


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
        start = offset_of(token)
        rows = await self.redis.zrevrange(self._key(tenant, player), start, start + size)
        ids = [row.decode() for row in rows[:size]]
        return Page(ids, token_of(start + size) if len(rows) > size else "")

    def _key(self, tenant: str, player: str) -> str:
        return f"matches:{self.game}:{tenant}:{player}"
