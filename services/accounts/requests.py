"""One request id, one effect: in the table of this service."""

from __future__ import annotations

from typing import Any

from sqlalchemy.ext.asyncio import AsyncConnection

from services.accounts.schema import REQUESTS
from services.runtime import repeats


async def repeated(connection: AsyncConnection, request: Any, target: str, now: int) -> str | None:
    """As `repeats.repeated` says."""
    return await repeats.repeated(connection, REQUESTS, request, target, now)


async def forget(connection: AsyncConnection, now: int) -> None:
    """As `repeats.forget` says."""
    await repeats.forget(connection, REQUESTS, now)
