"""The rules of each queue: as its tenant states them, else the platform, else the defaults."""

from __future__ import annotations

import time
from typing import NamedTuple

import msgspec
from msgspec.structs import replace
from sqlalchemy import delete, insert, select

from services.matchmaking.games import Games
from services.matchmaking.policy import DEFAULTS, Policy
from services.matchmaking.schema import POLICIES, REQUESTS
from services.matchmaking.times import now_ms
from services.runtime.database import Database
from services.runtime.errors import Conflict

FRESH_S = 2.0
"""Seconds for which what was read counts: other replicas learn of a change within these."""

read = msgspec.json.Decoder(Policy).decode


class Stated(NamedTuple):
    """A policy and who stated it: "tenant", "platform" or "default"."""

    policy: Policy
    by: str


class Policies:
    """All of them. They are few: the whole table is read now and then."""

    def __init__(self, database: Database, games: Games) -> None:
        self._database = database
        self._games = games
        self._stated: dict[tuple[str, str, str], Policy] = {}
        self._read_at = float("-inf")

    async def of(self, tenant: str, game: str, mode: str) -> Stated:
        """The rules in force. Raises InvalidRequest `unknown_game`."""
        if time.monotonic() - self._read_at > FRESH_S:
            await self.refresh()
        for by, whose in (("tenant", tenant), ("platform", "")):
            found = self._stated.get((whose, game, mode))
            if found is not None and (whose or by == "platform"):
                return Stated(found, by)
        return Stated(replace(DEFAULTS[mode], seats=self._games.all_sizes(game)), "default")

    async def refresh(self) -> None:
        """Read them anew."""
        async with self._database.reading() as connection:
            rows = (await connection.execute(select(POLICIES))).all()
        self._stated = {(row.tenant, row.game, row.mode): read(row.body) for row in rows}
        self._read_at = time.monotonic()

    async def state(
        self,
        key: tuple[str, str, str],
        policy: Policy | None,
        author: str,
        request: tuple[str, str],
    ) -> None:
        """State a policy, by (tenant, game, mode); None takes back what was stated. The same
        request changes nothing again. Raises Conflict `request_id_reused`."""
        tenant, game, mode = key
        request_id, body = request
        now = now_ms()
        async with self._database.begin() as connection:
            known = await connection.scalar(
                select(REQUESTS.c.body).where(REQUESTS.c.id == request_id)
            )
            if known == body:
                return
            if known is not None:
                raise Conflict("request_id_reused")
            row = {"id": request_id, "body": body, "at_ms": now}
            await connection.execute(insert(REQUESTS), [row])
            ours = (POLICIES.c.tenant == tenant, POLICIES.c.game == game, POLICIES.c.mode == mode)
            await connection.execute(delete(POLICIES).where(*ours))
            if policy is not None:
                stated = {
                    "tenant": tenant,
                    "game": game,
                    "mode": mode,
                    "body": msgspec.json.encode(policy).decode(),
                    "author": author,
                    "stated_ms": now,
                }
                await connection.execute(insert(POLICIES), [stated])
        await self.refresh()
