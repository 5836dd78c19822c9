"""What waits at the edge is bounded: who does not read holds back whoever writes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import grpc
import psutil
from echo.v1 import echo_pb2 as pb
from msgspec.structs import replace

from services.edge.running import edge
from services.runtime.app import App
from services.runtime.auth import Keys, Verifier
from services.runtime.settings import Settings
from tests.conftest import Token
from tests.runtime.echo import SERVICE, bearer

LONG = pb.CountResponse(number=1).SerializeToString() + b"\x12\x80\x80\x04" + b"x" * 65536
"""A message of 64 KiB, most of it in a field that nobody knows."""


class Torrent:
    """A stream without an end, of long messages."""

    def __init__(self) -> None:
        self.sent = 0

    async def Count(self, _request: pb.CountRequest, _context: object) -> AsyncIterator[bytes]:
        while True:
            self.sent += 1
            yield LONG


async def test_who_does_not_read_holds_the_service_back(
    settings: Settings, keys: Keys, token: Token
) -> None:
    torrent, chosen = Torrent(), replace(settings, edge_port=0)

    @asynccontextmanager
    async def bind(app: App) -> AsyncIterator[None]:
        app.serve(SERVICE, torrent)
        yield

    async with (
        App(chosen, [bind], Verifier(keys)) as app,
        edge(chosen, {SERVICE.full_name: app.target}, app.target, keys.jwks()) as front,
        grpc.aio.insecure_channel(front.url.removeprefix("http://")) as channel,
    ):
        count: Any = channel.unary_stream("/echo.v1.EchoService/Count")
        call = count(b"", metadata=bearer(token("ann")))
        assert await call.read() == LONG
        async with asyncio.timeout(20):
            before = -1
            while torrent.sent != before:  # until it has written nothing for a second
                before = torrent.sent
                await asyncio.sleep(1)
        assert torrent.sent < 300
        assert psutil.Process(front.envoy.pid).memory_info().rss < 150e6
        call.cancel()
