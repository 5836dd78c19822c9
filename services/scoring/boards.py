"""Leaderboards: sorted sets in Redis that follow the standings in SQL, and are made anew from them
where they are gone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from redis.asyncio import Redis
from sqlalchemy import bindparam, case, select, update

from services.runtime.database import Database
from services.runtime.errors import InvalidRequest, NotFound
from services.runtime.offsets import offset_of, token_of
from services.scoring.model import Who
from services.scoring.schema import STANDINGS

AT_ONCE = 1000
MARK = "boards:made"
"""Is there as long as the leaderboards are: who flushes Redis flushes it too."""
SEPARATOR = "\x1f"


class Line(NamedTuple):
    """A line of a leaderboard: its rank from 1, shared by equal scores."""

    rank: int
    who: Who
    score: float


class Page(NamedTuple):
    """Some lines, how many there are in all, and where the next page begins ("" after the last)."""

    lines: list[Line]
    total: int
    next_token: str


class Boards:
    """`tenant` "" is everybody's leaderboard, and `season` "" is that of all time."""

    def __init__(self, redis: Redis, database: Database) -> None:
        self._redis: Any = redis  # its types do not tell bytes from str
        self._database = database

    async def follow(self) -> int:
        """Bring the leaderboards up to the standings; how many lines were moved."""
        if await self._redis.set(MARK, 1, nx=True):
            async with self._database.begin() as connection:
                await connection.execute(update(STANDINGS).values(boarded=False))
        moved = 0
        while done := await self._some():
            moved += done
        return moved

    async def page(self, ladder: str, season: str, tenant: str, size: int, token: str) -> Page:
        """`size` lines, best first. Raises InvalidRequest `bad_page_token`."""
        return await self._lines(board(ladder, season, tenant), offset_of(token), size)

    async def around(self, ladder: str, season: str, tenant: str, who: Who, size: int) -> Page:
        """The page with somebody in its middle. Raises NotFound `not_on_the_leaderboard`."""
        key = board(ladder, season, tenant)
        place = await self._redis.zrevrank(key, member(who))
        if place is None:
            raise NotFound("not_on_the_leaderboard")
        return await self._lines(key, max(0, place - size // 2), size)

    async def friends(
        self, ladder: str, season: str, friends: Sequence[Who], size: int, token: str
    ) -> Page:
        """A leaderboard of these alone."""
        if not friends:
            raise InvalidRequest(fields=[("friends", "name somebody")])
        names = list(dict.fromkeys(friends))
        scores = await self._redis.zmscore(
            board(ladder, season, ""), [member(one) for one in names]
        )
        there = [
            (one, score) for one, score in zip(names, scores, strict=True) if score is not None
        ]
        there.sort(key=lambda one: (-one[1], one[0].tenant, one[0].name))
        start = offset_of(token)
        rank = 0
        lines: list[Line] = []
        for place, (who, score) in enumerate(there, 1):
            rank = rank if lines and lines[-1].score == score else place
            lines.append(Line(rank, who, score))
        following = token_of(start + size) if len(lines) > start + size else ""
        return Page(lines[start : start + size], len(lines), following)

    async def _lines(self, key: str, start: int, size: int) -> Page:
        rows = await self._redis.zrevrange(key, start, start + size, withscores=True)
        total = await self._redis.zcard(key)
        lines: list[Line] = []
        rank = 0
        for place, (name, score) in enumerate(rows[:size], start + 1):
            if not lines:
                rank = 1 + await self._redis.zcount(key, f"({score!r}", "+inf")
            elif score != lines[-1].score:
                rank = place
            lines.append(Line(rank, who_of(name), score))
        following = token_of(start + size) if len(rows) > size else ""
        return Page(lines, total, following)

    async def _some(self) -> int:
        """Some lines that the leaderboards do not have yet."""
        async with self._database.reading() as connection:
            query = select(STANDINGS).where(STANDINGS.c.boarded.is_(False))
            query = query.order_by(*STANDINGS.primary_key).limit(AT_ONCE)
            rows = (await connection.execute(query)).all()
        if not rows:
            return 0
        pipeline = self._redis.pipeline(transaction=False)
        for row in rows:
            who = Who(row.tenant, row.name)
            for tenant in {"", row.tenant}:
                key = board(row.ladder, row.season, tenant)
                if row.shown:
                    pipeline.zadd(key, {member(who): row.score})
                else:
                    pipeline.zrem(key, member(who))
        await pipeline.execute()
        await self._seen(rows)
        return len(rows)

    async def _seen(self, rows: Sequence[Any]) -> None:
        """Note which lines the leaderboards have; one that has moved on since must follow again."""
        keys = ("ladder", "season", "tenant", "name")
        same = [STANDINGS.c[name] == bindparam(f"this_{name}") for name in keys]
        current = case((STANDINGS.c.version == bindparam("this_version"), True), else_=False)
        statement = update(STANDINGS).where(*same).values(boarded=current)
        names = (*keys, "version")
        seen = [{f"this_{name}": getattr(row, name) for name in names} for row in rows]
        async with self._database.begin() as connection:
            await connection.execute(statement, seen)


def board(ladder: str, season: str, tenant: str) -> str:
    """The key of a leaderboard."""
    return f"board:{ladder}:{season}:{tenant}"


def member(who: Who) -> str:
    """Somebody as a leaderboard names him."""
    return f"{who.tenant}{SEPARATOR}{who.name}"


def who_of(name: bytes) -> Who:
    """Whom a leaderboard names."""
    tenant, _, player = name.decode().partition(SEPARATOR)
    return Who(tenant, player)
