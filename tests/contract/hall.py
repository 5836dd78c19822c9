"""Everything that `vallum up` serves, in this process, with two tenants that know nothing of each
other and whoever may call for each of them."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import grpc
from google.protobuf import descriptor_pool
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status

from services.cli.serve import SERVICES, binds
from services.games import hosted
from services.runtime.app import App
from services.runtime.auth import Caller, Role
from services.runtime.settings import Settings
from services.runtime.trust import following, verifier_of
from tests.accounts.given import ALL, Clerk
from tests.referee.given import KEYS, Person, World, play_on
from tests.until import until
from vallum.match.v1 import match_pb2 as pb
from vallum.scoring.v1 import scoring_pb2 as sc

GAMES = hosted(("tests.ambush.hosted",))
MATCHMAKING = "vallum.matchmaking.v1"
WAIT = 15.0
METADATA = "grpc-status-details-bin"


class Side(NamedTuple):
    """A tenant, and what belongs to it."""

    tenant: str
    player: str
    """Who sits at its tables, and has its tickets."""
    names: Mapping[str, Mapping[str, str]]
    """Service, or one of its methods -> kind of resource -> the name of one."""

    def of(self, method: MethodDescriptor) -> Mapping[str, str]:
        """What a request of this method may name."""
        service = self.names.get(method.containing_service.full_name, self.names[""])
        return self.names.get(method.full_name, service)

    def marks(self) -> set[bytes]:
        """What nobody else may ever see: its ids."""
        found = {self.player, self.tenant}
        for names in self.names.values():
            found |= {name.partition("/")[2] for name in names.values()}
        return {mark.encode() for mark in found}


class Answer(NamedTuple):
    """What a call was answered with."""

    code: grpc.StatusCode
    reason: str
    body: bytes
    """The message; of a refusal, its text and details."""


class Hall(NamedTuple):
    """A running platform."""

    app: App
    channel: grpc.aio.Channel
    north: Side
    south: Side

    async def ask(self, method: MethodDescriptor, request: Message | bytes, token: str) -> Answer:
        """One call; of a stream, its first message."""
        sent = request if isinstance(request, bytes) else request.SerializeToString()
        metadata = (("authorization", f"Bearer {token}"),) if token else ()
        path = f"/{method.containing_service.full_name}/{method.name}"
        options: Any = {"metadata": metadata, "timeout": WAIT}
        try:
            if not method.server_streaming:
                stub: Any = self.channel.unary_unary(path)
                body = await stub(sent, **options)
            else:
                stream: Any = self.channel.unary_stream(path)
                call = stream(sent, **options)
                body = await call.read()
                call.cancel()
                body = b"" if body is grpc.aio.EOF else body
        except grpc.aio.AioRpcError as error:
            return refusal(error)
        return Answer(grpc.StatusCode.OK, "", body)


def refusal(error: grpc.aio.AioRpcError) -> Answer:
    """What can be told of a refused call."""
    info, body = ErrorInfo(), (error.details() or "").encode()
    for key, value in error.trailing_metadata() or ():
        if key == METADATA:
            body += bytes(value)  # type: ignore[arg-type]  # a -bin value is bytes
            for detail in Status.FromString(bytes(value)).details:  # type: ignore[arg-type]  # as above
                detail.Unpack(info)
    return Answer(error.code(), info.reason, body)


def token(role: Role, side: Side, scopes: int = -1) -> str:
    """What somebody shows who calls for a tenant; "" for nobody."""
    if role == Role.NOBODY:
        return ""
    subject = side.player if role == Role.PLAYER else side.tenant
    tenant = side.tenant if role in (Role.PLAYER, Role.TENANT) else ""
    return KEYS.mint(Caller(subject, tenant, role, scopes=scopes))


@asynccontextmanager
async def hall(redis_url: str, folder: Path, **given: Any) -> AsyncIterator[Hall]:
    """Everything that is served, with something of each kind for each tenant; `given` are other
    settings."""
    key_file = folder / "key.pem"
    key_file.write_bytes(KEYS._private_pem())
    settings = Settings(
        redis_url=redis_url, data_dir=folder, port=0, key_file=key_file, replica="test", **given
    )
    verifier = verifier_of(settings)
    services = binds(settings, (*GAMES, *SERVICES), GAMES)
    async with (
        App(settings, [following(verifier), *services], verifier) as app,
        grpc.aio.insecure_channel(app.target) as channel,
    ):
        sides = [await settled(app, channel, f"{name}-{secrets.token_hex(4)}") for name in "ns"]
        yield Hall(app, channel, *sides)


async def settled(app: App, channel: grpc.aio.Channel, tenant: str) -> Side:
    """A tenant with a key, a player, matches that are played and one that is over."""
    root = Clerk(channel, KEYS.mint(Caller("root", "", Role.ADMIN)))
    await root.call("CreateTenant", tenant_id=tenant)
    key = (await root.call("CreateKey", tenant=tenant, scopes=ALL)).key.name
    name = (await root.call("EnsurePlayer", tenant=tenant, external_id="known")).player.name
    player = name.removeprefix("players/")
    backend = KEYS.mint(Caller(tenant, tenant, Role.TENANT))
    spare = (await root.call("EnsurePlayer", tenant=tenant, external_id="spare")).player.name
    over = await finished(World(app, channel), tenant, player)
    webhook, delivery = await hooked(channel, backend)
    names = {
        "": {
            "keys": key,
            "players": name,
            "tenants": f"tenants/{tenant}",
            "matches": over,
            "webhooks": webhook,
            "deliveries": delivery,
        }
    }
    names["vallum.accounts.v1.AccountsService.DeletePlayer"] = {"players": spare}
    for one in GAMES.values():
        service = f"{one.package}.RulesService"
        names[service] = {"matches": await played(channel, service, backend, player)}
    ticket = await waiting(channel, KEYS.mint(Caller(player, tenant, Role.PLAYER)))
    names["vallum.matchmaking.v1.MatchmakingService"] = {"tickets": ticket}
    names["vallum.matchmaking.v1.LobbyService"] = await lobby(channel, tenant, player)
    return Side(tenant, player, names)


async def hooked(channel: grpc.aio.Channel, bearer: str) -> tuple[str, str]:
    """A webhook, and what it will be told."""

    async def call(method: str, **fields: Any) -> Any:
        package = "vallum.notices.v1"
        path, asked = f"/{package}.WebhooksService/{method}", f"{package}.{method}Request"
        request_id = secrets.token_hex(8)
        return await created(channel, path, bearer, asked, request_id=request_id, **fields)

    made = (await call("CreateWebhook", url="https://studio.example/")).webhook.name
    return str(made), str((await call("TestWebhook", name=made)).delivery.name)


async def created(
    channel: grpc.aio.Channel, path: str, bearer: str, request: str, **fields: Any
) -> Any:
    """The answer to a call that makes something, by the full name of its request."""
    kind = message_class(request)
    answer = message_class(request.replace("Request", "Response"))
    stub: Any = channel.unary_unary(
        path, request_serializer=kind.SerializeToString, response_deserializer=answer.FromString
    )
    metadata = (("authorization", f"Bearer {bearer}"),)
    return await stub(kind(**fields), metadata=metadata, timeout=WAIT)


def message_class(name: str) -> Any:
    """A message of the contract by its full name."""
    return GetMessageClass(descriptor_pool.Default().FindMessageTypeByName(name))


async def played(channel: grpc.aio.Channel, service: str, bearer: str, player: str) -> str:
    """A match that goes on."""
    package = service.rpartition(".")[0]
    seats = [{"player": player}, {"player": "nobody"}, {"player": "somebody"}]
    answer = await created(
        channel,
        f"/{service}/CreateMatch",
        bearer,
        f"{package}.CreateMatchRequest",
        seats=seats,
    )
    return str(answer.match.name)


async def waiting(channel: grpc.aio.Channel, bearer: str) -> str:
    """A ticket that waits."""
    answer = await created(
        channel,
        f"/{MATCHMAKING}.MatchmakingService/CreateTicket",
        bearer,
        f"{MATCHMAKING}.CreateTicketRequest",
        game="ambush",
        request_id=secrets.token_hex(8),
    )
    return str(answer.ticket.name)


async def lobby(channel: grpc.aio.Channel, tenant: str, player: str) -> dict[str, str]:
    """A match that came of a table, and a public table with a player, a friend and an open seat."""

    async def call(who: str, method: str, **fields: Any) -> Any:
        package = "vallum.matchmaking.v1"
        answer = await created(
            channel,
            f"/{package}.LobbyService/{method}",
            KEYS.mint(Caller(who, tenant, Role.PLAYER)),
            f"{package}.{method}Request",
            request_id=secrets.token_hex(8),
            **fields,
        )
        return answer.table

    opened = await call(
        player, "CreateTable", game="ambush", seats=[{"player": player}, {"bot": "random"}]
    )
    match = (await call(player, "StartTable", name=opened.name)).match
    seats = [{"player": player}, {"player": "friend"}, {}]
    table = await call(player, "CreateTable", game="ambush", seats=seats, visibility=2)
    await call("friend", "JoinTable", name=table.name)
    return {"tables": table.name, "matches": match}


async def opened(channel: grpc.aio.Channel, bearer: str, player: str) -> str:
    """A table that is open."""
    answer = await created(
        channel,
        f"/{MATCHMAKING}.LobbyService/CreateTable",
        bearer,
        f"{MATCHMAKING}.CreateTableRequest",
        game="ambush",
        seats=[{"player": player}, {}],
        request_id=secrets.token_hex(8),
    )
    return str(answer.table.name)


async def finished(world: World, tenant: str, player: str) -> str:
    """A match that is over, scored and archived."""
    people = [Person(world.channel, Caller(one, tenant, Role.PLAYER)) for one in (player, "bob")]
    seats = [{"player": one.caller.subject} for one in people]
    match = await people[0].call("CreateMatch", seats=seats, options={"rounds": 1})
    async with asyncio.timeout(4 * WAIT):
        await play_on(world, match.match.name, people, Random(1))

    async def archived() -> bool:
        try:
            answer = await created(
                world.channel,
                "/vallum.scoring.v1.ScoringService/GetResult",
                KEYS.mint(people[0].caller),
                "vallum.scoring.v1.GetResultRequest",
                name=match.match.name,
            )
        except grpc.aio.AioRpcError:
            return False
        found: sc.MatchResult = answer.result
        return found.archived and found.match.state == pb.MATCH_STATE_FINISHED

    await until(archived, 2 * WAIT)
    return str(match.match.name)
