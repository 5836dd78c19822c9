"""A connection to Vallum in somebody's name."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

import grpc

from vallum.client.game import GameClient
from vallum.client.retry import Retry, persistently

S = TypeVar("S")

LARGEST_MESSAGE = 4 * 1024 * 1024
OPTIONS = (
    ("grpc.max_receive_message_length", LARGEST_MESSAGE),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2_000),
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
)


class Client:
    """Calls the services at `target` ("host:port"), bearing `token`.

    `token` may be a function that is asked before each try, where tokens are renewed. Without
    `credentials` the connection is not encrypted. Close it, or use it as `async with`.
    """

    def __init__(
        self,
        target: str,
        token: str | Callable[[], str],
        *,
        retry: Retry | None = None,
        credentials: grpc.ChannelCredentials | None = None,
    ) -> None:
        self.retry = retry or Retry()
        self._token = token if callable(token) else lambda: token
        self._channel = (
            grpc.aio.secure_channel(target, credentials, options=OPTIONS)
            if credentials
            else grpc.aio.insecure_channel(target, options=OPTIONS)
        )

    def game(self, name: str) -> GameClient:
        """The matches of one game, by its key ("hadrians_wall") or by the package of its
        contract ("vallum.hadrians_wall.v1"). Raises ModuleNotFoundError for one unknown here."""
        package = name if "." in name else f"vallum.{name}.v1"
        return GameClient(self, self._channel, package)

    def stub(self, kind: Callable[[grpc.aio.Channel], S]) -> S:
        """A generated stub on this connection, for `call`: `client.stub(ScoringServiceStub)`."""
        return kind(self._channel)

    async def call(self, method: Any, request: Any) -> Any:
        """Call a unary method of a stub until it is answered. Raises VallumCallError.

        For a change the request must have a request_id: only that makes trying again harmless.
        """

        async def attempt(timeout: float) -> Any:  # noqa: ASYNC109 # the call's own deadline
            return await method(request, metadata=self.metadata(), timeout=timeout)

        return await persistently(self.retry, attempt)

    def metadata(self) -> tuple[tuple[str, str], ...]:
        """What every call carries."""
        return (("authorization", f"Bearer {self._token()}"),)

    async def close(self) -> None:
        """End every call and the connection."""
        await self._channel.close()

    async def __aenter__(self) -> Client:
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.shield(self.close())
