"""Page tokens: where the next page begins, in a form that nobody should take apart."""

from __future__ import annotations

import base64
import binascii

from services.runtime.errors import InvalidRequest


def token_of(offset: int) -> str:
    """A token."""
    return base64.urlsafe_b64encode(str(offset).encode()).decode()


def offset_of(token: str) -> int:
    """What a token says; 0 for none. Raises InvalidRequest `bad_page_token`."""
    if not token:
        return 0
    try:
        offset = int(base64.urlsafe_b64decode(token.encode()))
    except (ValueError, binascii.Error):
        offset = -1
    if not 0 <= offset < 1 << 40:
        raise InvalidRequest("bad_page_token", fields=[("page_token", "not one of ours")])
    return offset
