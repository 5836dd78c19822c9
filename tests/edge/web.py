"""A client of the edge that knows nothing but HTTP."""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import closing
from http.client import HTTPConnection, HTTPResponse, HTTPSConnection
from typing import Any, NamedTuple
from urllib.parse import urlsplit


class Answer(NamedTuple):
    """What came back."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)

    @property
    def reason(self) -> str:
        """The code of a refusal."""
        return str(self.detail("ErrorInfo")["reason"])

    def detail(self, kind: str) -> dict[str, Any]:
        """A detail of a google.rpc.Status."""
        (found,) = (one for one in self.json["details"] if one["@type"].endswith(f"rpc.{kind}"))
        return dict(found)


class Web:
    """Calls one address."""

    def __init__(self, url: str, trusted: ssl.SSLContext | None = None) -> None:
        self.url = url
        self._trusted = trusted

    async def get(self, path: str, token: str = "", **headers: str) -> Answer:
        """GET, with a token if there is one."""
        return await self.send("GET", path, None, token, **headers)

    async def post(self, path: str, body: Any, token: str = "", **headers: str) -> Answer:
        """POST a JSON value, or bytes as they are."""
        return await self.send("POST", path, body, token, **headers)

    async def send(
        self, method: str, path: str, body: Any, token: str = "", **headers: str
    ) -> Answer:
        """Any request; names of `headers` are written with `_`."""

        def exchange() -> Answer:
            with closing(self._connection()) as connection:
                answer = self._open(connection, method, path, body, token, headers)
                return Answer(answer.status, told(answer), answer.read())

        return await asyncio.to_thread(exchange)

    async def lines(self, path: str, token: str = "") -> AsyncIterator[Any]:
        """The JSON values of a stream, as they come."""
        with closing(self._connection()) as connection:
            answer = await asyncio.to_thread(self._open, connection, "GET", path, None, token, {})
            assert answer.status == 200, answer.read()
            while line := await asyncio.to_thread(answer.readline):
                yield json.loads(line)

    def _connection(self) -> HTTPConnection:
        where = urlsplit(self.url)
        assert where.hostname is not None
        if where.scheme == "https":
            return HTTPSConnection(where.hostname, where.port, timeout=30, context=self._trusted)
        return HTTPConnection(where.hostname, where.port, timeout=30)

    @staticmethod
    def _open(  # one after the other, as HTTP has them
        connection: HTTPConnection,
        method: str,
        path: str,
        body: Any,
        token: str,
        headers: Mapping[str, str],
    ) -> HTTPResponse:
        raw = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        bearer = {"authorization": f"Bearer {token}"} if token else {}
        json_body = {"content-type": "application/json"} if raw is not None else {}
        connection.request(method, path, raw, json_body | bearer | given)
        return connection.getresponse()


def told(answer: HTTPResponse) -> dict[str, str]:
    """The headers of an answer, in lower case."""
    return {name.lower(): value for name, value in answer.getheaders()}
