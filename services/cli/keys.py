"""`vallum keys`: the API keys of tenants, through the API of the running service."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar, cast

import click
import grpc
from google.protobuf.duration_pb2 import Duration as Span
from google.protobuf.json_format import MessageToDict
from google.protobuf.timestamp_pb2 import Timestamp
from rich.table import Table

from services.cli.console import json_option, out, print_json
from services.cli.token import TENANT, Duration, signing_key
from services.runtime.auth import Caller, Keys, Role
from services.runtime.callers import SCOPES
from services.runtime.calls import code_of, own_target
from services.runtime.settings import Settings
from vallum.accounts.v1 import accounts_pb2 as pb
from vallum.accounts.v1.accounts_pb2_grpc import AccountsServiceStub

ADMIN = "vallum-keys"
"""As the audit log names whoever uses these commands."""
TIMEOUT = 10.0
F = TypeVar("F", bound=Callable[..., Any])

tenant_option = click.option("--tenant", default=TENANT, show_default=True, help="Whose.")


def calling(command: F) -> F:
    """The options of every command: where the service is, whose key lets us in, how it is told."""
    for option in (
        json_option,
        click.option("--data", type=click.Path(path_type=Path), help="As of `vallum up`. [.data]"),
        click.option("--target", help="host:port of the service. [127.0.0.1:7410]"),
    ):
        command = option(command)
    return command


@click.group("keys")
def command() -> None:
    """Make, list, replace and revoke the API keys of tenants.

    It asks the running accounts service, as an admin: with the private key that `vallum up` keeps
    in its data directory, or that VALLUM_KEY_FILE names.
    """


@command.command("create")
@tenant_option
@click.option("--new-tenant", is_flag=True, help="Make the tenant too.")
@click.option("--name", default="", help="What people call the key.")
@click.option(
    "--scope", "scopes", multiple=True, type=click.Choice(list(SCOPES)), help="[all of them]"
)
@click.option("--expires", type=Duration(), help="When it ends by itself: 90d. [never]")
@calling
def create(
    tenant: str,
    new_tenant: bool,
    name: str,
    scopes: tuple[str, ...],
    expires: int | None,
    as_json: bool,
    **where: Any,
) -> None:
    """Make a key and print it: nobody can show it again."""
    request = pb.CreateKeyRequest(
        tenant=tenant,
        display_name=name,
        scopes=[SCOPES[one] for one in scopes or SCOPES],
        request_id=fresh(),
    )
    if expires:
        request.expire_time.CopyFrom(Timestamp(seconds=int(time.time()) + expires))
    with service(**where) as call:
        if new_tenant:
            call("CreateTenant", pb.CreateTenantRequest(tenant_id=tenant, request_id=fresh()))
        answer = call("CreateKey", request)
    tell_new(answer, as_json)


@command.command("list")
@click.option("--tenant", default="", help="Only of this tenant. [every tenant]")
@calling
def list_(tenant: str, as_json: bool, **where: Any) -> None:
    """List keys, newest first, the ended ones among them."""
    found: list[pb.Key] = []
    request = pb.ListKeysRequest(tenant=tenant, page_size=200)
    with service(**where) as call:
        while True:
            answer = call("ListKeys", request)
            found += answer.keys
            request.page_token = answer.next_page_token
            if not request.page_token:
                break
    if as_json:
        print_json({"keys": [as_dict(key) for key in found]})
        return
    table = Table("key", "tenant", "name", "scopes", "state", "last used", box=None, pad_edge=False)
    for key in found:
        used = key.last_use_time.ToJsonString() if key.HasField("last_use_time") else "never"
        names = ", ".join(scope_names(key))
        table.add_row(key.name, key.tenant, key.display_name, names, state(key), used)
    out.print(table)


@command.command("rotate")
@click.argument("key")
@click.option("--overlap", type=Duration(), help="How long the old one goes on. [24h]")
@click.option("--now", is_flag=True, help="Not at all.")
@calling
def rotate(key: str, overlap: int | None, now: bool, as_json: bool, **where: Any) -> None:
    """Replace KEY by a new one with the same scopes, and print that."""
    request = pb.RotateKeyRequest(name=named(key), request_id=fresh())
    if now or overlap:
        request.overlap.CopyFrom(Span(seconds=0 if now else overlap))
    with service(**where) as call:
        answer = call("RotateKey", request)
    tell_new(answer, as_json)


@command.command("revoke")
@click.argument("key")
@click.option("--reason", default="", help="Why; for the audit log.")
@calling
def revoke(key: str, reason: str, as_json: bool, **where: Any) -> None:
    """End KEY at once. Tokens that were got with it are refused within seconds."""
    request = pb.RevokeKeyRequest(name=named(key), reason=reason, request_id=fresh())
    with service(**where) as call:
        ended = call("RevokeKey", request).key
    if as_json:
        print_json(as_dict(ended))
    else:
        out.print(f"{ended.name} of {ended.tenant}: {state(ended)}", markup=False)


@contextmanager
def service(target: str | None, data: Path | None) -> Iterator[Callable[[str, Any], Any]]:
    """Calls of the accounts service, as an admin. Raises ClickException for what is refused."""
    settings = Settings.load(data_dir=data)
    keys = Keys.load(signing_key(settings, given=data is not None))
    token = keys.mint(Caller(ADMIN, "", Role.ADMIN), 60)
    where = target or own_target(settings)
    with grpc.insecure_channel(where) as channel:
        stub: Any = AccountsServiceStub(channel)

        def ask(method: str, request: Any) -> Any:
            metadata = (("authorization", f"Bearer {token}"),)
            try:
                return getattr(stub, method)(request, metadata=metadata, timeout=TIMEOUT)
            except grpc.RpcError as error:
                told = cast(Any, error)  # a call too, which its type does not tell
                raise click.ClickException(f"{where}: {code_of(told)}: {told.details()}") from None

        yield ask


def tell_new(answer: Any, as_json: bool) -> None:
    """A key that was just made. It is one line, so that it can be copied."""
    if as_json:
        print_json(as_dict(answer.key) | {"api_key": answer.api_key})
        return
    out.print(f"{answer.key.name} of {answer.key.tenant}, shown only now:", markup=False)
    click.echo(f"\n{answer.api_key}\n")


def as_dict(key: pb.Key) -> dict[str, Any]:
    """A key as JSON values."""
    told = MessageToDict(key, preserving_proto_field_name=True)
    return {**told, "scopes": scope_names(key), "state": state(key)}


def state(key: pb.Key) -> str:
    """Whether a key is good, in a word or two."""
    if key.HasField("revoke_time"):
        return f"revoked {key.revoke_time.ToJsonString()}"
    if not key.HasField("expire_time"):
        return "active"
    expired = key.expire_time.ToSeconds() <= time.time()
    return f"{'expired' if expired else 'until'} {key.expire_time.ToJsonString()}"


def scope_names(key: pb.Key) -> list[str]:
    """What a key is good for."""
    return [name for name, scope in SCOPES.items() if scope in key.scopes]


def named(key: str) -> str:
    """A key's name, given by it, by its id or by how it begins: `vallum_k3f9x2ab01cd`."""
    return f"keys/{key.removeprefix('keys/').removeprefix('vallum_').partition('_')[0]}"


def fresh() -> str:
    """A request id."""
    return secrets.token_hex(8)
