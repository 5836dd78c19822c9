"""An accounts service in this process, and people who call it over real gRPC."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from itertools import count
from time import monotonic
from typing import Any, NamedTuple

import grpc

from services.accounts.bind import accounts
from services.referee.bind import rules
from services.runtime.app import App
from services.runtime.auth import Caller, Keys, Role, Verifier
from services.runtime.settings import Settings
from services.runtime.trust import following
from tests.ambush.hosted import HOSTED
from tests.referee.given import BOTS, CONTRACT, KEYS, Refused, path
from tests.until import until
from vallum.accounts.v1 import accounts_pb2 as pb
from vallum.options.v1 import access_pb2 as opt

ALL = (opt.SCOPE_MATCHES, opt.SCOPE_PLAYERS, opt.SCOPE_MANAGE)
MUTATIONS = (
    "CreateTenant",
    "UpdateTenant",
    "CreateKey",
    "RotateKey",
    "RevokeKey",
    "UpdatePlayer",
    "DeletePlayer",
    "RotateSigningKey",
)
_numbers = count(1)


class Clerk:
    """Somebody who calls the accounts service, with a token or without."""

    def __init__(self, channel: grpc.aio.Channel, token: str = "") -> None:
        self.channel = channel
        self.token = token

    async def call(self, method: str, **fields: Any) -> Any:
        """Any call, by the fields of its request; a mutation gets a request_id of its own.

        Raises Refused.
        """
        if method in MUTATIONS:
            fields.setdefault("request_id", f"r{next(_numbers)}")
        request = getattr(pb, f"{method}Request")(**fields)
        stub: Any = self.channel.unary_unary(
            f"/vallum.accounts.v1.AccountsService/{method}",
            request_serializer=type(request).SerializeToString,
            response_deserializer=getattr(pb, f"{method}Response").FromString,
        )
        metadata = (("authorization", f"Bearer {self.token}"),) if self.token else ()
        try:
            return await stub(request, metadata=metadata, timeout=20)
        except grpc.aio.AioRpcError as error:
            raise Refused(error) from None


class Studio(NamedTuple):
    """A tenant with a key, and its backend."""

    id: str
    api_key: str
    key: pb.Key
    backend: Clerk


class Office(NamedTuple):
    """A running accounts service."""

    app: App
    channel: grpc.aio.Channel
    keys: Keys

    def asks(self, name: str, role: Role = Role.PLAYER, tenant: str = "north") -> Clerk:
        """Somebody with a token of the platform's own key."""
        return Clerk(self.channel, self.keys.mint(Caller(name, tenant, role)))

    def bearer(self, token: str) -> Clerk:
        """Somebody with a token, or without ("")."""
        return Clerk(self.channel, token)

    @property
    def root(self) -> Clerk:
        """An admin."""
        return self.asks("root", Role.ADMIN, "")

    async def exchange(self, api_key: str, **fields: Any) -> Clerk:
        """A backend that shows its key."""
        answer = await self.bearer("").call("ExchangeKey", api_key=api_key, **fields)
        return self.bearer(answer.token)

    async def studio(self, tenant: str, scopes: Sequence[int] = ALL) -> Studio:
        """A new tenant with a key."""
        await self.root.call("CreateTenant", tenant_id=tenant)
        made = await self.root.call("CreateKey", tenant=tenant, scopes=scopes)
        return Studio(tenant, made.api_key, made.key, await self.exchange(made.api_key))


@asynccontextmanager
async def office(settings: Settings, *more: Any, keys: Keys = KEYS) -> AsyncIterator[Office]:
    """The service, and what else is bound, with a verifier that follows what it says."""
    verifier = Verifier(keys)
    binds = [accounts([keys]), following(verifier), *more]
    async with (
        App(settings, binds, verifier) as app,
        grpc.aio.insecure_channel(app.target) as channel,
    ):
        yield Office(app, channel, keys)


@asynccontextmanager
async def host(settings: Settings, keys: Keys = KEYS) -> AsyncIterator[grpc.aio.Channel]:
    """A rules service that shares nothing with the accounts service but Redis."""
    verifier = Verifier(keys)
    binds = [following(verifier), rules(HOSTED, BOTS)]
    async with (
        App(settings, binds, verifier) as app,
        grpc.aio.insecure_channel(app.target) as channel,
    ):
        yield channel


async def made_of(channel: grpc.aio.Channel, token: str) -> str:
    """What the host makes of a token: "OK", or the code of its refusal."""
    stub: Any = channel.unary_unary(path("ListMatches"))
    metadata = (("authorization", f"Bearer {token}"),)
    try:
        await stub(CONTRACT.ListMatchesRequest().SerializeToString(), metadata=metadata, timeout=10)
    except grpc.aio.AioRpcError as error:
        return Refused(error).code
    return "OK"


async def created(channel: grpc.aio.Channel, token: str, player: str = "ann") -> str:
    """A new match of somebody and bob."""
    request = CONTRACT.CreateMatchRequest(seats=[{"player": player}, {"player": "bob"}])
    stub: Any = channel.unary_unary(
        path("CreateMatch"), response_deserializer=CONTRACT.CreateMatchResponse.FromString
    )
    metadata = (("authorization", f"Bearer {token}"),)
    answer = await stub(request.SerializeToString(), metadata=metadata, timeout=20)
    return str(answer.match.name)


async def seats_of(channel: grpc.aio.Channel, token: str, match: str) -> list[str]:
    """Who sits at a match."""
    request = CONTRACT.GetMatchRequest(name=match)
    stub: Any = channel.unary_unary(
        path("GetMatch"), response_deserializer=CONTRACT.GetMatchResponse.FromString
    )
    metadata = (("authorization", f"Bearer {token}"),)
    answer = await stub(request.SerializeToString(), metadata=metadata, timeout=20)
    return [seat.player for seat in answer.match.seats]


async def streamed(channel: grpc.aio.Channel, token: str, match: str) -> Any:
    """A stream of a match that is open: its first message has come."""
    stub: Any = channel.unary_stream(
        path("Watch"), response_deserializer=CONTRACT.WatchResponse.FromString
    )
    metadata = (("authorization", f"Bearer {token}"),)
    request = CONTRACT.WatchRequest(name=match).SerializeToString()
    call = stub(request, metadata=metadata, timeout=60)
    await call.read()
    return call


async def ended_with(call: Any) -> str:
    """Read a stream to its end: "OK", or the code of its refusal."""
    try:
        while await call.read() is not grpc.aio.EOF:
            pass
    except grpc.aio.AioRpcError as error:
        return Refused(error).code
    return "OK"


async def heard(channel: grpc.aio.Channel, token: str, code: str, seconds: float = 10.0) -> float:
    """Wait until the host answers so; the seconds that it took."""
    began = monotonic()

    async def so() -> bool:
        return await made_of(channel, token) == code

    await until(so, seconds)
    return monotonic() - began
