"""What the accounts service says of keys, as its tables have it."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import BigInteger, case, literal, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from services.accounts.schema import KEYS, PLAYERS, TENANTS, TRUST
from services.runtime.keys import Keys
from services.runtime.rows import insert_new
from services.runtime.trust import Statement, public

BEHIND_MS = 13 * 3600 * 1000
"""A key that ended, or a player who was deleted, longer ago than that is not named: no token of
theirs can be alive."""
AHEAD_MS = 60_000
"""A key that is about to end is named before, so that it ends on time."""


async def raise_version(connection: AsyncConnection, now: int) -> None:
    """What is said of keys changes with this transaction. Versions follow the clock, so that they
    are higher than all before even in a database that was restored from a copy."""
    await insert_new(connection, TRUST, {"id": 1, "version": 0})
    clock = literal(now, BigInteger)
    version = case((TRUST.c.version >= clock, TRUST.c.version + 1), else_=clock)
    await connection.execute(update(TRUST).values(version=version))


async def statement(connection: AsyncConnection, keys: Iterable[Keys], now: int) -> Statement:
    """What is to be said now; `keys` are those that sign tokens."""
    first, last = now - BEHIND_MS, now + AHEAD_MS
    ending = select(KEYS.c.id, KEYS.c.revoked_ms, KEYS.c.expires_ms).where(
        or_(KEYS.c.revoked_ms >= first, KEYS.c.expires_ms.between(first, last))
    )
    suspended = select(TENANTS.c.id).where(TENANTS.c.suspended).order_by(TENANTS.c.id)
    deleted = select(PLAYERS.c.id).where(PLAYERS.c.deleted_ms >= first).order_by(PLAYERS.c.id)
    ends = {
        row.id: min(end for end in (row.revoked_ms, row.expires_ms) if end is not None)
        for row in (await connection.execute(ending.order_by(KEYS.c.id))).all()
    }
    version = (await connection.execute(select(TRUST.c.version))).scalar_one_or_none()
    return Statement(
        version=version or 0,
        keys=public(keys),
        ends=ends,
        suspended=tuple((await connection.execute(suspended)).scalars()),
        deleted=tuple((await connection.execute(deleted)).scalars()),
    )
