"""An attempt at a delivery: a worker takes it, and says what came of it."""

from __future__ import annotations

from typing import Any, NamedTuple

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection

from services.notices.webhooks import deliveries, hooks
from services.notices.webhooks.changes import changed
from services.notices.webhooks.deliveries import DELIVERED, FAILED, PENDING
from services.notices.webhooks.figures import Figures
from services.notices.webhooks.metrics import ATTEMPTS, DISABLED, GIVEN_UP
from services.notices.webhooks.schema import WEBHOOKS
from services.notices.webhooks.sealing import Seal, signatures
from services.runtime.rows import one
from vallum.notices.v1 import webhooks_pb2 as pb

GONE_STATUS = 410
"""By this answer a receiver says that it wants nothing any more."""
FAILING, GONE, SECRET_LOST = "failing", "gone", "secret_lost"
AGENT = "Vallum-Webhooks/1"

log = structlog.get_logger(__name__)


class Taken(NamedTuple):
    """A delivery with its webhook, or the code that says why it is not to be had."""

    row: Any = None
    hook: Any = None
    refused: str = ""


async def take(
    connection: AsyncConnection, name: str, attempt: str, figures: Figures, now: int
) -> Taken:
    """Have a delivery in hand for `figures.lease`. Taking it again in the same attempt is the same.

    Raises NotFound.
    """
    row, hook = await _held(connection, name)
    if code := refusal(row, hook, attempt, now):
        if code == "webhook_disabled":
            await deliveries.put(connection, row.id, next_ms=None)
        return Taken(refused=code)
    if row.lease == attempt and row.hold_ms > now:
        return Taken(row, hook)
    if row.attempts >= figures.attempts:  # whoever had it has died of it, each time
        await deliveries.put(connection, row.id, state=FAILED, next_ms=None, lease="")
        return Taken(refused="delivery_over")
    held = {"lease": attempt, "hold_ms": now + figures.lease, "tried_ms": now}
    await deliveries.put(connection, row.id, attempts=row.attempts + 1, **held)
    return Taken(row, hook)


async def _held(connection: AsyncConnection, name: str) -> tuple[Any, Any]:
    """A delivery as it is while its webhook is held, and the webhook. Raises NotFound."""
    webhook = (await deliveries.found(connection, name)).webhook
    hook = await one(connection, WEBHOOKS, webhook, hold=True)
    return await deliveries.found(connection, name), hook


def refusal(row: Any, hook: Any, attempt: str, now: int) -> str:
    """The code that says why a delivery cannot be taken now; "" where it can."""
    if row.state != PENDING:
        return "delivery_over"
    if hook is None or not hook.enabled:
        return "webhook_disabled"
    if row.lease not in ("", attempt) and row.hold_ms > now:
        return "delivery_in_hand"
    if row.next_ms is None or row.next_ms > now:
        return "delivery_not_due"
    return ""


def signed(taken: Taken, seal: Seal, now: int) -> pb.TakeDeliveryResponse:
    """The request to make. Raises Lost where nobody can sign it any more."""
    row, hook = taken.row, taken.hook
    keys = [seal.opened(hook.id, hook.secret)]
    if hook.old_secret is not None and hook.old_until_ms > now:
        keys.append(seal.opened(hook.id, hook.old_secret))
    body, seconds = row.body.encode(), now // 1000
    headers = {
        "content-type": "application/json",
        "user-agent": AGENT,
        "webhook-id": row.id,
        "webhook-timestamp": str(seconds),
        "webhook-signature": signatures(keys, row.id, seconds, body),
    }
    told = [pb.Header(name=name, value=value) for name, value in headers.items()]
    return pb.TakeDeliveryResponse(url=hook.url, headers=told, body=body)


async def report(
    connection: AsyncConnection, request: pb.ReportDeliveryRequest, figures: Figures, now: int
) -> Taken:
    """Write down what came of an attempt, and what follows. Raises NotFound."""
    row, hook = await _held(connection, request.name)
    if row.lease != request.request_id or row.state != PENDING:
        return Taken(refused="delivery_not_held")
    ended: dict[str, Any] = {"lease": "", "hold_ms": 0, "status": request.status}
    if 200 <= request.status < 300:
        ATTEMPTS.labels("delivered").inc()
        await deliveries.put(connection, row.id, state=DELIVERED, next_ms=None, error="", **ended)
        await hooks.put(
            connection, hook.id, failures=0, failing_ms=None, rest_ms=None, error="", success_ms=now
        )
        return Taken(row, await one(connection, WEBHOOKS, hook.id))
    error = request.error or f"status_{request.status}"
    await _failed(connection, row, hook, error, ended, figures, now)
    return Taken(row, await one(connection, WEBHOOKS, hook.id))


async def _failed(
    connection: AsyncConnection,
    row: Any,
    hook: Any,
    error: str,
    ended: dict[str, Any],
    figures: Figures,
    now: int,
) -> None:
    """Try again later, or give up; and give up on the webhook itself after a long time."""
    ATTEMPTS.labels("failed").inc()
    last = row.attempts >= figures.attempts
    state = FAILED if last else PENDING
    again = now + figures.pause(row.attempts) if not last and hook.enabled else None
    await deliveries.put(connection, row.id, state=state, next_ms=again, error=error, **ended)
    if last:
        GIVEN_UP.inc()
        log.warning("delivery_given_up", delivery=row.id, webhook=hook.id, error=error)
    since = hook.failing_ms if hook.failing_ms is not None else now
    failures = hook.failures + 1
    rest = now + figures.resting(failures)
    await hooks.put(
        connection, hook.id, failures=failures, failing_ms=since, rest_ms=rest, error=error
    )
    if not hook.enabled:
        return
    if ended["status"] == GONE_STATUS:
        await disable(connection, hook, GONE, now)
    elif failures >= figures.failures and now - since >= figures.failing:
        await disable(connection, hook, FAILING, now)


async def disable(connection: AsyncConnection, hook: Any, reason: str, now: int) -> None:
    """Give up on a webhook, and say so: its owner sees why, the audit log has it, we hear of it."""
    await hooks.stop(connection, hook.id, reason, now)
    await changed(connection, hook, now, "DisableWebhook", reason)
    DISABLED.labels(reason).inc()
    log.warning("webhook_disabled", webhook=hook.id, tenant=hook.tenant, reason=reason)
