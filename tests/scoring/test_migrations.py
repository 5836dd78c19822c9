"""The tables go up and down, and are what the code thinks that they are."""

from __future__ import annotations

from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, inspect

from services.runtime.settings import Settings
from services.scoring import results
from services.scoring.database import database_of
from services.scoring.schema import METADATA
from tests.scoring.given import finished


def tables(connection: Connection) -> set[str]:
    return set(inspect(connection).get_table_names())


def differences(connection: Connection) -> list[object]:
    found: list[object] = compare_metadata(MigrationContext.configure(connection), METADATA)
    return found


async def test_migrations_make_what_the_code_expects_and_take_it_away(settings: Settings) -> None:
    database = database_of(settings)
    try:
        await database.migrate()
        async with database.reading() as connection:
            assert await connection.run_sync(differences) == []
            assert set(METADATA.tables) <= await connection.run_sync(tables)
        async with database.begin() as connection:
            await results.store(connection, [finished("m1", (1, 2))], 0)
        await database.migrate()  # as every start does
        await database.migrate("base", down=True)
        async with database.reading() as connection:
            assert await connection.run_sync(tables) == {"alembic_version"}
        await database.migrate()
        async with database.begin() as connection:
            assert await results.store(connection, [finished("m1", (1, 2))], 0) == ["m1"]
    finally:
        await database.close()
