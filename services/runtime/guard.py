"""The door of every RPC: who calls, may they, is the request well formed, what went wrong.

It builds gRPC handlers straight from a service's descriptor. All that can be prepared is prepared
once per method, because a call pays for everything that is not.
"""

from __future__ import annotations

import inspect
from asyncio import CancelledError
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from functools import partial
from time import perf_counter
from typing import Any, NoReturn

import grpc
import structlog
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass
from protovalidate import Validator, Violation

from services.runtime import telemetry
from services.runtime.auth import NOBODY, Caller, Verifier, set_caller
from services.runtime.callers import scope_bit
from services.runtime.errors import (
    Field,
    Forbidden,
    InvalidRequest,
    TooLarge,
    Unauthenticated,
    Unimplemented,
    VallumError,
    known,
    status_proto,
)
from services.runtime.limits import Limits
from services.runtime.settings import Settings
from vallum.options.v1 import access_pb2

Context = grpc.aio.ServicerContext[Any, Any]
Reply = Message | bytes
"""A servicer may answer with a message, or with one that it has serialised already."""
Method = Callable[[Any, Context], Any]

STATUS_KEY = "grpc-status-details-bin"

log = structlog.get_logger(__name__)


class UnguardedMethod(TypeError):
    """A service cannot be bound: a method does not say who may call it, or is not served."""


def handlers(
    service: ServiceDescriptor,
    servicer: object,
    verifier: Verifier,
    settings: Settings,
    limits: Limits | None = None,
) -> grpc.GenericRpcHandler:
    """Handlers for every method of `service`, answered by the methods of `servicer`.

    Unary: `async def Play(self, request, context) -> Response`. Server stream: an async generator
    `async def Watch(self, request, context)`. What they raise is sent as a google.rpc.Status. A
    method that the servicer lacks answers `unimplemented`. Services with the same `limits` count
    calls together. Raises UnguardedMethod.
    """
    validator = Validator()
    spend = (limits or Limits(settings)).spend
    return grpc.method_handlers_generic_handler(
        service.full_name,
        {
            method.name: _handler(
                Door(method, verifier, validator, settings.request_limit, spend),
                getattr(servicer, method.name, None) or _unimplemented(method),
            )
            for method in service.methods
        },
    )


class Door:
    """What must hold before a method runs, and how its failure is told."""

    def __init__(
        self,
        method: MethodDescriptor,
        verifier: Verifier,
        validator: Validator,
        limit: int,
        spend: Callable[[Caller], Caller],
    ) -> None:
        self.method = method
        self.name = method.full_name
        self.streams = method.server_streaming
        self._verify = verifier.verify
        self._spend = spend
        self._open, self._roles, self._scope = _access(method)
        self._limit = limit
        self._parse = GetMessageClass(method.input_type).FromString
        self._violations = validator.collect_violations
        self._violations(GetMessageClass(method.input_type)())  # compiles the rules, or raises
        labels = (method.containing_service.full_name, method.name)
        self._labels = labels
        self.seconds = telemetry.CALL_SECONDS.labels(*labels)
        self.open_streams = telemetry.STREAMS.labels(*labels) if self.streams else None
        self.succeeded = telemetry.CALLS.labels(*labels, "OK")

    def admit(self, raw: bytes, context: Context) -> Message:
        """The request, once its caller and its form have been checked. Raises VallumError."""
        token = ""
        for key, value in context.invocation_metadata() or ():
            if key == "authorization":
                token = value if isinstance(value, str) else ""
            elif key == "traceparent":
                telemetry.continue_trace(str(value))
        set_caller(self._spend(self._identify(token)))
        if len(raw) > self._limit:
            raise TooLarge("request_too_large", limit=self._limit)
        try:
            request = self._parse(raw)
        except DecodeError:
            raise InvalidRequest("malformed_request") from None
        if violations := self._violations(request):
            raise InvalidRequest(fields=map(_field, violations))
        return request

    def _identify(self, header: str) -> Caller:
        if not header and self._open:
            return NOBODY
        scheme, _, token = header.partition(" ")
        if not token or scheme.lower() != "bearer":
            raise Unauthenticated("unauthenticated", "send a token: authorization: Bearer …")
        caller = self._verify(token)
        if not self._open:
            if caller.role not in self._roles:
                raise Forbidden("forbidden", "this role may not call this method")
            if not caller.scopes & self._scope:
                raise Forbidden("out_of_scope", "this key is not scoped for this method")
        return caller

    def still(self, context: Context) -> Callable[[], object]:
        """Raises Unauthenticated once the token of a stream that was admitted counts no more."""
        header = dict(context.invocation_metadata() or ()).get("authorization", "")
        if not header and self._open:
            return bool
        return partial(self._verify, str(header).partition(" ")[2])

    async def refuse(self, error: Exception, context: Context) -> NoReturn:
        """End the call with what may be said of `error`."""
        if isinstance(error, grpc.aio.AbortError):
            self.ended(context.code().name)
            raise error
        told: VallumError = known(error, method=self.name)
        status = status_proto(told)
        self.ended(told.status.name)
        await context.abort(
            told.status, status.message, ((STATUS_KEY, status.SerializeToString()),)
        )
        raise AssertionError("abort raises")

    def ended(self, code: str) -> None:
        """Count a call that did not succeed."""
        telemetry.CALLS.labels(*self._labels, code).inc()


def _handler(door: Door, behaviour: Method) -> grpc.RpcMethodHandler[Any, Any]:
    if door.method.client_streaming:
        raise UnguardedMethod(f"{door.name}: browsers cannot stream to a server")
    if telemetry.tracing():
        behaviour = _traced_stream(door, behaviour) if door.streams else _traced(door, behaviour)
    if door.streams:
        return grpc.unary_stream_rpc_method_handler(
            _stream(door, behaviour), request_deserializer=None, response_serializer=_serialize
        )
    return grpc.unary_unary_rpc_method_handler(
        _unary(door, behaviour), request_deserializer=None, response_serializer=_serialize
    )


def _unary(door: Door, behaviour: Method) -> Callable[[bytes, Context], Awaitable[Reply]]:
    admit, observe, succeeded = door.admit, door.seconds.observe, door.succeeded.inc

    async def call(raw: bytes, context: Context) -> Reply:
        started = perf_counter()
        try:
            reply: Reply = await behaviour(admit(raw, context), context)
        except CancelledError:
            door.ended("CANCELLED")
            raise
        except Exception as error:  # noqa: BLE001 # every error becomes a status here
            await door.refuse(error, context)
        succeeded()
        observe(perf_counter() - started)
        return reply

    return call


def _stream(door: Door, behaviour: Method) -> Callable[[bytes, Context], Awaitable[None]]:
    admit, succeeded, streams = door.admit, door.succeeded.inc, door.open_streams
    assert streams is not None

    async def call(raw: bytes, context: Context) -> None:
        with streams.track_inprogress():
            try:
                replies = behaviour(admit(raw, context), context)
                still = door.still(context)
                if inspect.isawaitable(replies):
                    replies = await replies
                async with aclosing(replies):
                    async for reply in replies:
                        still()
                        await context.write(reply)
            except CancelledError:
                door.ended("CANCELLED")
                raise
            except grpc.aio.InternalError:  # gRPC's word for a write to a caller who is gone
                door.ended("CANCELLED")
                return
            except Exception as error:  # noqa: BLE001 # as above
                await door.refuse(error, context)
        succeeded()

    return call


def _traced(door: Door, behaviour: Method) -> Method:
    async def call(request: Message, context: Context) -> Reply:
        with telemetry.span(door.name):
            reply: Reply = await behaviour(request, context)
            return reply

    return call


def _traced_stream(door: Door, behaviour: Method) -> Method:
    async def call(request: Message, context: Context) -> AsyncIterator[Reply]:
        with telemetry.span(door.name):
            replies = behaviour(request, context)
            if inspect.isawaitable(replies):
                replies = await replies
            async with aclosing(replies):
                async for reply in replies:
                    yield reply

    return call


def _unimplemented(method: MethodDescriptor) -> Method:
    async def answer(_request: Message, _context: Context) -> NoReturn:
        raise Unimplemented("unimplemented", f"{method.name} is not served yet")

    log.info("method_not_served", method=method.full_name)
    return answer


def _access(method: MethodDescriptor) -> tuple[bool, frozenset[int], int]:
    """(needs no token, roles that may call, bit of the scope needed), as the contract says."""
    options = method.GetOptions()
    if not options.HasExtension(access_pb2.access):
        raise UnguardedMethod(f"{method.full_name} has no (vallum.options.v1.access): nobody may")
    access = options.Extensions[access_pb2.access]
    scope = scope_bit(access.scope or access_pb2.SCOPE_MATCHES)
    return access.open, frozenset(access.roles) - {access_pb2.ROLE_UNSPECIFIED}, scope


def _serialize(reply: Reply) -> bytes:
    return reply if isinstance(reply, bytes) else reply.SerializeToString()


def _field(violation: Violation) -> Field:
    """(path, what is wrong), without the value."""
    proto = violation.proto
    path = ""
    for element in proto.field.elements if proto.field else ():
        path += f".{element.field_name}" if path else str(element.field_name)
        if element.subscript is not None:
            path += f"[{element.subscript.value}]"
    return path, proto.message or proto.rule_id
