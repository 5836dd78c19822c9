"""Who is calling: signed tokens (JWT, EdDSA), the key that signs them, the caller of this call.

Why EdDSA: docs/decisions/0002-token-algorithm.md.
"""

from __future__ import annotations

import base64
import hashlib
import os
import time
from contextvars import ContextVar
from enum import IntEnum
from pathlib import Path
from typing import Any

import jwt
import msgspec
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)

from services.runtime.errors import Unauthenticated
from services.runtime.settings import SettingsError
from vallum.options.v1 import access_pb2

ISSUER = "vallum"
AUDIENCE = "vallum"
ALGORITHM = "EdDSA"

REMEMBERED = 20_000
"""Verified tokens kept: checking a signature costs a hundred times more than finding one."""


class Role(IntEnum):
    """What a token's bearer is, numbered as in the contract."""

    NOBODY = access_pb2.ROLE_UNSPECIFIED
    PLAYER = access_pb2.ROLE_PLAYER
    TENANT = access_pb2.ROLE_TENANT
    SERVICE = access_pb2.ROLE_SERVICE
    ADMIN = access_pb2.ROLE_ADMIN


class Caller(msgspec.Struct, frozen=True):
    """Who a verified token says is calling: a player or a service, of one tenant, in one role."""

    subject: str
    tenant: str
    role: Role


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


class Keys:
    """An Ed25519 key: the private half mints tokens, the public half verifies them."""

    def __init__(self, public: Ed25519PublicKey, private: Ed25519PrivateKey | None = None) -> None:
        self.public = public
        self._private = private
        self._raw = public.public_bytes(Encoding.Raw, PublicFormat.Raw)
        self.kid = _thumbprint(self._raw)

    @classmethod
    def generate(cls) -> Keys:
        """A new private key."""
        private = Ed25519PrivateKey.generate()
        return cls(private.public_key(), private)

    @classmethod
    def load(cls, path: Path) -> Keys:
        """From a PEM file, private or public. Raises SettingsError when it holds no such key."""
        try:
            pem = path.read_bytes()
            return cls._from(
                load_pem_private_key(pem, None)
                if b"PRIVATE KEY" in pem
                else load_pem_public_key(pem)
            )
        except OSError as error:
            raise SettingsError(f"key file {path}: {error.strerror}") from None
        except (ValueError, TypeError, UnsupportedAlgorithm):
            raise SettingsError(f"key file {path}: not an Ed25519 key in PEM") from None

    @classmethod
    def _from(cls, key: object) -> Keys:
        match key:
            case Ed25519PrivateKey():
                return cls(key.public_key(), key)
            case Ed25519PublicKey():
                return cls(key)
            case _:
                raise ValueError("another kind of key")

    @classmethod
    def ensure(cls, path: Path) -> Keys:
        """The key in `path`, made (readable by its owner only) if there is none yet."""
        keys = cls.generate()
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            return cls.load(path)
        except OSError as error:
            raise SettingsError(f"key file {path}: {error.strerror}") from None
        with os.fdopen(descriptor, "wb") as file:
            file.write(keys._private_pem())
        return keys

    def mint(self, caller: Caller, ttl: float = 3600.0) -> str:
        """A token that says who `caller` is, for `ttl` seconds. Needs the private half."""
        if self._private is None:
            raise SettingsError("this key only verifies: minting needs the private key file")
        now = int(time.time())
        claims = {
            "iss": ISSUER,
            "aud": AUDIENCE,
            "sub": caller.subject,
            "tenant": caller.tenant,
            "role": caller.role.name.lower(),
            "iat": now,
            "exp": now + int(ttl),
        }
        return jwt.encode(claims, self._private, algorithm=ALGORITHM, headers={"kid": self.kid})

    def jwks(self) -> dict[str, Any]:
        """The public half as a JSON Web Key Set, for the edge."""
        key = {"kty": "OKP", "crv": "Ed25519", "x": _base64url(self._raw)}
        return {"keys": [{**key, "kid": self.kid, "alg": ALGORITHM, "use": "sig"}]}

    def public_pem(self) -> bytes:
        """The public half, for a process that only verifies."""
        return self.public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)

    def _private_pem(self) -> bytes:
        assert self._private is not None
        return self._private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


class Verifier:
    """Tells who a token speaks for. Several keys may be valid at once, while one replaces another.

    A verified token is remembered until it expires.
    """

    def __init__(self, *keys: Keys) -> None:
        self._keys = {key.kid: key.public for key in keys}
        self._seen: dict[str, tuple[Caller, float]] = {}

    def verify(self, token: str) -> Caller:
        """The caller. Raises Unauthenticated (`token_expired`, `token_invalid`)."""
        seen = self._seen.get(token)
        if seen is not None and seen[1] > time.time():
            return seen[0]
        found, expires = self._check(token)
        if len(self._seen) >= REMEMBERED:
            self._forget()
        self._seen[token] = (found, expires)
        return found

    def _check(self, token: str) -> tuple[Caller, float]:
        try:
            key = self._keys[jwt.get_unverified_header(token).get("kid", "")]
            claims = jwt.decode(
                token,
                key,
                algorithms=[ALGORITHM],
                audience=AUDIENCE,
                issuer=ISSUER,
                options={"require": ["exp", "sub"]},
            )
            return _caller_of(claims), float(claims["exp"])
        except jwt.ExpiredSignatureError:
            self._seen.pop(token, None)
            raise Unauthenticated("token_expired") from None
        except (jwt.InvalidTokenError, KeyError, ValueError, TypeError):
            raise Unauthenticated("token_invalid") from None

    def _forget(self) -> None:
        """Make room: what has expired, and if that is not enough the older half."""
        now = time.time()
        alive = [entry for entry in self._seen.items() if entry[1][1] > now]
        self._seen = dict(alive[-REMEMBERED // 2 :])


def _caller_of(claims: dict[str, Any]) -> Caller:
    subject, tenant = claims["sub"], claims["tenant"]
    if not isinstance(subject, str) or not isinstance(tenant, str) or not subject:
        raise ValueError("a token names its bearer and the tenant")
    return Caller(subject, tenant, role_named(claims["role"]))


def _thumbprint(raw: bytes) -> str:
    """RFC 7638: the key's name, the same for whoever holds it."""
    member = f'{{"crv":"Ed25519","kty":"OKP","x":"{_base64url(raw)}"}}'
    return _base64url(hashlib.sha256(member.encode()).digest())


def _base64url(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
