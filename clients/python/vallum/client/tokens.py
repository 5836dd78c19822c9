"""What a client bears: a token, whoever gives one, or those that an API key is good for."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from dataclasses import replace
from time import monotonic
from typing import Any, Protocol

import grpc

from vallum.accounts.v1 import accounts_pb2 as pb
from vallum.accounts.v1.accounts_pb2_grpc import AccountsServiceStub
from vallum.client.errors import VallumCallError
from vallum.client.retry import Retry, persistently

Metadata = tuple[tuple[str, str], ...]
Given = str | Callable[[], str | Awaitable[str]]
"""A token, or a function, async or not, that is asked for one before each try."""

LIFE = 900
"""Seconds for which tokens are asked, and lived by this machine's own count of seconds: clocks may
differ."""
EARLY = 2 / 3
"""The part of its life after which a token is replaced, while it still counts."""
LATE = 0.95
"""The part after which it is not used any more."""
AGAIN = 5.0
"""Seconds until a token that could not be replaced in time is tried again."""
SHORT = 2.0
"""Seconds that a call waits for another token while the one there still counts."""


class Tokens(Protocol):
    """Where a client's token comes from."""

    async def get(self) -> str:
        """A token; "" for none. Raises VallumCallError."""

    def renew(self, code: str) -> bool:
        """The token was refused with this code: whether the next one may be another."""


class Handed:
    """A token that somebody else looks after."""

    def __init__(self, given: Given) -> None:
        self._given = given

    async def get(self) -> str:
        """See Tokens."""
        found = self._given() if callable(self._given) else self._given
        return await found if inspect.isawaitable(found) else found

    def renew(self, code: str) -> bool:
        """See Tokens. A function knows when its token expires; it cannot know why else."""
        return callable(self._given) and code == "token_expired"


class Renewed:
    """A token that is fetched before the first call, and again before it expires or when it is
    refused. Calls that come up meanwhile wait for the same one."""

    def __init__(self, fetch: Callable[[Retry], Awaitable[str]], retry: Retry) -> None:
        self._fetch = fetch
        self._retry = retry
        self._lock = asyncio.Lock()
        self._token = ""
        self._renew = self._over = 0.0

    async def get(self) -> str:
        """See Tokens."""
        if monotonic() < self._renew:
            return self._token
        async with self._lock:
            if monotonic() >= self._renew:
                await self._replace()
        return self._token

    def renew(self, code: str) -> bool:
        """See Tokens."""
        self._renew = self._over = 0.0
        return True

    async def _replace(self) -> None:
        began, alive = monotonic(), monotonic() < self._over
        retry = replace(self._retry, patience=SHORT) if alive else self._retry
        try:
            self._token = await self._fetch(retry)
        except VallumCallError as error:
            if not alive or not error.transient:
                raise
            self._renew = monotonic() + AGAIN
            return
        self._renew, self._over = began + EARLY * LIFE, began + LATE * LIFE


def of_key(channel: grpc.aio.Channel, api_key: str, retry: Retry) -> Renewed:
    """The tokens of a tenant's backend."""
    stub: Any = AccountsServiceStub(channel)
    request = pb.ExchangeKeyRequest(api_key=api_key)
    request.ttl.seconds = LIFE

    async def fetch(patience: Retry) -> str:
        async def attempt(timeout: float) -> Any:  # noqa: ASYNC109 # the call's own deadline
            return await stub.ExchangeKey(request, timeout=timeout)

        return str((await persistently(patience, attempt)).token)

    return Renewed(fetch, retry)


def of_player(
    channel: grpc.aio.Channel, backend: Tokens, request: pb.IssuePlayerTokenRequest, retry: Retry
) -> Renewed:
    """The tokens of a player, issued to his tenant's backend."""
    stub: Any = AccountsServiceStub(channel)
    request.ttl.seconds = LIFE

    async def fetch(patience: Retry) -> str:
        async def attempt(timeout: float) -> Any:  # noqa: ASYNC109 # as above
            metadata = bearing(await backend.get())
            return await stub.IssuePlayerToken(request, metadata=metadata, timeout=timeout)

        return str((await persistently(patience, attempt, backend.renew)).token)

    return Renewed(fetch, retry)


def bearing(token: str) -> Metadata:
    """What a call carries."""
    return (("authorization", f"Bearer {token}"),) if token else ()
