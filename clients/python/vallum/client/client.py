"""A connection to Vallum in somebody's name."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

import grpc

from vallum.accounts.v1 import accounts_pb2
from vallum.client import tokens
from vallum.client.game import GameClient
from vallum.client.retry import Patience, Retry, persistently

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
    """Calls the services at `target` ("host:port"), bearing `token`, or as the tenant of `api_key`.

    `token` may be a function, async or not, that is asked before each try. An API key is exchanged
    for tokens, which are renewed before they end: it belongs on a studio's own machines alone.
    Without `credentials` the connection is not encrypted. Close it, or use it as `async with`.
    """

    def __init__(
        self,
        target: str,
        token: tokens.Given = "",
        *,
        api_key: str = "",
        retry: Retry | None = None,
        credentials: grpc.ChannelCredentials | None = None,
    ) -> None:
        if token and api_key:
            raise TypeError("a client bears a token or an API key, not both")
        self.retry = retry or Retry()
        self._channel = (
            grpc.aio.secure_channel(target, credentials, options=OPTIONS)
            if credentials
            else grpc.aio.insecure_channel(target, options=OPTIONS)
        )
        self._owner = True
        self._tokens: tokens.Tokens = (
            tokens.of_key(self._channel, api_key, self.retry) if api_key else tokens.Handed(token)
        )

    def as_player(self, external_id: str, *, display_name: str = "") -> Client:
        """A client in the name of a player of this one's tenant, by what the tenant calls him; he
        is made where he is new. It has this one's connection, and ends with it."""
        request = accounts_pb2.IssuePlayerTokenRequest(
            external_id=external_id, display_name=display_name
        )
        found = Client.__new__(Client)
        found.retry, found._channel, found._owner = self.retry, self._channel, False
        found._tokens = tokens.of_player(self._channel, self._tokens, request, self.retry)
        return found

    def game(self, name: str) -> GameClient:
        """The matches of one game, by its key ("hadrians_wall") or by the package of its
        contract ("vallum.hadrians_wall.v1"). Raises ModuleNotFoundError for one unknown here."""
        package = name if "." in name else f"vallum.{name}.v1"
        try:
            return GameClient(self, self._channel, package)
        except ModuleNotFoundError:
            known = "a key as `vallum games` lists them, or a package of stubs"
            raise ModuleNotFoundError(f"no game {name!r} here: give {known}") from None

    def stub(self, kind: Callable[[grpc.aio.Channel], S]) -> S:
        """A generated stub on this connection, for `call`: `client.stub(ScoringServiceStub)`."""
        return kind(self._channel)

    async def call(self, method: Any, request: Any) -> Any:
        """Call a unary method of a stub until it is answered. Raises VallumCallError.

        For a change the request must have a request_id: only that makes trying again harmless.
        """

        async def attempt(timeout: float) -> Any:  # noqa: ASYNC109 # the call's own deadline
            return await method(request, metadata=await self.metadata(), timeout=timeout)

        return await persistently(self.retry, attempt, self._tokens.renew)

    async def metadata(self) -> tokens.Metadata:
        """What every call carries. Raises VallumCallError where an API key gives no token."""
        return tokens.bearing(await self._tokens.get())

    def patience(self) -> Patience:
        """For the tries of one call."""
        return Patience(self.retry, self._tokens.renew)

    async def close(self) -> None:
        """End every call and the connection; of `as_player`, nothing: it is another's."""
        if self._owner:
            await self._channel.close()

    async def __aenter__(self) -> Client:
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.shield(self.close())
