"""`vallum webhooks`: the webhooks of tenants, through the API of the running service."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import click
import grpc
from google.protobuf.json_format import MessageToDict
from rich.table import Table

from services.cli.console import out, print_json
from services.cli.keys import TIMEOUT, calling, fresh, tenant_option
from services.cli.token import signing_key
from services.runtime.auth import Caller, Keys, Role
from services.runtime.calls import code_of, own_target
from services.runtime.settings import Settings
from vallum.notices.v1 import webhooks_pb2 as pb
from vallum.notices.v1.webhooks_pb2_grpc import WebhooksServiceStub

ADMIN = "vallum-webhooks"
"""As the audit log names whoever uses these commands."""
STATES = {name[15:].lower(): number for name, number in pb.DeliveryState.items() if number}


@click.group("webhooks")
def command() -> None:
    """Make, list, test and change the webhooks of tenants, and deliver again.

    It asks the running notices service, as an admin, like `vallum keys`.
    """


@command.command("create")
@click.argument("url")
@tenant_option
@click.option("--name", default="", help="What people call it.")
@click.option("--kind", "kinds", multiple=True, help="Only of these it is told. [all]")
@calling
def create(
    url: str, tenant: str, name: str, kinds: tuple[str, ...], as_json: bool, **where: Any
) -> None:
    """Have URL told what happens, and print the secret that requests are signed with: nobody can
    show it again."""
    request = pb.CreateWebhookRequest(
        url=url, tenant=tenant, display_name=name, kinds=kinds, request_id=fresh()
    )
    with service(**where) as call:
        answer = call("CreateWebhook", request)
    tell_secret(answer, as_json)


@command.command("list")
@click.option("--tenant", default="", help="Only of this tenant. [every tenant]")
@calling
def list_(tenant: str, as_json: bool, **where: Any) -> None:
    """List webhooks, newest first, and how they fare."""
    request = pb.ListWebhooksRequest(tenant=tenant, page_size=200)
    with service(**where) as call:
        found = [one for page in pages(call, "ListWebhooks", request) for one in page.webhooks]
    if as_json:
        print_json({"webhooks": [as_dict(one) for one in found]})
        return
    table = Table("webhook", "tenant", "url", "kinds", "state", box=None, pad_edge=False)
    for one in found:
        table.add_row(one.name, one.tenant, one.url, ", ".join(one.kinds) or "all", state(one))
    out.print(table)


@command.command("kinds")
@calling
def kinds(as_json: bool, **where: Any) -> None:
    """List what a webhook may be told of."""
    with service(**where) as call:
        found = call("ListWebhookKinds", pb.ListWebhookKindsRequest()).kinds
    if as_json:
        print_json({"kinds": [as_dict(one) for one in found]})
        return
    for one in found:
        out.print(f"{one.kind:<20}{one.message}", markup=False)


@command.command("enable")
@click.argument("webhook")
@calling
def enable(webhook: str, as_json: bool, **where: Any) -> None:
    """Have WEBHOOK called again: it goes on with what was not delivered."""
    switched(webhook, as_json, enabled=True, **where)


@command.command("disable")
@click.argument("webhook")
@calling
def disable(webhook: str, as_json: bool, **where: Any) -> None:
    """Have WEBHOOK not called until it is enabled."""
    switched(webhook, as_json, enabled=False, **where)


@command.command("rotate")
@click.argument("webhook")
@calling
def rotate(webhook: str, as_json: bool, **where: Any) -> None:
    """Give WEBHOOK a new secret, and print it. For a day the old one signs too."""
    request = pb.RotateWebhookSecretRequest(name=named(webhook), request_id=fresh())
    with service(**where) as call:
        answer = call("RotateWebhookSecret", request)
    tell_secret(answer, as_json)


@command.command("delete")
@click.argument("webhook")
@calling
def delete(webhook: str, as_json: bool, **where: Any) -> None:
    """End WEBHOOK for good."""
    request = pb.DeleteWebhookRequest(name=named(webhook), request_id=fresh())
    with service(**where) as call:
        tell(call("DeleteWebhook", request).webhook, as_json)


@command.command("test")
@click.argument("webhook")
@calling
def test(webhook: str, as_json: bool, **where: Any) -> None:
    """Have WEBHOOK told something of kind "test", now."""
    request = pb.TestWebhookRequest(name=named(webhook), request_id=fresh())
    with service(**where) as call:
        tell_deliveries([call("TestWebhook", request).delivery], as_json)


@command.command("deliveries")
@click.argument("webhook")
@click.option("--state", "which", type=click.Choice(list(STATES)), help="[any]")
@calling
def list_deliveries(webhook: str, which: str | None, as_json: bool, **where: Any) -> None:
    """List what WEBHOOK was told, or will be, newest first."""
    with service(**where) as call:
        tell_deliveries(deliveries(call, webhook, which), as_json)


@command.command("redeliver")
@click.argument("delivery", required=False)
@click.option("--failed", help="Every delivery that this webhook has failed to take in.")
@calling
def redeliver(delivery: str | None, failed: str | None, as_json: bool, **where: Any) -> None:
    """Deliver DELIVERY anew, or with --failed WEBHOOK all that was given up."""
    if bool(delivery) == bool(failed):
        raise click.UsageError("name a delivery, or --failed WEBHOOK")
    with service(**where) as call:
        names = (
            [one.name for one in deliveries(call, failed, "failed")]
            if failed
            else [f"deliveries/{(delivery or '').removeprefix('deliveries/')}"]
        )
        anew = [
            call("Redeliver", pb.RedeliverRequest(name=name, request_id=fresh())).delivery
            for name in names
        ]
    tell_deliveries(anew, as_json)


def switched(webhook: str, as_json: bool, *, enabled: bool, **where: Any) -> None:
    """Enable or disable."""
    request = pb.UpdateWebhookRequest(name=named(webhook), enabled=enabled, request_id=fresh())
    with service(**where) as call:
        tell(call("UpdateWebhook", request).webhook, as_json)


def deliveries(
    call: Callable[[str, Any], Any], webhook: str, which: str | None
) -> list[pb.Delivery]:
    """The deliveries of a webhook."""
    request = pb.ListDeliveriesRequest(webhook=named(webhook), page_size=200)
    if which:
        request.state = STATES[which]
    return [one for page in pages(call, "ListDeliveries", request) for one in page.deliveries]


def pages(call: Callable[[str, Any], Any], method: str, request: Any) -> Iterator[Any]:
    """Every page of a list."""
    while True:
        answer = call(method, request)
        yield answer
        request.page_token = answer.next_page_token
        if not request.page_token:
            return


@contextmanager
def service(target: str | None, data: Path | None) -> Iterator[Callable[[str, Any], Any]]:
    """Calls of the notices service, as an admin. Raises ClickException for what is refused."""
    settings = Settings.load(data_dir=data)
    keys = Keys.load(signing_key(settings, given=data is not None))
    token = keys.mint(Caller(ADMIN, "", Role.ADMIN), 60)
    where = target or settings.notices_target or own_target(settings)
    with grpc.insecure_channel(where) as channel:
        stub: Any = WebhooksServiceStub(channel)

        def ask(method: str, request: Any) -> Any:
            metadata = (("authorization", f"Bearer {token}"),)
            try:
                return getattr(stub, method)(request, metadata=metadata, timeout=TIMEOUT)
            except grpc.RpcError as error:
                told = cast(Any, error)  # a call too, which its type does not tell
                raise click.ClickException(f"{where}: {code_of(told)}: {told.details()}") from None

        yield ask


def tell_secret(answer: Any, as_json: bool) -> None:
    """A secret that was just made. It is one line, so that it can be copied."""
    if as_json:
        print_json(as_dict(answer.webhook) | {"secret": answer.secret})
        return
    out.print(f"{answer.webhook.name} of {answer.webhook.tenant}, shown only now:", markup=False)
    click.echo(f"\n{answer.secret}\n")


def tell(one: pb.Webhook, as_json: bool) -> None:
    """A webhook as it is now."""
    if as_json:
        print_json(as_dict(one))
    else:
        out.print(f"{one.name} of {one.tenant}: {state(one)}", markup=False)


def tell_deliveries(found: list[pb.Delivery], as_json: bool) -> None:
    """Deliveries as they are now."""
    if as_json:
        print_json({"deliveries": [as_dict(one) for one in found]})
        return
    columns = ("delivery", "kind", "subject", "state", "tried", "answer", "next")
    table = Table(*columns, box=None, pad_edge=False)
    for one in found:
        how = pb.DeliveryState.Name(one.state)[15:].lower()
        answer = one.error or (f"status_{one.status}" if one.status else "")
        again = one.next_attempt_time.ToJsonString() if one.HasField("next_attempt_time") else ""
        table.add_row(one.name, one.kind, one.subject, how, str(one.attempts), answer, again)
    out.print(table)


def as_dict(one: Any) -> dict[str, Any]:
    """A message as JSON values."""
    return MessageToDict(one, preserving_proto_field_name=True)


def state(one: pb.Webhook) -> str:
    """How a webhook fares, in a few words."""
    if not one.enabled:
        return f"{one.disabled_reason} since {one.disable_time.ToJsonString()}"
    if one.failures:
        return f"failing ({one.last_error}) since {one.failing_since.ToJsonString()}"
    return "enabled"


def named(webhook: str) -> str:
    """A webhook's name, given by it or by its id."""
    return f"webhooks/{webhook.removeprefix('webhooks/')}"
