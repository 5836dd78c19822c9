"""Page tokens of lists that are counted through: where the next page begins, in a form that nobody
should take apart. Those of tables are in pages.py."""

from __future__ import annotations

import base64

from services.runtime.errors import InvalidRequest

MOST = 1 << 40
"""No list is longer; storages count further than this."""


def token_of(offset: int) -> str:
    """A token."""
    return base64.urlsafe_b64encode(str(offset).encode()).decode()


def offset_of(token: str) -> int:
    """What a token says; 0 for none. Raises InvalidRequest `bad_page_token`."""
    if not token:
        return 0
    try:
        offset = int(base64.urlsafe_b64decode(token.encode()))
    except ValueError:
        offset = -1
    if not 0 <= offset < MOST:
        raise InvalidRequest("bad_page_token", fields=[("page_token", "not one of ours")])
    return offset
