"""Who did what: written in the transaction of what was done."""

from __future__ import annotations

from typing import Any

from sqlalchemy import insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from services.accounts.schema import AUDIT
from services.runtime.auth import NOBODY, caller
from services.runtime.errors import InvalidRequest
from services.runtime.pages import PAGE, after, token_of
from services.runtime.rows import now_ms, timestamp
from vallum.accounts.v1 import accounts_pb2 as pb

ITSELF = "service:accounts"
"""The actor of what is done in its own time."""


def actor() -> str:
    """The caller, in the words of the audit log: "tenant:acme"."""
    who = caller()
    return ITSELF if who == NOBODY else f"{who.role.name.lower()}:{who.subject}"


async def note(
    connection: AsyncConnection, action: str, tenant: str, target: str, detail: str = ""
) -> None:
    """The caller has done `action` to `target`."""
    row = {
        "at_ms": now_ms(),
        "tenant": tenant,
        "actor": actor(),
        "key": caller().key,
        "action": action,
        "target": target,
        "detail": detail,
    }
    await connection.execute(insert(AUDIT), [row])


async def entries(
    connection: AsyncConnection, tenant: str | None, request: Any
) -> tuple[list[pb.AuditEntry], str]:
    """A page of a tenant's affairs, or everybody's, latest first; and the token of the next.

    Raises InvalidRequest `bad_page_token`.
    """
    size = request.page_size or PAGE
    query = select(AUDIT).order_by(AUDIT.c.id.desc()).limit(size + 1)
    if tenant is not None:
        query = query.where(AUDIT.c.tenant == tenant)
    if request.page_token:
        query = query.where(AUDIT.c.id < _number(after(request.page_token)[1]))
    rows = (await connection.execute(query)).all()
    token = token_of(rows[size - 1].at_ms, rows[size - 1].id) if len(rows) > size else ""
    return [_message(row) for row in rows[:size]], token


def _number(text: str) -> int:
    if text.isdecimal() and len(text) <= 9:
        return int(text)
    raise InvalidRequest("bad_page_token", fields=[("page_token", "not one of ours")])


def _message(row: Any) -> pb.AuditEntry:
    return pb.AuditEntry(
        name=f"auditEntries/{row.id}",
        time=timestamp(row.at_ms),
        tenant=row.tenant,
        actor=row.actor,
        key=f"keys/{row.key}" if row.key else "",
        action=row.action,
        target=row.target,
        detail=row.detail,
    )
