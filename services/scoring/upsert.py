"""Inserting what may be there already, in the words that SQLite and PostgreSQL share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

Rows = Sequence[Mapping[str, Any]]


def _insert(connection: AsyncConnection, table: Table) -> Any:
    dialect: Any = sqlite if connection.dialect.name == "sqlite" else postgresql
    return dialect.insert(table)


async def insert_new(connection: AsyncConnection, table: Table, rows: Rows) -> set[Any]:
    """Insert the rows whose key is not there; the first columns of the keys of these."""
    if not rows:
        return set()
    (key, *_) = table.primary_key
    statement = _insert(connection, table).on_conflict_do_nothing().returning(key)
    return set((await connection.execute(statement, list(rows))).scalars())


async def put(connection: AsyncConnection, table: Table, rows: Rows, **others: Any) -> None:
    """Insert rows, or replace those with their keys. All have the same columns; `others` say what
    becomes of a column where there is a row."""
    if not rows:
        return
    statement = _insert(connection, table)
    keys = [column.name for column in table.primary_key]
    told = {name: statement.excluded[name] for name in rows[0] if name not in keys}
    await connection.execute(
        statement.on_conflict_do_update(index_elements=keys, set_=told | others), list(rows)
    )
