"""Webhooks as the table has them: made, changed, ended, disabled.

Whoever decides by a webhook, or by how many of its deliveries are where, holds its row until the
transaction ends, before anything of a delivery is written: replicas do not count side by side.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import and_, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from services.notices.webhooks import deliveries
from services.notices.webhooks.changes import changed
from services.notices.webhooks.figures import Figures
from services.notices.webhooks.kinds import KINDS
from services.notices.webhooks.schema import WEBHOOKS
from services.runtime.errors import InvalidRequest, Limited, NotFound, Refused
from services.runtime.rows import one, timestamp
from services.runtime.tenancy import sees
from vallum.notices.v1 import webhooks_pb2 as pb

UPDATED = ("url", "display_name", "enabled")
PAUSED, DELETED = "paused", "deleted"


async def found(connection: AsyncConnection, name: str, *, hold: bool = False) -> Any:
    """A webhook that the caller may know of. Raises NotFound `webhook_not_found`."""
    row = await one(connection, WEBHOOKS, name.removeprefix("webhooks/"), hold=hold)
    if row is None or not sees(row.tenant):
        raise NotFound("webhook_not_found")
    return row


async def living(connection: AsyncConnection, name: str) -> Any:
    """One that was not deleted, held. Raises NotFound, Refused `webhook_deleted`."""
    row = await found(connection, name, hold=True)
    if row.deleted_ms is not None:
        raise Refused("webhook_deleted")
    return row


async def callable_(connection: AsyncConnection, name: str) -> Any:
    """One that calls, held. Raises NotFound, Refused `webhook_deleted`, `webhook_disabled`."""
    row = await living(connection, name)
    if not row.enabled:
        raise Refused("webhook_disabled", "enable it first")
    return row


async def room(connection: AsyncConnection, tenant: str, figures: Figures) -> None:
    """Raises Limited `too_many_webhooks` where a tenant may have no more. All are held: of two who
    make one at the brink, the second counts what the first has made."""
    mine = and_(WEBHOOKS.c.tenant == tenant, WEBHOOKS.c.deleted_ms.is_(None))
    every = select(WEBHOOKS.c.id).where(mine).order_by(WEBHOOKS.c.id).with_for_update()
    await connection.execute(every)
    count = select(func.count()).select_from(WEBHOOKS).where(mine)
    if (await connection.execute(count)).scalar_one() >= figures.webhooks:
        raise Limited("too_many_webhooks", limit=figures.webhooks)


async def create(
    connection: AsyncConnection,
    request: pb.CreateWebhookRequest,
    told: dict[str, Any],
    now: int,
) -> None:
    """Make a webhook; `told` are its id, tenant and sealed secret. Raises InvalidRequest."""
    row = {
        **told,
        "url": request.url,
        "display_name": request.display_name,
        "kinds": kinds_text(request.kinds),
        "enabled": True,
        "reason": "",
        "failures": 0,
        "error": "",
        "created_ms": now,
    }
    await connection.execute(insert(WEBHOOKS), [row])
    made = await found(connection, told["id"])
    await changed(connection, made, now, "CreateWebhook", request.url, request.request_id)


async def change(
    connection: AsyncConnection, row: Any, request: pb.UpdateWebhookRequest, now: int
) -> None:
    """Change what a request sets. Raises InvalidRequest."""
    told: Any = request  # its types know no field by a variable's name
    values = {name: getattr(told, name) for name in UPDATED if told.HasField(name)}
    if request.HasField("kinds"):
        values["kinds"] = kinds_text(request.kinds.kinds, "kinds.kinds")
    if not values:
        return
    detail = ", ".join(f"{name}: {value}" for name, value in values.items())
    await changed(connection, row, now, "UpdateWebhook", detail, request.request_id)
    if values.pop("enabled", row.enabled) != row.enabled:
        if row.enabled:
            await stop(connection, row.id, PAUSED, now)
        else:
            await start(connection, row.id, now)
    if values:
        await put(connection, row.id, **values)


async def start(connection: AsyncConnection, id_: str, now: int) -> None:
    """Enable a webhook: it goes on with what was not delivered."""
    fresh: dict[str, Any] = {"failures": 0, "failing_ms": None, "rest_ms": None}
    await put(connection, id_, enabled=True, reason="", disabled_ms=None, **fresh)
    await deliveries.resume(connection, id_, now)


async def stop(connection: AsyncConnection, id_: str, reason: str, now: int) -> None:
    """Disable a webhook: what is not delivered waits."""
    await put(connection, id_, enabled=False, reason=reason, disabled_ms=now)
    await deliveries.pause(connection, id_)


async def end(connection: AsyncConnection, row: Any, cause: str, now: int) -> None:
    """Delete a webhook."""
    await stop(connection, row.id, DELETED, now)
    await put(connection, row.id, deleted_ms=now)
    await changed(connection, row, now, "DeleteWebhook", cause=cause)


async def put(connection: AsyncConnection, id_: str, **values: Any) -> None:
    """Write some columns of a webhook."""
    await connection.execute(update(WEBHOOKS).where(WEBHOOKS.c.id == id_).values(**values))


async def enabled(connection: AsyncConnection, tenant: str) -> list[Any]:
    """The webhooks of a tenant that call."""
    query = select(WEBHOOKS).where(WEBHOOKS.c.tenant == tenant, WEBHOOKS.c.enabled)
    return [*(await connection.execute(query)).all()]


async def still(connection: AsyncConnection, ids: Iterable[str]) -> list[Any]:
    """Those of these webhooks that call, held: in the order of their ids, lest two who hold several
    wait for each other."""
    query = select(WEBHOOKS).where(WEBHOOKS.c.id.in_(list(ids)), WEBHOOKS.c.enabled)
    query = query.order_by(WEBHOOKS.c.id).with_for_update()
    return [*(await connection.execute(query)).all()]


def wants(row: Any, kind: str, subject: str) -> bool:
    """Whether a webhook is told of something; never of its own affairs."""
    if subject == f"webhooks/{row.id}":
        return False
    return not row.kinds or kind in row.kinds.split()


def kinds_text(kinds: Iterable[str], field: str = "kinds") -> str:
    """Kinds as the table has them. Raises InvalidRequest `unknown_kind`."""
    wrong = [kind for kind in kinds if kind not in KINDS]
    if wrong:
        raise InvalidRequest(
            "unknown_kind", fields=[(field, f"{kind} is no kind") for kind in wrong]
        )
    return " ".join(sorted(set(kinds)))


def message(row: Any) -> pb.Webhook:
    """A webhook as callers see it."""
    return pb.Webhook(
        name=f"webhooks/{row.id}",
        tenant=row.tenant,
        url=row.url,
        display_name=row.display_name,
        kinds=row.kinds.split(),
        enabled=row.enabled,
        disabled_reason=row.reason,
        disable_time=timestamp(row.disabled_ms),
        create_time=timestamp(row.created_ms),
        delete_time=timestamp(row.deleted_ms),
        failures=row.failures,
        failing_since=timestamp(row.failing_ms),
        last_error=row.error,
        last_success_time=timestamp(row.success_ms),
        old_secret_expire_time=timestamp(row.old_until_ms),
    )
