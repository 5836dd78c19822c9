"""Whose things a caller may see: his own tenant's, or of the platform everybody's."""

from __future__ import annotations

from services.runtime.auth import Role, caller
from services.runtime.errors import InvalidRequest, NotFound

PLATFORM = (Role.SERVICE, Role.ADMIN)


def is_platform() -> bool:
    """Whether the caller sees every tenant's."""
    return caller().role in PLATFORM


def tenant_seen(asked: str) -> str | None:
    """The tenant whose things are listed: the caller's own; for the platform the one it asks for,
    or None for everybody's. Raises NotFound for a tenant that the caller may not know of."""
    if is_platform():
        return asked or None
    return tenant_named(asked)


def tenant_named(asked: str) -> str:
    """The tenant for whom something is made. Raises as `tenant_seen`, and InvalidRequest where the
    platform names none."""
    if is_platform():
        if not asked:
            raise InvalidRequest(fields=[("tenant", "name a tenant")])
        return asked
    own = caller().tenant
    if asked and asked != own:
        raise NotFound("tenant_not_found")
    return own


def sees(tenant: str) -> bool:
    """Whether the caller may know of something of this tenant."""
    return is_platform() or tenant == caller().tenant
