"""Inserting what may be there already; ids and time as the tables have them."""

from __future__ import annotations

import base64
import secrets
import time
from typing import Any

from google.protobuf.timestamp_pb2 import Timestamp
from sqlalchemy import Table, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from services.runtime.errors import InvalidRequest

LATEST_S = 253_402_300_799
"""The last second of the year 9999."""


async def insert_new(connection: AsyncConnection, table: Table, row: dict[str, Any]) -> bool:
    """Insert a row, unless one with its key is there; whether it was inserted."""
    dialect: Any = sqlite if connection.dialect.name == "sqlite" else postgresql
    statement = dialect.insert(table).values(row).on_conflict_do_nothing()
    return bool((await connection.execute(statement)).rowcount)


async def one(connection: AsyncConnection, table: Table, key: str, *, hold: bool = False) -> Any:
    """A row by its id, or None. If it is held, nobody else writes it, or holds it, before this
    transaction ends (SQLite has one writer anyway)."""
    query = select(table).where(table.c.id == key)
    if hold:
        query = query.with_for_update()
    return (await connection.execute(query)).one_or_none()


def letters(count: int) -> str:
    """So many random bytes in lower-case letters and digits."""
    return base64.b32encode(secrets.token_bytes(count)).decode().rstrip("=").lower()


def now_ms() -> int:
    """Milliseconds since the epoch."""
    return time.time_ns() // 1_000_000


def timestamp(ms: int | None) -> Timestamp | None:
    """A time as messages have it; unset stays unset."""
    if ms is None:
        return None
    found = Timestamp()
    found.FromMilliseconds(ms)
    return found


def milliseconds(request: Any, field: str) -> int:
    """A time or a duration that a request states, in milliseconds. Raises InvalidRequest for one
    that is not well formed, which protobuf itself lets through."""
    told = getattr(request, field)
    if not 0 <= told.seconds <= LATEST_S or not 0 <= told.nanos < 1_000_000_000:
        raise InvalidRequest(fields=[(field, "out of range")])
    return int(told.seconds) * 1000 + int(told.nanos) // 1_000_000
