"""Calling other services of the platform, as a service."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, TypeVar

import grpc
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status

from services.runtime.auth import Caller, Keys, Role
from services.runtime.errors import NotFound, Refused, Unavailable, VallumError
from services.runtime.settings import Settings, SettingsError
from services.runtime.telemetry import current_traceparent

TOKEN_LIFE = 3600.0
TIMEOUT = 10.0
EVERYWHERE = ("0.0.0.0", "[::]")  # noqa: S104 # compared with, not bound to
STATUS_KEY = "grpc-status-details-bin"
OPTIONS = (
    ("grpc.max_receive_message_length", 64 * 1024 * 1024),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2_000),
)
KINDS: Mapping[grpc.StatusCode, type[VallumError]] = {
    grpc.StatusCode.NOT_FOUND: NotFound,
    grpc.StatusCode.FAILED_PRECONDITION: Refused,
}
"""Errors of the other side that are told as they are; every other one is Unavailable."""

M = TypeVar("M", bound=Message)


class Bearer:
    """Says who calls: a token of role service, minted anew before it runs out."""

    def __init__(self, keys: Keys, name: str) -> None:
        self._keys = keys
        self._caller = Caller(name, "", Role.SERVICE)
        self._token, self._renew = "", 0.0

    def metadata(self) -> tuple[tuple[str, str], ...]:
        """The metadata of a call."""
        if time.monotonic() > self._renew:
            self._token = self._keys.mint(self._caller, TOKEN_LIFE)
            self._renew = time.monotonic() + TOKEN_LIFE / 2
        bearer = ("authorization", f"Bearer {self._token}")
        trace = current_traceparent()
        return (bearer, ("traceparent", trace)) if trace else (bearer,)


class Calls:
    """Channels to other services, and the token that says who calls."""

    def __init__(self, keys: Keys, name: str) -> None:
        self._bearer = Bearer(keys, name)
        self._channels: dict[str, grpc.aio.Channel] = {}

    async def unary(self, target: str, path: str, request: Message, answer: type[M]) -> M:
        """Call `path` ("/vallum.scoring.v1.ScoringService/GetArchived") at host:port.

        Raises NotFound and Refused with the code of the other side, else Unavailable.
        """
        if target not in self._channels:
            self._channels[target] = grpc.aio.insecure_channel(target, OPTIONS)
        method: Any = self._channels[target].unary_unary(
            path,
            request_serializer=type(request).SerializeToString,
            response_deserializer=answer.FromString,
        )
        try:
            found: M = await method(request, metadata=self._bearer.metadata(), timeout=TIMEOUT)
        except grpc.aio.AioRpcError as error:
            kind = KINDS.get(error.code(), Unavailable)
            raise kind(code_of(error)) from None
        return found

    async def close(self) -> None:
        """Close every channel."""
        for channel in self._channels.values():
            await channel.close()


def signing(settings: Settings) -> Keys:
    """The keys that sign calls. Raises SettingsError where none are set."""
    if settings.key_file is None:
        raise SettingsError("VALLUM_KEY_FILE: the private key is needed to sign calls to services")
    return Keys.load(settings.key_file)


def code_of(error: grpc.aio.AioRpcError) -> str:
    """The stable code of a refused call; "unavailable" where it has none."""
    for key, value in error.trailing_metadata() or ():
        if key == STATUS_KEY and isinstance(value, bytes):
            info = ErrorInfo()
            for detail in Status.FromString(value).details:
                if detail.Unpack(info):
                    return str(info.reason)
    return "unavailable"


def rules_target(game: str, settings: Settings, here: str = "") -> str:
    """host:port of a game's rules service; `here` is where this process listens."""
    targets = dict(target.split("=", 1) for target in settings.rules_targets)
    return targets.get(game) or here or own_target(settings)


def own_target(settings: Settings) -> str:
    """host:port of whatever listens as these settings say."""
    host = "127.0.0.1" if settings.host in EVERYWHERE else settings.host
    return f"{host}:{settings.port}"
