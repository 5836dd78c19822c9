"""What an API key looks like, and what is kept of it.

`vallum_<id>_<secret>`: the id is public and names the key, the secret has 256 random bits. What is
kept is the SHA-256 of the whole. A slow password hash would add nothing but work at every
exchange: it makes guessing dear, and nobody guesses 256 bits.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from typing import NamedTuple

from services.runtime.rows import letters

PREFIX = "vallum_"
FORM = re.compile(r"vallum_([a-z2-7]{12})_[a-z2-7]{52}")
ID_BYTES, SECRET_BYTES = 8, 32


class NewKey(NamedTuple):
    """A key that was just made."""

    id: str
    text: str
    """The whole key: shown once, kept nowhere, logged never."""
    digest: bytes


def new_key() -> NewKey:
    """A key that nobody has seen."""
    key_id = letters(ID_BYTES)[:12]
    text = f"{PREFIX}{key_id}_{letters(SECRET_BYTES)}"
    return NewKey(key_id, text, digest_of(text))


def id_of(text: str) -> str | None:
    """The id of a key that has the right form."""
    found = FORM.fullmatch(text)
    return found[1] if found else None


def digest_of(text: str) -> bytes:
    """What is kept of a key."""
    return hashlib.sha256(text.encode()).digest()


def matches(text: str, digest: bytes) -> bool:
    """Whether a key is the one that a digest was kept of, in constant time."""
    return hmac.compare_digest(digest_of(text), digest)
