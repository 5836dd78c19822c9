"""Pages of a list, newest first: where one ends is said by the last row of it, so that what is
added in between shifts nothing."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Table, select, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection

from services.runtime.errors import InvalidRequest

PAGE = 50
LONGEST = 64
"""Of the ids in a token."""


async def page(
    connection: AsyncConnection,
    table: Table,
    tenant: str | None,
    request: Any,
    *only: ColumnElement[bool],
) -> tuple[Sequence[Any], str]:
    """A page of a tenant's rows, or everybody's, and the token of the next; "" after the last.
    `only` are conditions for what is listed.

    Raises InvalidRequest `bad_page_token`.
    """
    size = request.page_size or PAGE
    order = (table.c.created_ms, table.c.id)
    newest = (column.desc() for column in order)
    query = select(table).where(*only).order_by(*newest).limit(size + 1)
    if tenant is not None:
        query = query.where(table.c.tenant == tenant)
    if request.page_token:
        query = query.where(tuple_(*order) < tuple_(*after(request.page_token)))
    rows = (await connection.execute(query)).all()
    more = len(rows) > size
    return rows[:size], token_of(rows[size - 1].created_ms, rows[size - 1].id) if more else ""


def token_of(ms: int, last: str | int) -> str:
    """A token that says where a page ended."""
    return base64.urlsafe_b64encode(f"{ms}/{last}".encode()).decode()


def after(token: str) -> tuple[int, str]:
    """What a token says. Raises InvalidRequest `bad_page_token`."""
    try:
        ms, _, last = base64.urlsafe_b64decode(token.encode()).decode().partition("/")
        if 0 <= int(ms) < 1 << 62 and 0 < len(last) <= LONGEST and last.isprintable():
            return int(ms), last
    except (ValueError, binascii.Error):
        pass
    raise InvalidRequest("bad_page_token", fields=[("page_token", "not one of ours")])
