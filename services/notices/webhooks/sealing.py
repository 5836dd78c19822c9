"""Secrets: made, kept sealed, and used to sign. Only this service ever opens one; a worker gets
the signature."""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import secrets
from collections.abc import Iterable, Sequence

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from services.runtime.keys import Keys
from services.runtime.settings import SettingsError

PREFIX = "whsec_"
"""How a secret begins, by the standard that receivers' libraries keep (standardwebhooks.com)."""
BYTES = 32
NONCE = 12


class Lost(Exception):
    """No key of ours opens this: the key file holds others by now."""


class Seal:
    """Seals with the first private key of the key file, and opens with any of them. Raises
    SettingsError where there is none."""

    def __init__(self, roots: Sequence[Keys]) -> None:
        self._locks = [AESGCM(_lock_of(root)) for root in roots if root.is_private]
        if not self._locks:
            raise SettingsError("VALLUM_KEY_FILE: the private key is needed to seal secrets")

    def closed(self, webhook: str, secret: bytes) -> bytes:
        """A secret as it may be kept; it opens only for the webhook that it is of."""
        nonce = os.urandom(NONCE)
        return nonce + self._locks[0].encrypt(nonce, secret, webhook.encode())

    def opened(self, webhook: str, sealed: bytes) -> bytes:
        """The opposite. Raises Lost."""
        for lock in self._locks:
            try:
                return lock.decrypt(sealed[:NONCE], sealed[NONCE:], webhook.encode())
            except InvalidTag:
                continue
        raise Lost(webhook)

    def opens(self, webhook: str, sealed: bytes) -> bool:
        """Whether it can be opened."""
        try:
            self.opened(webhook, sealed)
        except Lost:
            return False
        return True

    def is_current(self, webhook: str, sealed: bytes) -> bool:
        """Whether the first key opens it."""
        try:
            self._locks[0].decrypt(sealed[:NONCE], sealed[NONCE:], webhook.encode())
        except InvalidTag:
            return False
        return True


def new_secret() -> bytes:
    """One that nobody has seen."""
    return secrets.token_bytes(BYTES)


def text_of(secret: bytes) -> str:
    """A secret as its webhook's owner is told it, once."""
    return PREFIX + base64.b64encode(secret).decode()


def signatures(keys: Iterable[bytes], id_: str, seconds: int, body: bytes) -> str:
    """The header webhook-signature: one for each secret, over id, time and body."""
    content = f"{id_}.{seconds}.".encode() + body
    made = (hmac.new(key, content, hashlib.sha256).digest() for key in keys)
    return " ".join(f"v1,{base64.b64encode(one).decode()}" for one in made)


def _lock_of(root: Keys) -> bytes:
    return HKDF(SHA256(), 32, salt=None, info=b"vallum webhook secrets").derive(root.secret())
