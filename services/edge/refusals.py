"""What the edge refuses by itself, told as a service tells its refusals: google.rpc.Status."""

from __future__ import annotations

import base64
from http import HTTPStatus
from typing import Any, NamedTuple

import grpc
from google.protobuf.duration_pb2 import Duration
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status

from services.runtime.errors import DOMAIN

NATIVE = (
    "('content-type' in request.headers"
    " && request.headers['content-type'].startsWith('application/grpc')"
    " && !('x-envoy-original-path' in request.headers))"
)
"""Of a call: it came as gRPC or gRPC-Web. A JSON call that has been translated looks like one, but
for the path that it had."""
VERBATIM = "%LOCAL_REPLY_BODY%"
"""What Envoy says about it, told as it is."""


class Refusal(NamedTuple):
    """One way to be refused at the edge."""

    http: int
    status: grpc.StatusCode
    reason: str
    message: str
    details: str = ""
    """What Envoy's own word for it must contain; empty: anything."""
    retry: int = 0
    """Seconds after which the call may be tried again."""
    instead: int = 0
    """The HTTP status that is sent instead."""

    @property
    def answer(self) -> int:
        """The HTTP status that is sent."""
        return self.instead or self.http

    @property
    def code(self) -> int:
        """The number of its gRPC status."""
        number: int = self.status.value[0]
        return number

    @property
    def trailer(self) -> str:
        """Its status for the trailer of a gRPC answer."""
        return base64.b64encode(self._status().SerializeToString()).decode().rstrip("=")

    @property
    def body(self) -> dict[str, Any]:
        """Its status for the body of a JSON answer."""
        told = {"message": VERBATIM} if self.http == HTTPStatus.BAD_REQUEST else {}
        return MessageToDict(self._status()) | told

    def when(self, *, grpc: bool) -> str:
        """The condition, in CEL, under which a gRPC call, or a JSON call, is refused like this."""
        terms = [NATIVE if grpc else f"!{NATIVE}"]
        if self.details:
            terms.append(f"response.code_details.contains('{self.details}')")
        return " && ".join(terms)

    def _status(self) -> Status:
        status = Status(code=self.code, message=self.message)
        details: list[Message] = [ErrorInfo(reason=self.reason, domain=DOMAIN)]
        if self.retry:
            details.append(RetryInfo(retry_delay=Duration(seconds=self.retry)))
        for detail in details:
            status.details.add().Pack(detail)
        return status


CODE = grpc.StatusCode
EXPIRED, BAD_TOKEN = "the token has expired", "the token is not valid here"  # texts
THERE = "the service is not there"
REFUSALS = (
    Refusal(
        401, CODE.UNAVAILABLE, "service_unavailable", THERE, "Jwks_remote", retry=1, instead=503
    ),
    Refusal(401, CODE.UNAUTHENTICATED, "token_expired", EXPIRED, "expired"),
    Refusal(401, CODE.UNAUTHENTICATED, "token_invalid", BAD_TOKEN),
    Refusal(403, CODE.UNAUTHENTICATED, "token_invalid", BAD_TOKEN, "jwt", instead=401),
    Refusal(400, CODE.INVALID_ARGUMENT, "malformed_request", "the request cannot be read"),
    Refusal(404, CODE.UNIMPLEMENTED, "unknown_path", "there is no such call"),
    Refusal(413, CODE.RESOURCE_EXHAUSTED, "request_too_large", "the request has too many bytes"),
    Refusal(429, CODE.RESOURCE_EXHAUSTED, "rate_limited", "too many calls", retry=1),
    Refusal(431, CODE.RESOURCE_EXHAUSTED, "request_too_large", "the headers have too many bytes"),
    Refusal(503, CODE.UNAVAILABLE, "service_unavailable", THERE, retry=1),
    Refusal(504, CODE.DEADLINE_EXCEEDED, "deadline_exceeded", "the service took too long"),
)
"""In this order; the first that fits is told."""
