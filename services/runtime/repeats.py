"""One request id, one effect: what was asked lies beside what came of it."""

from __future__ import annotations

import hashlib
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    Index,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    delete,
    select,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from services.runtime.auth import caller
from services.runtime.errors import Conflict
from services.runtime.rows import insert_new

KEEP_MS = 7 * 24 * 3600 * 1000
"""How long a request id is remembered."""


def requests_table(metadata: MetaData) -> Table:
    """Requests that had their effect: the hash of what was asked, and what came of it."""
    return Table(
        "requests",
        metadata,
        Column("caller", Text, primary_key=True),
        Column("request_id", String(64), primary_key=True),
        Column("body", LargeBinary, nullable=False),
        Column("target", String(160), nullable=False),
        Column("at_ms", BigInteger, nullable=False),
        Index("requests_by_time", "at_ms"),
    )


async def repeated(
    connection: AsyncConnection, table: Table, request: Any, target: str, now: int
) -> str | None:
    """None for a new request, which is about to make or change `target`; else what the same one
    has made or changed before. Raises Conflict `request_id_reused`."""
    who = caller()
    key = {
        "caller": f"{who.role.name.lower()}/{who.tenant}/{who.subject}",
        "request_id": request.request_id,
    }
    body = hashlib.sha256(
        request.DESCRIPTOR.full_name.encode() + request.SerializeToString(deterministic=True)
    ).digest()
    row = {**key, "body": body, "target": target, "at_ms": now}
    if await insert_new(connection, table, row):
        return None
    query = select(table).where(*(table.c[name] == value for name, value in key.items()))
    known = (await connection.execute(query)).one()
    if known.body != body:
        raise Conflict("request_id_reused")
    return str(known.target)


async def forget(connection: AsyncConnection, table: Table, now: int) -> None:
    """Forget what is too old to be repeated."""
    await connection.execute(delete(table).where(table.c.at_ms < now - KEEP_MS))
