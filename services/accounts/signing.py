"""The keys that tokens are signed with: each for a month, announced before it is used, believed
until the last token that it has signed is over.

Their private halves lie in the database, sealed with the key of the key file. While there is none
to use, the key of the key file itself signs.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import NamedTuple

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from sqlalchemy import delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from services.accounts.schema import SIGNING
from services.accounts.statement import raise_version
from services.runtime.auth import LEEWAY
from services.runtime.errors import NotFound
from services.runtime.keys import Keys
from services.runtime.rows import now_ms

LONGEST_TOKEN = 12 * 3600
"""Seconds that a token may last: the contract's limit."""
SETTLE_MS = 60_000
"""A key is announced that long before it is used: everybody has read it by then, the edge too."""
LIFE_MS = 30 * 24 * 3600 * 1000
"""After that time a key is replaced."""
AFTER_MS = int((LONGEST_TOKEN + LEEWAY + 60) * 1000)
"""A key is believed that long after it was last used."""
NONCE = 12


class Held(NamedTuple):
    """A signing key in hand."""

    keys: Keys
    """With the private half, where it could be opened."""
    use_ms: int
    usable: bool


class Signing:
    """What tokens are signed with; `roots` are the keys of the key file, the first one private."""

    def __init__(self, roots: Sequence[Keys]) -> None:
        self.root = roots[0]
        self.roots = tuple(roots)
        self.held: tuple[Held, ...] = ()
        """Every key that is believed, oldest first."""
        self._lock = AESGCM(_lock_of(self.root))

    def current(self) -> Keys:
        """The key to sign with now."""
        now = now_ms()
        ready = [one for one in self.held if one.usable and one.use_ms <= now]
        return ready[-1].keys if ready else self.root

    def public(self) -> list[Keys]:
        """Every key that a token in use may be signed with, and the next."""
        return [*self.roots, *(one.keys for one in self.held)]

    async def load(self, connection: AsyncConnection) -> None:
        """Read the keys that there are."""
        query = select(SIGNING).order_by(SIGNING.c.use_ms, SIGNING.c.kid)
        rows = (await connection.execute(query)).all()
        now = now_ms()
        self.held = tuple(
            self._opened(row.kid, row.public, row.sealed, row.use_ms)
            for row in rows
            if row.retire_ms is None or row.retire_ms > now
        )

    async def renew(self, connection: AsyncConnection) -> bool:
        """Replace a key that is old, or that nobody can open; drop the ones that are over. Whether
        there is a new one."""
        now = now_ms()
        await raise_version(connection, now)  # whoever does this too waits here
        await connection.execute(delete(SIGNING).where(SIGNING.c.retire_ms < now))
        await self.load(connection)
        if self.fresh():
            return False
        await self.rotate(connection, Keys.generate())
        return True

    def fresh(self) -> bool:
        """Whether the newest key will do."""
        if not self.held:
            return False
        newest = self.held[-1]
        return newest.usable and newest.use_ms + LIFE_MS > now_ms()

    async def rotate(
        self, connection: AsyncConnection, keys: Keys, *, end_others: bool = False
    ) -> None:
        """Have a new key replace the one in use, as soon as everybody has heard of it. With
        `end_others` nothing that another has signed counts any more; the root signs meanwhile."""
        now = now_ms()
        await raise_version(connection, now)
        others = update(SIGNING)
        if end_others:
            await connection.execute(others.values(retire_ms=now))
        else:
            others = others.where(SIGNING.c.retire_ms.is_(None))
            await connection.execute(others.values(retire_ms=now + SETTLE_MS + AFTER_MS))
        row = {
            "kid": keys.kid,
            "public": keys.raw,
            "sealed": self._sealed(keys),
            "created_ms": now,
            "use_ms": now + SETTLE_MS,
        }
        await connection.execute(insert(SIGNING), [row])

    async def found(self, connection: AsyncConnection, kid: str) -> tuple[Keys, int]:
        """A key and when it is first used, in milliseconds. Raises NotFound for one long gone."""
        query = select(SIGNING).where(SIGNING.c.kid == kid)
        row = (await connection.execute(query)).one_or_none()
        if row is None:
            raise NotFound("signing_key_not_found")
        return Keys.of_raw(row.public), row.use_ms

    def _sealed(self, keys: Keys) -> bytes:
        nonce = os.urandom(NONCE)
        return nonce + self._lock.encrypt(nonce, keys.secret(), keys.kid.encode())

    def _opened(self, kid: str, raw: bytes, sealed: bytes, use_ms: int) -> Held:
        try:
            secret = self._lock.decrypt(sealed[:NONCE], sealed[NONCE:], kid.encode())
        except InvalidTag:  # the key file holds another key by now: it still verifies
            return Held(Keys.of_raw(raw), use_ms, usable=False)
        return Held(Keys.of_secret(secret), use_ms, usable=True)


def _lock_of(root: Keys) -> bytes:
    """What the private halves are sealed with. Raises SettingsError without a private root."""
    derive = HKDF(SHA256(), 32, salt=None, info=b"vallum accounts signing keys")
    return derive.derive(root.secret())
