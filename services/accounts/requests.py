"""One request id, one effect."""

from __future__ import annotations

import hashlib
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncConnection

from services.accounts.rows import insert_new
from services.accounts.schema import REQUESTS
from services.runtime.auth import caller
from services.runtime.errors import Conflict

KEEP_MS = 7 * 24 * 3600 * 1000
"""How long a request id is remembered."""


async def repeated(connection: AsyncConnection, request: Any, target: str, now: int) -> str | None:
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
    if await insert_new(connection, REQUESTS, row):
        return None
    query = select(REQUESTS).where(*(REQUESTS.c[name] == value for name, value in key.items()))
    known = (await connection.execute(query)).one()
    if known.body != body:
        raise Conflict("request_id_reused")
    return str(known.target)


async def forget(connection: AsyncConnection, now: int) -> None:
    """Forget what is too old to be repeated."""
    await connection.execute(delete(REQUESTS).where(REQUESTS.c.at_ms < now - KEEP_MS))
