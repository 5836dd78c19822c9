"""For whoever receives webhooks: telling a genuine request from any other.

    event = verify(secret, request.headers, await request.body())
    if event.kind == "match.finished":
        ...

The scheme is that of standardwebhooks.com, so any library for it will do as well.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

PREFIX = "whsec_"
TOLERANCE = 300.0
"""Seconds that a request may be old, or ahead of our clock."""


class NotGenuine(ValueError):
    """A request that is not from Vallum, is not for this secret, or is too old: answer 400."""


@dataclass(frozen=True)
class WebhookEvent:
    """Something that has happened. The same delivery may come again: `delivery` stays the same."""

    delivery: str
    """The id of the delivery; remember it, to act once."""
    id: str
    """The id of the fact: the same for all of a tenant's webhooks."""
    kind: str
    """ "match.finished"; "test" of a test."""
    time: str
    """When it happened, as RFC 3339 has it."""
    tenant: str
    subject: str
    """Whom it is about: "matches/m1"."""
    version: int
    """The version of the subject that brought it: order them by it, not by their arrival."""
    data: dict[str, Any]
    """The fact, as JSON."""


def verify(
    secret: str,
    headers: Mapping[str, str],
    body: bytes | str,
    tolerance: float = TOLERANCE,
    now: Callable[[], float] = time.time,
) -> WebhookEvent:
    """What a request tells, if Vallum has signed it with `secret` in the last `tolerance` seconds.

    `body` is as it came, not as some framework has read and written it again. Raises NotGenuine.
    """
    given = {name.lower(): value for name, value in headers.items()}
    raw = body.encode() if isinstance(body, str) else body
    try:
        id_, at = given["webhook-id"], given["webhook-timestamp"]
        signatures = given["webhook-signature"].split()
        seconds = int(at)
    except (KeyError, ValueError):
        raise NotGenuine("it is not signed") from None
    expected = f"v1,{signature(secret, id_, seconds, raw)}"
    if not any(hmac.compare_digest(expected.encode(), one.encode()) for one in signatures):
        raise NotGenuine("it is not signed with this secret")
    if abs(now() - seconds) > tolerance:
        raise NotGenuine("it is too old, or one of the clocks is wrong")
    return _event(id_, raw)


def signature(secret: str, id_: str, seconds: int, body: bytes) -> str:
    """HMAC-SHA-256 over id, time and body, in base64. Raises ValueError for what is no secret."""
    try:
        key = base64.b64decode(secret.removeprefix(PREFIX), validate=True)
    except binascii.Error:
        raise ValueError("a secret is whsec_ and base64") from None
    content = f"{id_}.{seconds}.".encode() + body
    return base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()


def _event(delivery: str, raw: bytes) -> WebhookEvent:
    told = json.loads(raw)
    return WebhookEvent(
        delivery=delivery,
        id=told["id"],
        kind=told["type"],
        time=told["timestamp"],
        tenant=told["tenant"],
        subject=told["subject"],
        version=told["version"],
        data=told["data"],
    )
