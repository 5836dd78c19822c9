"""A service behind the guard, and a client that sends it what it likes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

import grpc
from echo.v1 import echo_pb2 as pb
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo
from google.rpc.status_pb2 import Status

from services.runtime.app import App
from services.runtime.auth import Verifier, caller
from services.runtime.settings import Settings

SERVICE = pb.DESCRIPTOR.services_by_name["EchoService"]


class EchoService:
    """Says what it hears; `hears` may be replaced by something that fails."""

    def __init__(self) -> None:
        self.hears: Callable[[pb.SayRequest], Any] = lambda request: request.text
        self.ended = asyncio.Event()
        self.stopping = asyncio.Event()

    async def Say(self, request: pb.SayRequest, _context: object) -> pb.SayResponse:
        heard = self.hears(request)
        if asyncio.iscoroutine(heard):
            heard = await heard
        who = caller()
        return pb.SayResponse(text=heard, caller=f"{who.subject}@{who.tenant}/{who.role.name}")

    async def Count(
        self, request: pb.CountRequest, _context: object
    ) -> AsyncIterator[pb.CountResponse | bytes]:
        try:
            for number in range(request.below):
                message = pb.CountResponse(number=number)
                yield message.SerializeToString() if number % 2 else message
            if not request.below:
                yield pb.CountResponse()
                await self.stopping.wait()
        finally:
            self.ended.set()


class Refusal(NamedTuple):
    """What a client learns of a call that failed."""

    code: grpc.StatusCode
    reason: str
    fields: dict[str, str]
    detail: dict[str, str]
    message: str


def refusal(error: grpc.aio.AioRpcError) -> Refusal:
    """Read the google.rpc.Status of an error, as every client can."""
    trailers = dict(error.trailing_metadata() or ())
    status = Status.FromString(trailers["grpc-status-details-bin"])
    assert status.code == error.code().value[0]
    assert status.message == error.details()
    info, bad = ErrorInfo(), BadRequest()
    for detail in status.details:
        detail.Unpack(info) or detail.Unpack(bad)
    assert info.domain == "vallum"
    fields = {violation.field: violation.description for violation in bad.field_violations}
    return Refusal(error.code(), info.reason, fields, dict(info.metadata), status.message)


class Client:
    """Sends bytes or messages with or without a token."""

    def __init__(self, target: str) -> None:
        self.channel = grpc.aio.insecure_channel(target)

    def method(self, name: str) -> Any:
        """A unary call of bytes."""
        return self.channel.unary_unary(f"/echo.v1.EchoService/{name}")

    async def say(self, request: pb.SayRequest | bytes, token: str = "") -> pb.SayResponse:
        """Call Say."""
        raw = request if isinstance(request, bytes) else request.SerializeToString()
        reply: bytes = await self.method("Say")(raw, metadata=bearer(token), timeout=10)
        return pb.SayResponse.FromString(reply)

    def count(self, below: int, token: str = "") -> Any:
        """Call Count: a stream of numbers."""
        call = self.channel.unary_stream(
            "/echo.v1.EchoService/Count",
            request_serializer=pb.CountRequest.SerializeToString,
            response_deserializer=pb.CountResponse.FromString,
        )
        return call(pb.CountRequest(below=below), metadata=bearer(token), timeout=10)


def bearer(token: str) -> tuple[tuple[str, str], ...]:
    """The metadata that carries a token."""
    return (("authorization", f"Bearer {token}"),) if token else ()


@asynccontextmanager
async def served(
    settings: Settings, verifier: Verifier, servicer: object
) -> AsyncIterator[tuple[App, Client]]:
    """A server with that servicer, and a client of it."""

    @asynccontextmanager
    async def bind(app: App) -> AsyncIterator[None]:
        app.serve(SERVICE, servicer)
        yield

    async with App(settings, [bind], verifier) as app:
        client = Client(app.target)
        yield app, client
        await client.channel.close()
