"""What a page from elsewhere may do: CORS."""

from __future__ import annotations

from pathlib import Path

import pytest

from services.edge.config import Edge
from tests.conftest import Token
from tests.edge.web import Web

PREFLIGHT = {
    "access_control_request_method": "POST",
    "access_control_request_headers": "authorization,content-type",
}


@pytest.mark.parametrize("path", ["/v1/echo:say", "/echo.v1.EchoService/Say", "/v1/ambush/matches"])
async def test_a_local_page_may_call(web: Web, path: str) -> None:
    asked = await web.send("OPTIONS", path, None, origin="http://localhost:5173", **PREFLIGHT)
    assert asked.status == 200
    assert asked.headers["access-control-allow-origin"] == "http://localhost:5173"
    assert "POST" in asked.headers["access-control-allow-methods"]
    allowed = asked.headers["access-control-allow-headers"]
    assert {"authorization", "content-type", "x-grpc-web", "grpc-timeout"} <= {*allowed.split(",")}


async def test_its_answers_may_be_read(web: Web, token: Token) -> None:
    origin = "http://127.0.0.1:8000"
    for answer in (
        await web.post("/v1/echo:say", {"text": "x"}, token("ann"), origin=origin),
        await web.post("/v1/echo:say", {"text": ""}, token("ann"), origin=origin),
        await web.post("/v1/echo:say", {"text": "x"}, "bad", origin=origin),
    ):
        assert answer.headers["access-control-allow-origin"] == origin
        assert "grpc-status-details-bin" in answer.headers["access-control-expose-headers"]


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "http://localhost.evil.example", "http://localhost:80@evil"]
)
async def test_a_page_from_elsewhere_may_not(web: Web, origin: str) -> None:
    asked = await web.send("OPTIONS", "/v1/echo:say", None, origin=origin, **PREFLIGHT)
    assert "access-control-allow-origin" not in asked.headers


async def test_anybody_may_read_the_document(web: Web) -> None:
    answer = await web.get("/openapi.json", origin="https://editor.example")
    assert answer.headers["access-control-allow-origin"] == "*"


@pytest.mark.parametrize(
    ("origin", "match"),
    [
        ("*", {"safe_regex": {"regex": ".*"}}),
        ("https://play.example", {"exact": "https://play.example"}),
        ("http://a.b:*", {"safe_regex": {"regex": r"http://a\.b(:[0-9]+)?"}}),
    ],
)
def test_origins_are_told_as_envoy_has_them(origin: str, match: dict[str, object]) -> None:
    edge = Edge(folder=Path(), services=(), describing="x:1", jwks={}, origins=(origin,))
    assert edge.origin_matches == [match]
