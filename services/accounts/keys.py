"""API keys as the tables have them: made, exchanged, rotated, revoked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import insert, update
from sqlalchemy.ext.asyncio import AsyncConnection

from services.accounts import api_keys, tenants
from services.accounts.audit import actor, note
from services.accounts.requests import repeated
from services.accounts.schema import KEYS, OUTBOX, TENANTS
from services.accounts.statement import raise_version
from services.runtime.callers import SCOPES, scope_bit
from services.runtime.errors import NotFound, Refused, Unauthenticated
from services.runtime.rows import milliseconds, now_ms, one, timestamp
from services.runtime.tenancy import sees, tenant_named
from vallum.accounts.v1 import accounts_pb2 as pb
from vallum.events.v1 import events_pb2 as ev

OVERLAP_MS = 24 * 3600 * 1000
"""How long a key goes on after it was replaced, unless somebody says otherwise."""
MINUTE_MS = 60_000


async def found(connection: AsyncConnection, name: str, *, hold: bool = False) -> Any:
    """A key that the caller may know of. Raises NotFound `key_not_found`."""
    row = await one(connection, KEYS, name.removeprefix("keys/"), hold=hold)
    if row is None or not sees(row.tenant):
        raise NotFound("key_not_found")
    return row


def over(row: Any, now: int) -> bool:
    """Whether a key is good for nothing any more."""
    return row.revoked_ms is not None or (row.expires_ms is not None and row.expires_ms <= now)


async def admitted(connection: AsyncConnection, text: str) -> Any:
    """The key that somebody shows. Raises Unauthenticated `key_invalid`, `tenant_suspended`."""
    key_id, now = api_keys.id_of(text), now_ms()
    row = await one(connection, KEYS, key_id) if key_id else None
    if row is None or not api_keys.matches(text, row.digest) or over(row, now):
        raise Unauthenticated("key_invalid", "no such key, or it was revoked, or has expired")
    if (await one(connection, TENANTS, row.tenant)).suspended:
        raise Unauthenticated("tenant_suspended")
    return row


def is_stale(row: Any) -> bool:
    """Whether it is worth writing down that a key is used now."""
    return row.used_ms is None or now_ms() - row.used_ms >= MINUTE_MS


async def used(connection: AsyncConnection, row: Any) -> None:
    """Write down that a key is used now, to the minute."""
    now = now_ms() // MINUTE_MS * MINUTE_MS
    await connection.execute(update(KEYS).where(KEYS.c.id == row.id).values(used_ms=now))


async def create(connection: AsyncConnection, request: pb.CreateKeyRequest) -> tuple[Any, str]:
    """Make a key: its row, and the whole key, or "" where the request is repeated.

    Raises NotFound, InvalidRequest, Conflict.
    """
    tenant = tenant_named(request.tenant)
    await tenants.found(connection, tenant)
    expires = milliseconds(request, "expire_time") if request.HasField("expire_time") else None
    told = {
        "tenant": tenant,
        "display_name": request.display_name,
        "scopes": bits(request.scopes),
        "expires_ms": expires,
        "replaces": "",
    }
    return await _made(connection, request, told)


async def rotate(connection: AsyncConnection, request: pb.RotateKeyRequest) -> tuple[Any, str, Any]:
    """Replace a key: the new one's row, the whole new key or "", the old one's row.

    Raises NotFound, Refused `key_over`, Conflict.
    """
    old, now = await found(connection, request.name, hold=True), now_ms()
    given = request.HasField("overlap")
    end = now + (milliseconds(request, "overlap") if given else OVERLAP_MS)
    told = {
        "tenant": old.tenant,
        "display_name": old.display_name,
        "scopes": old.scopes,
        "expires_ms": old.expires_ms and now + old.expires_ms - old.created_ms,
        "replaces": old.id,
    }
    row, text = await _made(connection, request, told)
    if text:
        if over(old, now):
            raise Refused("key_over", "a key that has ended cannot be replaced: create one")
        end = min(end, old.expires_ms or end)
        await connection.execute(update(KEYS).where(KEYS.c.id == old.id).values(expires_ms=end))
        await raise_version(connection, now)
    return row, text, await found(connection, request.name)


async def revoke(connection: AsyncConnection, request: pb.RevokeKeyRequest) -> Any:
    """End a key at once; one that was revoked stays so. Raises NotFound, Conflict."""
    row, now = await found(connection, request.name, hold=True), now_ms()
    if await repeated(connection, request, request.name, now) is None and row.revoked_ms is None:
        await connection.execute(update(KEYS).where(KEYS.c.id == row.id).values(revoked_ms=now))
        await raise_version(connection, now)
        fact = ev.Event(
            id=f"{request.name}/revoked",
            subject=request.name,
            occurred_at=timestamp(now),
            cause=request.request_id,
            tenant=row.tenant,
            key_revoked=ev.KeyRevoked(by=actor(), reason=request.reason),
        )
        await connection.execute(insert(OUTBOX), [{"event": fact.SerializeToString()}])
        await note(connection, "RevokeKey", row.tenant, request.name, request.reason)
    return await found(connection, request.name)


async def _made(connection: AsyncConnection, request: Any, told: dict[str, Any]) -> tuple[Any, str]:
    """A new key's row and the whole key; of a repeated request the row alone."""
    new, now = api_keys.new_key(), now_ms()
    known = await repeated(connection, request, f"keys/{new.id}", now)
    if known is not None:
        return await found(connection, known), ""
    row = {**told, "id": new.id, "digest": new.digest, "created_ms": now}
    await connection.execute(insert(KEYS), [row])
    action = "RotateKey" if told["replaces"] else "CreateKey"
    detail = f"replaces keys/{told['replaces']}" if told["replaces"] else ""
    await note(connection, action, told["tenant"], f"keys/{new.id}", detail)
    return await found(connection, f"keys/{new.id}"), new.text


def bits(scopes: Iterable[int]) -> int:
    """Scopes of the contract as the tables and tokens have them."""
    return sum(scope_bit(scope) for scope in set(scopes))


def scopes(mask: int) -> list[int]:
    """The opposite."""
    return [scope for scope in SCOPES.values() if mask & scope_bit(scope)]


def message(row: Any) -> pb.Key:
    """A key as callers see it."""
    return pb.Key(
        name=f"keys/{row.id}",
        tenant=row.tenant,
        display_name=row.display_name,
        prefix=f"{api_keys.PREFIX}{row.id}",
        scopes=scopes(row.scopes),  # type: ignore[arg-type]  # enums are ints at run time
        create_time=timestamp(row.created_ms),
        expire_time=timestamp(row.expires_ms),
        revoke_time=timestamp(row.revoked_ms),
        last_use_time=timestamp(row.used_ms),
        replaces=f"keys/{row.replaces}" if row.replaces else "",
    )
