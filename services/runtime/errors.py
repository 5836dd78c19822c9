"""Every error that a caller may see, and the one place that turns it into a gRPC status."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

import grpc
import redis.exceptions
import structlog
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status

from services.gamekit.game import IllegalAction, IllegalOptions

DOMAIN = "vallum"
"""The domain of every ErrorInfo: reasons are stable within it."""

MOST_FIELDS = 10
LONGEST_TEXT = 160
"""Details travel in a trailer, which HTTP/2 peers cap at about 8 KiB."""

STORAGE = (
    redis.exceptions.ConnectionError,
    redis.exceptions.TimeoutError,
    redis.exceptions.OutOfMemoryError,
    redis.exceptions.ReadOnlyError,
    redis.exceptions.ClusterDownError,
)
"""Redis is not there, is full, or is changing its master: the call may be tried again."""

Field = tuple[str, str]
"""(path of a request field, what is wrong with it)."""

log = structlog.get_logger(__name__)


class VallumError(Exception):
    """An answer that is not a success: a stable snake_case `code`, a text for people, details.

    Everything in it reaches the caller: it must not hold anything that the caller may not see.
    """

    status: ClassVar[grpc.StatusCode] = grpc.StatusCode.UNKNOWN

    def __init__(self, code: str, message: str = "", /, **detail: str | int) -> None:
        super().__init__(message or code)
        self.code = code
        self.message = message or code.replace("_", " ")
        self.detail = detail


class NotFound(VallumError):
    """There is no such thing, or none that this caller may know of."""

    status = grpc.StatusCode.NOT_FOUND


class InvalidRequest(VallumError):
    """The request can never succeed as it is; `fields` says where."""

    status = grpc.StatusCode.INVALID_ARGUMENT

    def __init__(
        self,
        code: str = "invalid_request",
        message: str = "",
        /,
        *,
        fields: Iterable[Field] = (),
        **detail: str | int,
    ) -> None:
        super().__init__(code, message, **detail)
        self.fields = tuple(fields)


class Refused(VallumError):
    """The state of things does not allow it."""

    status = grpc.StatusCode.FAILED_PRECONDITION


class Stale(VallumError):
    """Somebody else was first: look again and retry."""

    status = grpc.StatusCode.ABORTED


class Conflict(VallumError):
    """The name is taken, or the request_id was used for another body (`request_id_reused`)."""

    status = grpc.StatusCode.ALREADY_EXISTS


class Forbidden(VallumError):
    """Known, but not allowed."""

    status = grpc.StatusCode.PERMISSION_DENIED


class Unauthenticated(VallumError):
    """No token, or one that does not verify."""

    status = grpc.StatusCode.UNAUTHENTICATED


class Limited(VallumError):
    """Too much: of a quota, of a rate."""

    status = grpc.StatusCode.RESOURCE_EXHAUSTED


class TooLarge(Limited):
    """The request has more bytes than are read."""


class RateLimited(Limited):
    """Too many calls; `delay` seconds later there is room for one more."""

    def __init__(self, delay: float) -> None:
        super().__init__("rate_limited", "too many calls")
        self.delay = delay


class Unavailable(VallumError):
    """Not now; the same request may succeed in a moment."""

    status = grpc.StatusCode.UNAVAILABLE


class Unimplemented(VallumError):
    """Part of the contract, not of this service yet."""

    status = grpc.StatusCode.UNIMPLEMENTED


class Internal(VallumError):
    """A fault of ours. The caller learns that, and nothing else."""

    status = grpc.StatusCode.INTERNAL


def known(error: BaseException, **where: str) -> VallumError:
    """`error` as the caller may see it; one that nobody foresaw is logged and becomes Internal."""
    match error:
        case VallumError():
            return error
        case IllegalOptions():
            return InvalidRequest(error.code, str(error), fields=[_culprit(error)], **error.detail)
        case IllegalAction():
            return Refused(error.code, str(error), **error.detail)
        case _ if isinstance(error, STORAGE):
            log.warning("storage_unavailable", error=str(error), **where)
            return Unavailable("storage_unavailable")
        case _:
            log.error("internal_error", exc_info=error, **where)
            return Internal("internal")


def status_of(error: BaseException) -> Status:
    """`error` as a google.rpc.Status with ErrorInfo(reason = its code) and BadRequest."""
    return status_proto(known(error))


def status_proto(error: VallumError) -> Status:
    """The wire form of an error that is already known."""
    status = Status(code=error.status.value[0], message=_clip(error.message))
    info = ErrorInfo(reason=error.code, domain=DOMAIN)
    for key, value in error.detail.items():
        info.metadata[key] = _clip(str(value))
    _pack(status, info)
    if isinstance(error, InvalidRequest) and error.fields:
        _pack(status, _bad_request(error.fields))
    if isinstance(error, RateLimited):
        nanos = round(error.delay * 1e9)
        _pack(status, RetryInfo(retry_delay=Duration(seconds=nanos // 10**9, nanos=nanos % 10**9)))
    return status


def _bad_request(fields: tuple[Field, ...]) -> BadRequest:
    return BadRequest(
        field_violations=[
            BadRequest.FieldViolation(field=_clip(path), description=_clip(text))
            for path, text in fields[:MOST_FIELDS]
        ]
    )


def _pack(status: Status, detail: Message) -> None:
    status.details.add().Pack(detail)


def _clip(text: str) -> str:
    return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"


def _culprit(error: IllegalOptions) -> Field:
    field = error.detail.get("field")
    return (f"options.{field}" if field else "options", str(error))
