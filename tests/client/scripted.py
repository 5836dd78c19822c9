"""A server that says what a test wants it to say, one script for each stream that is opened."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any

import grpc

from ambush.v1 import rules_pb2 as pb
from services.runtime.errors import VallumError, status_of
from tests.client.given import QUICK
from vallum.client import Client, GameClient
from vallum.match.v1 import match_pb2

WAIT = "wait"
"""In a script: say nothing more until the call is cancelled."""


class Script:
    """Streams still to be opened; `asked` are the versions they were opened from."""

    def __init__(self, *streams: Iterable[Any]) -> None:
        self._streams = iter(streams)
        self.asked: list[int] = []
        self.opened = asyncio.Event()
        self.cancelled = asyncio.Event()

    async def watch(self, request: pb.WatchRequest, context: Any) -> AsyncIterator[Any]:
        """Answer one call."""
        self.asked.append(request.from_version)
        told = False

        def over(_: Any) -> None:
            if not told:
                self.cancelled.set()

        context.add_done_callback(over)
        self.opened.set()
        for line in next(self._streams):
            if isinstance(line, VallumError):
                status = status_of(line)
                details = (("grpc-status-details-bin", status.SerializeToString()),)
                await context.abort(line.status, status.message, details)
            elif line == WAIT:
                await asyncio.Event().wait()
            else:
                yield line
        told = True


@asynccontextmanager
async def said(*streams: Iterable[Any]) -> AsyncIterator[tuple[Script, GameClient]]:
    """A running server with a script, and a client of it."""
    script = Script(*streams)
    server = grpc.aio.server()
    handler = grpc.unary_stream_rpc_method_handler(
        script.watch,
        request_deserializer=pb.WatchRequest.FromString,
        response_serializer=pb.WatchResponse.SerializeToString,
    )
    handlers = grpc.method_handlers_generic_handler("ambush.v1.RulesService", {"Watch": handler})
    server.add_generic_rpc_handlers((handlers,))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        async with Client(f"127.0.0.1:{port}", "token", retry=QUICK) as client:
            yield script, client.game("ambush.v1")
    finally:
        await server.stop(0)


def update(version: int, seat: int = 0) -> pb.WatchResponse:
    """An update."""
    said = pb.WatchResponse.Update(version=version, seat=seat, event="resign")
    return pb.WatchResponse(update=said)


def heartbeat(version: int) -> pb.WatchResponse:
    """A heartbeat."""
    return pb.WatchResponse(heartbeat=pb.WatchResponse.Heartbeat(version=version))


def end(version: int) -> pb.WatchResponse:
    """The end."""
    result = match_pb2.Result(outcome="over")
    return pb.WatchResponse(end=pb.WatchResponse.End(version=version, result=result))
