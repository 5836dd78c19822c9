"""Deliveries as the table has them: each once for a webhook and a fact, tried until it is done."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, and_, delete, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from services.notices.webhooks.figures import Figures
from services.notices.webhooks.schema import DELIVERIES, WEBHOOKS
from services.runtime.errors import NotFound
from services.runtime.rows import insert_new, letters, one, timestamp
from services.runtime.tenancy import sees
from vallum.notices.v1 import webhooks_pb2 as pb

ID_BYTES = 15
LONGEST_EVENT = 160
PENDING, DELIVERED, FAILED = (
    pb.DELIVERY_STATE_PENDING,
    pb.DELIVERY_STATE_DELIVERED,
    pb.DELIVERY_STATE_FAILED,
)
C = DELIVERIES.c


async def found(connection: AsyncConnection, name: str) -> Any:
    """A delivery that the caller may know of. Raises NotFound `delivery_not_found`."""
    row = await one(connection, DELIVERIES, name.removeprefix("deliveries/"))
    if row is None or not sees(row.tenant):
        raise NotFound("delivery_not_found")
    return row


async def add(
    connection: AsyncConnection, hook: Any, told: dict[str, str], now: int, id_: str = ""
) -> str:
    """Have a webhook told; `told` are event, kind, subject and body. Nothing where it has been told
    of the event already. The delivery's id."""
    id_ = id_ or letters(ID_BYTES)
    row = {
        **told,
        "id": id_,
        "webhook": hook.id,
        "tenant": hook.tenant,
        "event": shortened(told["event"]),
        "state": PENDING,
        "attempts": 0,
        "created_ms": now,
        "next_ms": now,
        "hold_ms": 0,
        "lease": "",
        "status": 0,
        "error": "",
    }
    await insert_new(connection, DELIVERIES, row)
    return id_


async def due(connection: AsyncConnection, hook: Any, figures: Figures, now: int) -> list[str]:
    """Deliveries of a webhook that workers are to be told of now; noted as told. They are not told
    of many at once, and of one that fails only now and then. The webhook is held."""
    if hook.rest_ms is not None and hook.rest_ms > now:
        return []
    most = figures.at_once if hook.failing_ms is None else 1
    free = and_(C.webhook == hook.id, C.state == PENDING, C.next_ms <= now, C.hold_ms <= now)
    ids = await _first(connection, and_(free, C.hold_ms > 0), most)  # nobody has taken these
    room = most - await in_hand(connection, hook.id)
    ids += await _first(connection, and_(free, C.hold_ms == 0), room)
    if ids:
        held = update(DELIVERIES).where(C.id.in_(ids))
        await connection.execute(held.values(hold_ms=now + figures.hint, lease=""))
    return ids


async def _first(connection: AsyncConnection, free: ColumnElement[bool], most: int) -> list[str]:
    """The first of some deliveries to be tried."""
    if most <= 0:
        return []
    query = select(C.id).where(free).order_by(C.next_ms, C.created_ms, C.id).limit(most)
    return [str(id_) for id_ in (await connection.execute(query)).scalars()]


async def urged(
    connection: AsyncConnection, hook: Any, id_: str, figures: Figures, now: int
) -> list[str]:
    """A delivery that somebody waits for is due before all others, even of a webhook that is left
    alone; but not if too many are in hand. The webhook is held."""
    if await in_hand(connection, hook.id) >= figures.at_once:
        return []
    await put(connection, id_, hold_ms=now + figures.hint)
    return [id_]


async def in_hand(connection: AsyncConnection, webhook: str) -> int:
    """How many deliveries of a webhook workers were told of without having said what came of
    it."""
    query = select(func.count()).select_from(DELIVERIES)
    query = query.where(C.webhook == webhook, C.state == PENDING, C.hold_ms > 0)
    return int((await connection.execute(query)).scalar_one())


async def waiting(connection: AsyncConnection, now: int, most: int) -> list[str]:
    """Webhooks that have something due which nobody has in hand, and that are not left alone."""
    free = and_(C.state == PENDING, C.next_ms <= now, C.hold_ms <= now)
    rest = WEBHOOKS.c.rest_ms
    query = select(C.webhook).join(WEBHOOKS, WEBHOOKS.c.id == C.webhook)
    query = query.where(free, or_(rest.is_(None), rest <= now)).distinct().limit(most)
    return [str(id_) for id_ in (await connection.execute(query)).scalars()]


async def put(connection: AsyncConnection, id_: str, **to: Any) -> None:
    """Write some columns of a delivery."""
    await connection.execute(update(DELIVERIES).where(C.id == id_).values(**to))


async def resume(connection: AsyncConnection, webhook: str, now: int) -> None:
    """What was not delivered to a webhook is due now."""
    mine = update(DELIVERIES).where(C.webhook == webhook, C.state == PENDING)
    await connection.execute(mine.values(next_ms=now, hold_ms=0, lease="", attempts=0))


async def pause(connection: AsyncConnection, webhook: str) -> None:
    """What was not delivered to a webhook waits."""
    mine = update(DELIVERIES).where(C.webhook == webhook, C.state == PENDING)
    await connection.execute(mine.values(next_ms=None))


async def prune(connection: AsyncConnection, before: int) -> int:
    """Forget what is too old; how many these were."""
    gone = await connection.execute(delete(DELIVERIES).where(C.created_ms < before))
    return int(gone.rowcount)


def shortened(event: str) -> str:
    """The id of an event as it fits the column."""
    if len(event) <= LONGEST_EVENT:
        return event
    return hashlib.sha256(event.encode()).hexdigest()


def messages(rows: Sequence[Any]) -> list[pb.Delivery]:
    """Deliveries as callers see them."""
    return [message(row) for row in rows]


def message(row: Any) -> pb.Delivery:
    """A delivery as callers see it."""
    return pb.Delivery(
        name=f"deliveries/{row.id}",
        webhook=f"webhooks/{row.webhook}",
        kind=row.kind,
        subject=row.subject,
        event=row.event,
        state=row.state,
        attempts=row.attempts,
        create_time=timestamp(row.created_ms),
        last_attempt_time=timestamp(row.tried_ms),
        next_attempt_time=timestamp(row.next_ms),
        status=row.status,
        error=row.error,
    )
