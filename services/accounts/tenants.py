"""Tenants: made and suspended by admins."""

from __future__ import annotations

from typing import Any

from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncConnection

from services.accounts.audit import note
from services.accounts.requests import repeated
from services.accounts.schema import TENANTS
from services.accounts.statement import raise_version
from services.runtime.errors import Conflict, NotFound
from services.runtime.rows import insert_new, now_ms, one, timestamp
from services.runtime.tenancy import sees
from vallum.accounts.v1 import accounts_pb2 as pb


async def found(connection: AsyncConnection, tenant: str) -> Any:
    """A tenant that the caller may know of. Raises NotFound `tenant_not_found`."""
    row = await one(connection, TENANTS, tenant)
    if row is None or not sees(row.id):
        raise NotFound("tenant_not_found")
    return row


async def create(connection: AsyncConnection, request: pb.CreateTenantRequest) -> Any:
    """Make a tenant. Raises Conflict `tenant_exists`, `request_id_reused`."""
    now, tenant = now_ms(), request.tenant_id
    if await repeated(connection, request, f"tenants/{tenant}", now) is None:
        row = {
            "id": tenant,
            "display_name": request.display_name,
            "suspended": False,
            "created_ms": now,
        }
        if not await insert_new(connection, TENANTS, row):
            raise Conflict("tenant_exists")
        await note(connection, "CreateTenant", tenant, f"tenants/{tenant}")
    return await found(connection, tenant)


async def change(connection: AsyncConnection, request: pb.UpdateTenantRequest) -> Any:
    """Rename a tenant, suspend it, admit it again. Raises NotFound, Conflict."""
    tenant = request.name.removeprefix("tenants/")
    await found(connection, tenant)
    changes: dict[str, Any] = {
        name: getattr(request, name)
        for name in ("display_name", "suspended")
        if request.HasField(name)
    }
    now = now_ms()
    if await repeated(connection, request, request.name, now) is None and changes:
        await connection.execute(update(TENANTS).where(TENANTS.c.id == tenant).values(changes))
        if "suspended" in changes:
            await raise_version(connection, now)
        told = ", ".join(f"{name}: {value}" for name, value in changes.items())
        await note(connection, "UpdateTenant", tenant, request.name, told)
    return await found(connection, tenant)


def message(row: Any) -> pb.Tenant:
    """A tenant as callers see it."""
    return pb.Tenant(
        name=f"tenants/{row.id}",
        display_name=row.display_name,
        create_time=timestamp(row.created_ms),
        suspended=row.suspended,
    )
