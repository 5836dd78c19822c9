"""Tokens: whom they speak for, and for how long."""

from __future__ import annotations

import time
from typing import Any, NamedTuple

from google.protobuf.timestamp_pb2 import Timestamp

from services.accounts.signing import Signing
from services.runtime.auth import Caller
from services.runtime.errors import Unauthenticated

USUAL = 900
"""Seconds that a token lasts, unless somebody asks for another time."""


class Minted(NamedTuple):
    """A token and when it ends."""

    token: str
    expire_time: Timestamp


def minted(signing: Signing, who: Caller, request: Any, ends_ms: int | None) -> Minted:
    """A token for as long as a request asks, but not beyond the end of the key it comes through.

    Raises Unauthenticated where that is now.
    """
    now = time.time()
    ttl = int(request.ttl.seconds) if request.HasField("ttl") else USUAL
    if ends_ms is not None:
        ttl = min(ttl, int(ends_ms / 1000 - now))
    if ttl < 1:
        raise Unauthenticated("key_invalid", "the key has ended")
    return Minted(signing.current().mint(who, ttl), Timestamp(seconds=int(now) + ttl))
