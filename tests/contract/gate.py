"""Everything that is served, behind the edge; and any call of the contract in each of its three
dialects, made from its descriptor."""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

import grpc
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status
from redis.asyncio import Redis

from services.edge.openapi import VARIABLE, Call, calls_of
from services.edge.running import edge
from tests.contract.hall import METADATA, Answer, Hall, hall
from tests.edge.web import Web
from tests.referee.given import KEYS

CODES = {code.value[0]: code for code in grpc.StatusCode}
UNLIMITED = {"rate_player": 0.0, "rate_tenant": 0.0, "edge_flood": 0, "edge_port": 0}
"""Settings under which nobody is slowed down."""


class Gate(NamedTuple):
    """A running platform, and its edge."""

    hall: Hall
    web: Web
    channel: grpc.aio.Channel
    """To the edge."""

    async def as_grpc(self, method: MethodDescriptor, request: Message, token: str) -> Answer:
        """A call, or the first message of a stream, as gRPC through the edge."""
        return await self.hall._replace(channel=self.channel).ask(method, request, token)

    async def as_json(self, method: MethodDescriptor, request: Message, token: str) -> list[Answer]:
        """The same in each of its forms as JSON."""
        found = []
        for call in calls_of(method):
            verb, path, body = transcoded(call, request)
            answer = await self.web.send(verb, path, body, token)
            told: Any = answer.json if answer.status != 200 else {"code": 0, "details": []}
            reasons = [one["reason"] for one in told["details"] if "reason" in one]
            found.append(Answer(CODES[told["code"]], "".join(reasons), answer.body))
        return found

    async def as_grpc_web(self, method: MethodDescriptor, request: Message, token: str) -> Answer:
        """The same as gRPC-Web: what a page sends and gets."""
        body = request.SerializeToString()
        framed = b"\0" + len(body).to_bytes(4, "big") + body
        path = f"/{method.containing_service.full_name}/{method.name}"
        kind = {"content_type": "application/grpc-web+proto", "x_grpc_web": "1"}
        answer = await self.web.send("POST", path, framed, token, **kind)
        messages, trailers = unframed(answer.body)
        told = {**answer.headers, **trailers}
        code = CODES[int(told["grpc-status"])]
        details = told.get(METADATA, "")
        status = Status.FromString(base64.b64decode(details + "=" * (-len(details) % 4)))
        info = ErrorInfo()
        for detail in status.details:
            detail.Unpack(info)
        said = b"".join(messages) + told.get("grpc-message", "").encode()
        return Answer(code, info.reason, said + status.SerializeToString())

    async def in_every_dialect(
        self, method: MethodDescriptor, request: Message, token: str
    ) -> dict[str, Answer]:
        """What is answered, by dialect."""
        found = {
            "gRPC": await self.as_grpc(method, request, token),
            "gRPC-Web": await self.as_grpc_web(method, request, token),
        }
        for number, answer in enumerate(await self.as_json(method, request, token)):
            found[f"JSON {number}"] = answer
        return found


@asynccontextmanager
async def gate(redis_url: str, folder: Path) -> AsyncIterator[Gate]:
    """Run one, on an empty storage."""
    async with Redis.from_url(redis_url) as redis:
        await redis.flushdb()
    async with hall(redis_url, folder, log_level="warning", **UNLIMITED) as there:
        app = there.app
        targets = dict.fromkeys(app.services, app.target)
        async with (
            edge(app.settings, targets, app.target, KEYS.jwks()) as front,
            grpc.aio.insecure_channel(front.url.partition("://")[2]) as channel,
        ):
            yield Gate(there, Web(front.url), channel)


def transcoded(call: Call, request: Message) -> tuple[str, str, Any]:
    """(verb, path with its query, body) of a request, as `google.api.http` says."""
    values = MessageToDict(request)
    names = {field.name: field.json_name for field in request.DESCRIPTOR.fields}

    def spelt(found: Any) -> str:
        return quote(str(values.pop(names[found[1]], "")), safe="/")

    path = VARIABLE.sub(spelt, call.template)
    body: Any = None
    if call.body == "*":
        body, values = values, {}
    elif call.body:
        body = values.pop(names[call.body], {})
    query = urlencode(list(flat(values)))
    return call.verb.upper(), f"{path}?{query}" if query else path, body


def flat(values: Any, prefix: str = "") -> Iterator[tuple[str, str]]:
    """Nested values as parameters of an address."""
    for name, value in values.items():
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, dict):
                yield from flat(one, f"{prefix}{name}.")
            else:
                yield prefix + name, str(one).lower() if isinstance(one, bool) else str(one)


def unframed(body: bytes) -> tuple[list[bytes], dict[str, str]]:
    """The messages of an answer in gRPC-Web, and its trailers."""
    messages, trailers, at = [], {}, 0
    while at < len(body):
        size = int.from_bytes(body[at + 1 : at + 5], "big")
        part = body[at + 5 : at + 5 + size]
        if body[at] & 0x80:
            lines = [line.partition(":") for line in part.decode().split("\r\n") if line]
            trailers = {name.strip().lower(): value.strip() for name, _, value in lines}
        else:
            messages.append(part)
        at += 5 + size
    return messages, trailers
