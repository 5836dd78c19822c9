"""The keys that tokens are signed with: Ed25519, in PEM files or handed over as raw bytes."""

from __future__ import annotations

import base64
import hashlib
import os
import re
import time
from pathlib import Path
from typing import Any

import jwt
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

from services.runtime.callers import EVERYTHING, Caller, scope_names
from services.runtime.settings import SettingsError

ISSUER = "vallum"
AUDIENCE = "vallum"
ALGORITHM = "EdDSA"

BLOCK = re.compile(rb"-----BEGIN ([A-Z ]+)-----.*?-----END \1-----", re.DOTALL)
"""One key of a PEM file."""


class Keys:
    """An Ed25519 key: the private half mints tokens, the public half verifies them."""

    def __init__(self, public: Ed25519PublicKey, private: Ed25519PrivateKey | None = None) -> None:
        self.public = public
        self._private = private
        self.raw = public.public_bytes(Encoding.Raw, PublicFormat.Raw)
        """The 32 bytes of the public half."""
        self.kid = _thumbprint(self.raw)

    @property
    def is_private(self) -> bool:
        """Whether it can sign."""
        return self._private is not None

    @classmethod
    def generate(cls) -> Keys:
        """A new private key."""
        private = Ed25519PrivateKey.generate()
        return cls(private.public_key(), private)

    @classmethod
    def of_raw(cls, raw: bytes) -> Keys:
        """A public key from its 32 bytes. Raises ValueError."""
        return cls(Ed25519PublicKey.from_public_bytes(raw))

    @classmethod
    def of_secret(cls, secret: bytes) -> Keys:
        """A private key from its 32 bytes. Raises ValueError."""
        private = Ed25519PrivateKey.from_private_bytes(secret)
        return cls(private.public_key(), private)

    @classmethod
    def load(cls, path: Path) -> Keys:
        """From a PEM file, private or public: the first key of it. Raises SettingsError."""
        return cls.load_all(path)[0]

    @classmethod
    def load_all(cls, path: Path) -> list[Keys]:
        """Every key of a PEM file: the first is the one to sign with, the others are still
        believed. Raises SettingsError when there is none, or one of another kind."""
        try:
            blocks = [found[0] for found in BLOCK.finditer(path.read_bytes())]
            if not blocks:
                raise ValueError("no key")
            return [cls._of_pem(block) for block in blocks]
        except OSError as error:
            raise SettingsError(f"key file {path}: {error.strerror}") from None
        except (ValueError, TypeError, UnsupportedAlgorithm):
            raise SettingsError(f"key file {path}: not an Ed25519 key in PEM") from None

    @classmethod
    def _of_pem(cls, pem: bytes) -> Keys:
        private = b"PRIVATE KEY" in pem
        match load_pem_private_key(pem, None) if private else load_pem_public_key(pem):
            case Ed25519PrivateKey() as key:
                return cls(key.public_key(), key)
            case Ed25519PublicKey() as key:
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
        now = int(time.time())
        claims: dict[str, Any] = {
            "iss": ISSUER,
            "aud": AUDIENCE,
            "sub": caller.subject,
            "tenant": caller.tenant,
            "role": caller.role.name.lower(),
            "iat": now,
            "exp": now + int(ttl),
        }
        if caller.key:
            claims["key"] = caller.key
        if caller.scopes != EVERYTHING:
            claims["scopes"] = scope_names(caller.scopes)
        return self.sign(claims)

    def sign(self, claims: dict[str, Any]) -> str:
        """Any claims as a JWT. Needs the private half."""
        if self._private is None:
            raise SettingsError("this key only verifies: minting needs the private key file")
        return jwt.encode(claims, self._private, algorithm=ALGORITHM, headers={"kid": self.kid})

    def jwk(self) -> dict[str, str]:
        """The public half as a JSON Web Key."""
        key = {"kty": "OKP", "crv": "Ed25519", "x": base64url(self.raw)}
        return {**key, "kid": self.kid, "alg": ALGORITHM, "use": "sig"}

    def jwks(self) -> dict[str, Any]:
        """The public half as a JSON Web Key Set, for the edge."""
        return {"keys": [self.jwk()]}

    def public_pem(self) -> bytes:
        """The public half, for a process that only verifies."""
        return self.public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)

    def secret(self) -> bytes:
        """The 32 bytes of the private half. Raises SettingsError without one."""
        if self._private is None:
            raise SettingsError("this key only verifies: the private key file is needed")
        return self._private.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption())

    def _private_pem(self) -> bytes:
        assert self._private is not None
        return self._private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def base64url(raw: bytes) -> str:
    """As in JSON Web Keys: without padding."""
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def unbase64url(text: str) -> bytes:
    """The opposite. Raises ValueError."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _thumbprint(raw: bytes) -> str:
    """RFC 7638: the key's name, the same for whoever holds it."""
    member = f'{{"crv":"Ed25519","kty":"OKP","x":"{base64url(raw)}"}}'
    return base64url(hashlib.sha256(member.encode()).digest())
