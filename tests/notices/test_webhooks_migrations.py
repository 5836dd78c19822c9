"""The tables go up and down, and are what the code thinks that they are."""

from __future__ import annotations

from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, inspect

from services.notices.webhooks.database import database_of
from services.notices.webhooks.schema import METADATA
from services.runtime.settings import Settings


def tables(connection: Connection) -> set[str]:
    return set(inspect(connection).get_table_names())


def differences(connection: Connection) -> list[object]:
    found: list[object] = compare_metadata(MigrationContext.configure(connection), METADATA)
    return found


async def test_migrations_make_what_the_code_expects_and_take_it_away(kept: Settings) -> None:
    database = database_of(kept)
    try:
        await database.migrate()
        async with database.reading() as connection:
            assert await connection.run_sync(differences) == []
            assert set(METADATA.tables) <= await connection.run_sync(tables)
        await database.migrate()  # as every start does
        await database.migrate("base", down=True)
        async with database.reading() as connection:
            assert await connection.run_sync(tables) == {"alembic_version"}
        await database.migrate()
    finally:
        await database.close()
