"""The webhooks' calls: the contract on one side, the tables on the other."""

from __future__ import annotations

from typing import Any

from services.notices.webhooks import attempts, deliveries, hooks
from services.notices.webhooks.attempts import SECRET_LOST
from services.notices.webhooks.bodies import trial_body
from services.notices.webhooks.changes import changed
from services.notices.webhooks.deliveries import ID_BYTES, PENDING
from services.notices.webhooks.kinds import KINDS, TEST
from services.notices.webhooks.schema import DELIVERIES, REQUESTS, WEBHOOKS
from services.notices.webhooks.sealing import Lost, Seal, new_secret, text_of
from services.notices.webhooks.telling import Telling
from services.runtime.addresses import BadUrl, Vetting
from services.runtime.errors import InvalidRequest, Refused
from services.runtime.pages import page
from services.runtime.repeats import repeated
from services.runtime.rows import letters
from services.runtime.tenancy import tenant_named, tenant_seen
from vallum.notices.v1 import webhooks_pb2 as pb

HOOK_BYTES = 8


class WebhooksService:
    """Answers WebhooksService. Method names are the contract's."""

    def __init__(self, telling: Telling, seal: Seal, vetting: Vetting) -> None:
        self._telling = telling
        self._database = telling.database
        self._figures = telling.figures
        self._seal = seal
        self._vetting = vetting

    async def ListWebhookKinds(self, _request: Any, _: Any) -> Any:
        """See the contract."""
        found = [pb.WebhookKind(kind=one.name, message=one.message) for one in KINDS.values()]
        return pb.ListWebhookKindsResponse(kinds=found)

    async def CreateWebhook(self, request: Any, _: Any) -> Any:
        """See the contract. Codes: `bad_url`, `unknown_kind`, `too_many_webhooks`,
        `tenant_not_found`, `request_id_reused`."""
        tenant, now = tenant_named(request.tenant), self._telling.now()
        self._vet(request.url)
        id_, secret = letters(HOOK_BYTES)[:12], new_secret()
        sealed = self._seal.closed(id_, secret)
        async with self._database.begin() as connection:
            known = await repeated(connection, REQUESTS, request, id_, now)
            if known is None:
                await hooks.room(connection, tenant, self._figures)
                told = {"id": id_, "tenant": tenant, "secret": sealed}
                await hooks.create(connection, request, told, now)
            row = await hooks.found(connection, known or id_)
        await self._telling.known.changed()
        return pb.CreateWebhookResponse(
            webhook=hooks.message(row), secret=text_of(secret) if known is None else ""
        )

    async def GetWebhook(self, request: Any, _: Any) -> Any:
        """See the contract. Code: `webhook_not_found`."""
        async with self._database.reading() as connection:
            row = await hooks.found(connection, request.name)
        return pb.GetWebhookResponse(webhook=hooks.message(row))

    async def ListWebhooks(self, request: Any, _: Any) -> Any:
        """See the contract. Codes: `tenant_not_found`, `bad_page_token`."""
        where = WEBHOOKS.c.deleted_ms.is_(None)
        async with self._database.reading() as connection:
            tenant = tenant_seen(request.tenant)
            rows, token = await page(connection, WEBHOOKS, tenant, request, where)
        return pb.ListWebhooksResponse(webhooks=map(hooks.message, rows), next_page_token=token)

    async def UpdateWebhook(self, request: Any, _: Any) -> Any:
        """See the contract. Codes: `webhook_not_found`, `webhook_deleted`, `bad_url`,
        `unknown_kind`, `request_id_reused`."""
        now = self._telling.now()
        if request.HasField("url"):
            self._vet(request.url)
        async with self._database.begin() as connection:
            row = await hooks.living(connection, request.name)
            if await repeated(connection, REQUESTS, request, row.id, now) is None:
                await hooks.change(connection, row, request, now)
            row = await hooks.found(connection, request.name)
            hints = await self._telling.due(connection, row)
        await self._telling.known.changed()
        await self._telling.hint(hints)
        return pb.UpdateWebhookResponse(webhook=hooks.message(row))

    async def DeleteWebhook(self, request: Any, _: Any) -> Any:
        """See the contract. Codes: `webhook_not_found`, `request_id_reused`."""
        now = self._telling.now()
        async with self._database.begin() as connection:
            row = await hooks.found(connection, request.name, hold=True)
            new = await repeated(connection, REQUESTS, request, row.id, now) is None
            if new and row.deleted_ms is None:
                await hooks.end(connection, row, request.request_id, now)
            row = await hooks.found(connection, request.name)
        await self._telling.known.changed()
        return pb.DeleteWebhookResponse(webhook=hooks.message(row))

    async def RotateWebhookSecret(self, request: Any, _: Any) -> Any:
        """See the contract. Codes: `webhook_not_found`, `webhook_deleted`, `request_id_reused`."""
        now, secret = self._telling.now(), new_secret()
        async with self._database.begin() as connection:
            row = await hooks.living(connection, request.name)
            new = await repeated(connection, REQUESTS, request, row.id, now) is None
            if new:
                values = {"old_until_ms": now + self._figures.overlap, "old_secret": row.secret}
                if not self._seal.opens(row.id, row.secret):
                    values = {"old_until_ms": None, "old_secret": None}
                sealed = self._seal.closed(row.id, secret)
                await hooks.put(connection, row.id, secret=sealed, **values)
                await changed(connection, row, now, "RotateWebhookSecret", cause=request.request_id)
            row = await hooks.found(connection, request.name)
        return pb.RotateWebhookSecretResponse(
            webhook=hooks.message(row), secret=text_of(secret) if new else ""
        )

    async def TestWebhook(self, request: Any, _: Any) -> Any:
        """See the contract. Codes: `webhook_not_found`, `webhook_deleted`, `webhook_disabled`,
        `request_id_reused`."""
        now, id_ = self._telling.now(), letters(ID_BYTES)
        async with self._database.begin() as connection:
            hook = await hooks.callable_(connection, request.name)
            known, hints = await repeated(connection, REQUESTS, request, id_, now), []
            if known is None:
                event = f"test/{id_}"
                body = trial_body(event, hook.tenant, hook.id, now)
                told = {"event": event, "kind": TEST, "subject": request.name, "body": body}
                await deliveries.add(connection, hook, told, now, id_)
                hints = await deliveries.urged(connection, hook, id_, self._figures, now)
            row = await deliveries.found(connection, known or id_)
        await self._telling.hint(hints)
        return pb.TestWebhookResponse(delivery=deliveries.message(row))

    async def ListDeliveries(self, request: Any, _: Any) -> Any:
        """See the contract. Codes: `webhook_not_found`, `bad_page_token`."""
        async with self._database.reading() as connection:
            hook = await hooks.found(connection, request.webhook)
            where = [DELIVERIES.c.webhook == hook.id]
            if request.state:
                where.append(DELIVERIES.c.state == request.state)
            rows, token = await page(connection, DELIVERIES, None, request, *where)
        told = deliveries.messages(rows)
        return pb.ListDeliveriesResponse(deliveries=told, next_page_token=token)

    async def GetDelivery(self, request: Any, _: Any) -> Any:
        """See the contract. Code: `delivery_not_found`."""
        async with self._database.reading() as connection:
            row = await deliveries.found(connection, request.name)
        return pb.GetDeliveryResponse(delivery=deliveries.message(row), body=row.body)

    async def Redeliver(self, request: Any, _: Any) -> Any:
        """See the contract. Codes: `delivery_not_found`, `webhook_deleted`, `webhook_disabled`,
        `request_id_reused`."""
        now = self._telling.now()
        async with self._database.begin() as connection:
            row = await deliveries.found(connection, request.name)
            hook, hints = await hooks.callable_(connection, row.webhook), []
            if await repeated(connection, REQUESTS, request, row.id, now) is None:
                anew = {"state": PENDING, "attempts": 0, "next_ms": now}
                await deliveries.put(connection, row.id, **anew, hold_ms=0, lease="")
                hints = await deliveries.urged(connection, hook, row.id, self._figures, now)
            row = await deliveries.found(connection, request.name)
        await self._telling.hint(hints)
        return pb.RedeliverResponse(delivery=deliveries.message(row))

    async def TakeDelivery(self, request: Any, _: Any) -> Any:
        """See the contract. Codes: `delivery_not_found`, `delivery_over`, `delivery_not_due`,
        `delivery_in_hand`, `webhook_disabled`, `secret_lost`."""
        now = self._telling.now()
        async with self._database.begin() as connection:
            taken = await attempts.take(
                connection, request.name, request.request_id, self._figures, now
            )
            if not taken.refused:
                try:
                    return attempts.signed(taken, self._seal, now)
                except Lost:
                    await attempts.disable(connection, taken.hook, SECRET_LOST, now)
        raise Refused(taken.refused or SECRET_LOST)

    async def ReportDelivery(self, request: Any, _: Any) -> Any:
        """See the contract. Codes: `delivery_not_found`, `delivery_not_held`."""
        async with self._database.begin() as connection:
            taken = await attempts.report(connection, request, self._figures, self._telling.now())
            hints = await self._telling.due(connection, taken.hook) if taken.hook else []
        if taken.refused:
            raise Refused(taken.refused)
        await self._telling.hint(hints)
        return pb.ReportDeliveryResponse()

    def _vet(self, url: str) -> None:
        """Raises InvalidRequest `bad_url`."""
        try:
            self._vetting.read(url)
        except BadUrl as error:
            raise InvalidRequest("bad_url", fields=[("url", str(error))]) from None
