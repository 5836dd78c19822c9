"""Who is calling: what a verified token says, and whom the call that is being served is from."""

from __future__ import annotations

from collections.abc import Iterable
from contextvars import ContextVar
from enum import IntEnum

import msgspec

from vallum.options.v1 import access_pb2


class Role(IntEnum):
    """What a token's bearer is, numbered as in the contract."""

    NOBODY = access_pb2.ROLE_UNSPECIFIED
    PLAYER = access_pb2.ROLE_PLAYER
    TENANT = access_pb2.ROLE_TENANT
    SERVICE = access_pb2.ROLE_SERVICE
    ADMIN = access_pb2.ROLE_ADMIN


SCOPES = {
    name.removeprefix("SCOPE_").lower(): number
    for name, number in access_pb2.Scope.items()
    if number != access_pb2.SCOPE_UNSPECIFIED
}
"""What a key may be good for, by the names that tokens have: "matches" -> SCOPE_MATCHES."""

EVERYTHING = -1
"""All scopes there are and will be: of those who have no key to be narrowed by."""


def scope_bit(scope: int) -> int:
    """A scope of the contract as a bit of `Caller.scopes`."""
    return 1 << scope


def scopes_of(names: Iterable[str]) -> int:
    """Scopes by their names, as the bits of `Caller.scopes`; unknown ones count for nothing."""
    return sum(scope_bit(SCOPES[name]) for name in set(names) if name in SCOPES)


def scope_names(scopes: int) -> list[str]:
    """The names of the scopes that are set."""
    return [name for name, scope in SCOPES.items() if scopes & scope_bit(scope)]


class Caller(msgspec.Struct, frozen=True):
    """Who a verified token says is calling: a player or a service, of one tenant, in one role."""

    subject: str
    tenant: str
    role: Role
    key: str = ""
    """The API key that the token was minted through, if it was."""
    scopes: int = EVERYTHING
    """What that key is good for, a bit each."""


NOBODY = Caller("", "", Role.NOBODY)
"""The caller of an open RPC who sent no token."""

_caller: ContextVar[Caller] = ContextVar("caller", default=NOBODY)


def caller() -> Caller:
    """The caller of the RPC that is being served; NOBODY outside of one."""
    return _caller.get()


set_caller = _caller.set
"""For the guard, and for tests of servicers."""


def role_named(name: str) -> Role:
    """`player` -> Role.PLAYER. Raises ValueError for a name that no token may carry."""
    role = Role.__members__.get(name.upper(), Role.NOBODY)
    if role == Role.NOBODY:
        raise ValueError(f"no such role: {name}")
    return role
