"""The rules of queues are kept in either database, and its tables come and go."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import inspect

from services.matchmaking.bind import MIGRATIONS
from services.matchmaking.games import Games
from services.matchmaking.policies import Policies, Stated
from services.matchmaking.policy import DEFAULTS, Policy
from services.matchmaking.schema import METADATA
from services.runtime.database import Database, database_url
from services.runtime.errors import Conflict, InvalidRequest
from tests.matchmaking.given import BOTS, GAMES

KEY = ("north", "ambush", "casual")
NARROW = Policy(base=1.0, cap=2.0, seats=(3,))


@pytest.fixture
async def database(database_at: str, tmp_path: Path) -> AsyncIterator[Database]:
    """An empty database of each kind."""
    found = Database(database_url(database_at, tmp_path / "unused.db", "X"), MIGRATIONS)
    yield found
    await found.close()


async def tables(database: Database) -> set[str]:
    async with database.reading() as connection:
        return set(await connection.run_sync(lambda sync: inspect(sync).get_table_names()))


async def test_the_tables_come_and_go(database: Database) -> None:
    await database.migrate()
    assert await tables(database) - {"alembic_version"} == set(METADATA.tables)
    await database.migrate("base", down=True)
    assert await tables(database) <= {"alembic_version"}


async def test_what_is_stated_is_in_force_everywhere(database: Database) -> None:
    await database.migrate()
    games = Games(GAMES, BOTS)
    ours, theirs = Policies(database, games), Policies(database, games)
    assert (await ours.of(*KEY)).policy == DEFAULTS["casual"]
    await ours.state(KEY, NARROW, "ann", ("r1", "body"))
    await ours.state(KEY, NARROW, "ann", ("r1", "body"))
    assert await ours.of(*KEY) == await theirs.of(*KEY) == Stated(NARROW, "tenant")
    with pytest.raises(Conflict):
        await ours.state(KEY, NARROW, "ann", ("r1", "another"))
    await ours.state(KEY, None, "ann", ("r2", "body"))
    assert (await ours.of(*KEY)).by == "default"
    with pytest.raises(InvalidRequest):
        await ours.of("north", "chess", "casual")
