"""What a call may raise, read from the status that the service sent."""

from __future__ import annotations

from collections.abc import Mapping

import grpc
from google.protobuf.message import DecodeError
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo
from google.rpc.status_pb2 import Status

STATUS_KEY = "grpc-status-details-bin"

UNHEARD = frozenset(
    {
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.DEADLINE_EXCEEDED,
        grpc.StatusCode.CANCELLED,
        grpc.StatusCode.UNKNOWN,
    }
)
"""What a call ends with when no service has answered it: the connection broke, time ran out."""

LATER = frozenset({"contended", "rate_limited"})
"""Refusals that say: not now."""

TOKEN_REFUSED = frozenset({"token_expired", "token_invalid", "token_revoked"})
"""Refusals that say: not with this token."""


class VallumCallError(Exception):
    """A call that did not succeed.

    `code` is stable within a version of the contract: "stale", "not_your_turn", the codes of a
    game's own rules. Where no service answered it is the status in lower case: "unavailable".
    `metadata` are the refusal's details, `fields` the (path, text) of what is wrong in a request.
    """

    def __init__(
        self,
        code: str,
        status: grpc.StatusCode,
        message: str = "",
        metadata: Mapping[str, str] | None = None,
        fields: tuple[tuple[str, str], ...] = (),
        *,
        answered: bool = True,
    ) -> None:
        super().__init__(code, status, message)
        self.code = code
        self.status = status
        self.message = message
        self.metadata = dict(metadata or {})
        self.fields = fields
        self.answered = answered
        """Whether the service said so; otherwise the call may have had its effect all the same."""

    def __str__(self) -> str:
        facts = [f"{key}={value}" for key, value in self.metadata.items()]
        facts += [f"{path}: {text}" for path, text in self.fields]
        return f"{self.code}: {self.message}" + (f" ({', '.join(facts)})" if facts else "")

    @property
    def transient(self) -> bool:
        """Whether the same request may succeed in a moment. A refusal never does."""
        if self.answered:
            return self.status is grpc.StatusCode.UNAVAILABLE or self.code in LATER
        return self.status in UNHEARD

    @property
    def token_refused(self) -> bool:
        """Whether another token might do."""
        return self.answered and self.code in TOKEN_REFUSED


class EpochChanged(VallumCallError):
    """The storage has lost updates that were already sent: read the match again, then watch anew.

    It can happen only to a service that does not write every move to disk before it answers.
    """


def call_error(error: grpc.aio.AioRpcError) -> VallumCallError:
    """The VallumCallError that `error` stands for."""
    info, bad = _details(error)
    kind = EpochChanged if info and info.reason == "epoch_changed" else VallumCallError
    return kind(
        info.reason if info else error.code().name.lower(),
        error.code(),
        error.details() or "",
        info.metadata if info else None,
        tuple((one.field, one.description) for one in bad.field_violations),
        answered=info is not None,
    )


def _details(error: grpc.aio.AioRpcError) -> tuple[ErrorInfo | None, BadRequest]:
    """The details that the service packed into its status."""
    info, bad = ErrorInfo(), BadRequest()
    named = False
    for key, value in error.trailing_metadata() or ():
        if key != STATUS_KEY or not isinstance(value, bytes):
            continue
        try:
            status = Status.FromString(value)
            for detail in status.details:
                named = detail.Unpack(info) or named
                detail.Unpack(bad)
        except DecodeError:
            continue
    return (info if named else None), bad
