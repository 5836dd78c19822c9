"""Two who change one thing at the same time, on replicas of the service: the second decides by what
the first has made of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from sqlalchemy import select, update

from services.accounts.database import database_of
from services.accounts.schema import KEYS, PLAYERS
from services.runtime.settings import Settings
from tests.accounts.given import ALL, Clerk, Office
from tests.referee.given import Refused

A_WHILE = 0.3
"""How long the first is not done. Nothing that is claimed depends on it: a call that has not come
to the row by then finds it changed."""


class Second:
    """A call that comes while the first is at it."""

    def __init__(self, clerk: Clerk, method: str, **fields: Any) -> None:
        self._call = asyncio.ensure_future(clerk.call(method, **fields))

    async def waits(self) -> None:
        """Let it come as far as it can."""
        await asyncio.wait([self._call], timeout=A_WHILE)

    async def refused(self) -> str:
        """The code that it is refused with."""
        with pytest.raises(Refused) as caught:
            await self._call
        return caught.value.code


@asynccontextmanager
async def changing(settings: Settings, table: Any, name: str, **values: Any) -> AsyncIterator[None]:
    """Somebody changes a row; done at the end of the block."""
    database = database_of(settings)
    try:
        async with database.begin() as connection:
            mine = update(table).where(table.c.id == name.partition("/")[2])
            assert (await connection.execute(mine.values(**values))).rowcount == 1
            yield
    finally:
        await database.close()


async def test_a_key_that_is_revoked_meanwhile_is_not_replaced(
    there: Office, settings: Settings
) -> None:
    studio = await there.studio("acme")
    leaked = (await studio.backend.call("CreateKey", scopes=ALL)).key
    async with changing(settings, KEYS, leaked.name, revoked_ms=1):
        rotation = Second(studio.backend, "RotateKey", name=leaked.name)
        await rotation.waits()
    assert await rotation.refused() == "key_over"
    assert len((await studio.backend.call("ListKeys")).keys) == 2, "no new one was made"


async def test_of_a_player_who_is_deleted_meanwhile_nothing_is_written(
    there: Office, settings: Settings
) -> None:
    studio = await there.studio("acme")
    ann = (await studio.backend.call("EnsurePlayer", external_id="ann", display_name="Ann")).player
    nothing = {"external_id": None, "display_name": "", "deleted_ms": 1}
    async with changing(settings, PLAYERS, ann.name, **nothing):
        rename = Second(studio.backend, "UpdatePlayer", name=ann.name, display_name="Ann Smith")
        await rename.waits()
    assert await rename.refused() == "player_not_found"
    async with database_of(settings).reading() as connection:
        query = select(PLAYERS.c.display_name)
        assert [*(await connection.execute(query)).scalars()] == [""]
