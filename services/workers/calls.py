"""How a worker calls our services: in its own name, over and over while nobody answers."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, cast

import grpc
from google.protobuf.message import Message

from services.runtime.calls import Bearer, signing
from services.runtime.settings import Settings
from vallum.client.errors import call_error
from vallum.client.retry import Retry

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


def bearer(settings: Settings) -> Bearer:
    """What says that a worker calls. Raises SettingsError where there is no key to sign with."""
    return Bearer(signing(settings), SUBJECT)


def answered(method: Callable[..., Any], request: Message, caller: Bearer) -> Any:
    """The answer, however often the connection breaks within RETRY.patience.

    Raises VallumCallError.
    """
    until, failures = time.monotonic() + RETRY.patience, 0
    while True:
        try:
            return method(request, timeout=RETRY.timeout, metadata=caller.metadata())
        except grpc.RpcError as error:
            failed = call_error(cast("grpc.aio.AioRpcError", error))  # it has the same methods
        failures += 1
        pause = RETRY.pause(failures)
        if not failed.transient or time.monotonic() + pause > until:
            raise failed
        time.sleep(pause)
