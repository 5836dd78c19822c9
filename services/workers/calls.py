"""How a worker calls our services: in its own name, over and over while nobody answers."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, cast

import grpc
from google.protobuf.message import Message

from services.runtime.auth import Caller, Keys, Role
from services.runtime.settings import Settings, SettingsError
from services.runtime.telemetry import current_traceparent
from vallum.client.errors import call_error
from vallum.client.retry import Retry

TOKEN_LIFE = 3600.0
SUBJECT = "workers"
RETRY = Retry(patience=8.0, timeout=5.0)
"""A service that restarts is waited for; after that it announces the work again itself."""

OPTIONS = (
    ("grpc.max_receive_message_length", 4 * 1024 * 1024),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 1_000),
)
"""Of a worker's channels."""


class Bearer:
    """Says who calls: a token of role service, minted anew before it runs out."""

    def __init__(self, settings: Settings) -> None:
        if settings.key_file is None:
            raise SettingsError("VALLUM_KEY_FILE: workers need the private key to sign their calls")
        self._keys = Keys.load(settings.key_file)
        self._caller = Caller(SUBJECT, "", Role.SERVICE)
        self._token = self._keys.mint(self._caller, TOKEN_LIFE)
        self._renew = time.monotonic() + TOKEN_LIFE / 2

    def metadata(self) -> tuple[tuple[str, str], ...]:
        """The metadata of a call."""
        if time.monotonic() > self._renew:
            self._token = self._keys.mint(self._caller, TOKEN_LIFE)
            self._renew = time.monotonic() + TOKEN_LIFE / 2
        bearer = ("authorization", f"Bearer {self._token}")
        trace = current_traceparent()
        return (bearer, ("traceparent", trace)) if trace else (bearer,)


def answered(method: Callable[..., Any], request: Message, bearer: Bearer) -> Any:
    """The answer, however often the connection breaks within RETRY.patience.

    Raises VallumCallError.
    """
    until, failures = time.monotonic() + RETRY.patience, 0
    while True:
        try:
            return method(request, timeout=RETRY.timeout, metadata=bearer.metadata())
        except grpc.RpcError as error:
            failed = call_error(cast("grpc.aio.AioRpcError", error))  # it has the same methods
        failures += 1
        pause = RETRY.pause(failures)
        if not failed.transient or time.monotonic() + pause > until:
            raise failed
        time.sleep(pause)
