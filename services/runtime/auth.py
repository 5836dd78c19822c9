"""Telling who a signed token (JWT, EdDSA) speaks for, and whether it still counts.

Why EdDSA: docs/decisions/0002-token-algorithm.md. Why a revocation takes a second: 0005.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import jwt
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from services.runtime.callers import (
    EVERYTHING,
    NOBODY,
    Caller,
    Role,
    caller,
    role_named,
    scopes_of,
    set_caller,
)
from services.runtime.errors import Unauthenticated
from services.runtime.keys import ALGORITHM, AUDIENCE, ISSUER, Keys

__all__ = ["NOBODY", "Caller", "Keys", "Role", "Verifier", "caller", "role_named", "set_caller"]

REMEMBERED = 20_000
"""Verified tokens kept: checking a signature costs a hundred times more than finding one."""
LEEWAY = 5.0
"""Seconds that the clocks of issuer and verifier may differ: a token counts that much longer, and
that much earlier, than it says."""


class Seen(NamedTuple):
    """A token that was verified."""

    caller: Caller
    until: float
    """When it stops to count, in seconds since the epoch."""
    kid: str
    """The key that signed it."""


class Verifier:
    """Tells who a token speaks for. Several keys may be valid at once, while one replaces another.

    A verified token is remembered until it expires, or is refused (`refuse`).
    """

    def __init__(self, *keys: Keys) -> None:
        self.roots = keys
        """The keys of the key file: believed without anybody's word for them."""
        self._keys = _by_kid(keys)
        self._revoked: frozenset[str] = frozenset()
        self._suspended: frozenset[str] = frozenset()
        self._deleted: frozenset[str] = frozenset()
        self._seen: dict[str, Seen] = {}

    def verify(self, token: str) -> Caller:
        """The caller. Raises Unauthenticated: `token_expired`, `token_invalid`, `token_revoked`."""
        seen = self._seen.get(token)
        if seen is not None and seen[1] > time.time():
            return seen[0]
        found = self._check(token)
        if len(self._seen) >= REMEMBERED:
            self._forget()
        self._seen[token] = found
        return found.caller

    def believe(self, keys: Iterable[Keys]) -> None:
        """From now on the keys of the key file are believed, and these."""
        self._keys = _by_kid((*self.roots, *keys))
        self._forget()

    def refuse(
        self, revoked: Iterable[str], suspended: Iterable[str] = (), deleted: Iterable[str] = ()
    ) -> None:
        """From now on tokens that were minted through these API keys are refused, and those of
        these tenants and of these players, and no others."""
        self._revoked, self._suspended = frozenset(revoked), frozenset(suspended)
        self._deleted = frozenset(deleted)
        self._forget()

    def _check(self, token: str) -> Seen:
        try:
            kid = jwt.get_unverified_header(token).get("kid", "")
            claims = jwt.decode(
                token,
                self._keys[kid],
                algorithms=[ALGORITHM],
                audience=AUDIENCE,
                issuer=ISSUER,
                leeway=LEEWAY,
                options={"require": ["exp", "sub"]},
            )
            found = Seen(_caller_of(claims), float(claims["exp"]) + LEEWAY, kid)
        except jwt.ExpiredSignatureError:
            self._seen.pop(token, None)
            raise Unauthenticated("token_expired") from None
        except (jwt.InvalidTokenError, KeyError, ValueError, TypeError):
            raise Unauthenticated("token_invalid") from None
        if self._is_refused(found.caller):
            why = "its key was revoked, its tenant suspended or its player deleted"
            raise Unauthenticated("token_revoked", why)
        return found

    def _is_refused(self, one: Caller) -> bool:
        if one.key in self._revoked or (one.role == Role.PLAYER and one.subject in self._deleted):
            return True
        return one.tenant in self._suspended and one.role in (Role.PLAYER, Role.TENANT)

    def _forget(self) -> None:
        """Forget what counts no more; and if that makes too little room, the older half."""
        now = time.time()
        alive = [
            (token, one)
            for token, one in self._seen.items()
            if one.until > now and one.kid in self._keys and not self._is_refused(one.caller)
        ]
        self._seen = dict(alive[-REMEMBERED // 2 :] if len(alive) >= REMEMBERED else alive)


def _by_kid(keys: Iterable[Keys]) -> Mapping[str, Ed25519PublicKey]:
    return {key.kid: key.public for key in keys}


def _caller_of(claims: dict[str, Any]) -> Caller:
    subject, tenant, key = claims["sub"], claims["tenant"], claims.get("key", "")
    if not all(isinstance(one, str) for one in (subject, tenant, key)) or not subject:
        raise ValueError("a token names its bearer and the tenant")
    scopes = scopes_of(claims["scopes"]) if "scopes" in claims else EVERYTHING
    return Caller(subject, tenant, role_named(claims["role"]), key, scopes)
