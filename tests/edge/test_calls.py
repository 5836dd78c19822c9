"""One contract at one address, in three dialects: JSON, gRPC and gRPC-Web."""

from __future__ import annotations

import asyncio
import base64
import struct
from typing import Any

import grpc
import pytest
from echo.v1 import echo_pb2 as pb

from services.runtime.auth import Role
from tests.conftest import Token
from tests.edge.given import Site
from tests.edge.web import Web
from tests.runtime.echo import Client, bearer, refusal
from vallum.client import Client as VallumClient
from vallum.client import player

SAY = "/echo.v1.EchoService/Say"


async def test_a_call_is_json_over_http(web: Web, token: Token) -> None:
    answer = await web.post("/v1/echo:say", {"text": "hello"}, token("ann"))
    assert answer.status == 200
    assert answer.headers["content-type"] == "application/json"
    assert answer.json == {"text": "hello", "caller": "ann@acme/PLAYER"}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("x'quoted", "a"),
        ("a+b", "a"),
        ("~", "a"),
        ("x-name", "J\xfcrgen"),
        ("x-name", "a\tb"),
        ("x-picture-bin", "this is no base64!"),
        ("x-long", "y" * 12_000),
        ("x-empty", ""),
        ("cookie", "a=\xe9"),
        ("grpc-timeout", "soon"),
        ("traceparent", "\xff"),
        ("te", "gzip"),
    ],
)
async def test_headers_that_grpc_cannot_carry_do_no_harm(
    site: Site, token: Token, name: str, value: str
) -> None:
    answer = await site.web.post("/v1/echo:say", {"text": "x"}, token("ann"), **{name: value})
    assert answer.json == {"text": "x", "caller": "ann@acme/PLAYER"}


async def test_who_says_who_he_is_in_letters_that_no_token_has_is_refused(web: Web) -> None:
    answer = await web.post("/v1/echo:say", {"text": "x"}, authorization="Basic J\xfcrgen")
    assert (answer.status, answer.reason) == (401, "unauthenticated")


async def test_fields_that_are_nought_are_told(web: Web, token: Token) -> None:
    first = await anext(web.lines("/v1/echo:count?below=3", token("ann")))
    assert first == {"number": 0}


async def test_a_stream_is_a_json_value_a_line(web: Web, token: Token) -> None:
    found = [line async for line in web.lines("/v1/echo:count?below=4", token("ann"))]
    assert found == [{"number": number} for number in range(4)]


async def test_a_stream_comes_as_it_is_made(site: Site, token: Token) -> None:
    site.echo.stopping.clear()
    site.echo.ended.clear()
    lines = site.web.lines("/v1/echo:count", token("ann"))
    assert await asyncio.wait_for(anext(lines), 5) == {"number": 0}  # it has not ended
    site.echo.stopping.set()
    assert [line async for line in lines] == []


async def test_who_goes_away_ends_the_call_behind_the_edge(site: Site, token: Token) -> None:
    site.echo.stopping.clear()
    site.echo.ended.clear()
    lines = site.web.lines("/v1/echo:count", token("ann"))
    await anext(lines)
    await lines.aclose()  # type: ignore[attr-defined] # it is a generator
    await asyncio.wait_for(site.echo.ended.wait(), 5)


async def test_grpc_passes_as_it_is(site: Site, token: Token) -> None:
    client = Client(site.target)
    reply = await client.say(pb.SayRequest(text="hello"), token("ann"))
    assert reply.caller == "ann@acme/PLAYER"
    assert [one.number async for one in client.count(3, token("ann"))] == [0, 1, 2]
    await client.channel.close()


async def test_a_match_is_played_and_watched_in_any_dialect(site: Site, token: Token) -> None:
    ann = token("ann")
    async with VallumClient(site.target, ann) as client:
        game = client.game("ambush.v1")
        match = await game.create_match([player("ann"), player("bob")])
        name, web = match.name, site.web
        told = (await web.get(f"/v1/ambush/{name}", ann)).json["match"]
        assert (told["name"], told["version"]) == (name, match.version)
        listed = (await web.get("/v1/ambush/matches?pageSize=200&activeOnly=true", ann)).json
        assert name in [one["name"] for one in listed["matches"]]
        actions = (await web.get(f"/v1/ambush/{name}/actions", ann)).json
        play = {"actions": actions["actions"][:1], "requestId": "first"}
        played = (await web.post(f"/v1/ambush/{name}:play", play, ann)).json
        lines = web.lines(f"/v1/ambush/{name}:watch?fromVersion={match.version}", ann)
        update = (await anext(lines))["update"]
        assert update["action"] == actions["actions"][0]
        seen = await anext(aiter(game.watch(name, from_version=match.version)))
        assert seen.version == update["version"] == played["firstVersion"]


def framed(message: bytes) -> bytes:
    """As gRPC-Web has it in a body."""
    return struct.pack(">BI", 0, len(message)) + message


def unframed(body: bytes) -> tuple[list[bytes], dict[str, str]]:
    """The messages of a body, and its trailers."""
    messages, trailers = [], {}
    while body:
        kind, size = struct.unpack(">BI", body[:5])
        part, body = body[5 : 5 + size], body[5 + size :]
        if kind == 0x80:
            lines = part.decode().strip().split("\r\n")
            trailers = dict(line.split(":", 1) for line in lines)
        else:
            messages.append(part)
    return messages, trailers


@pytest.mark.parametrize("text", [False, True])
async def test_a_browser_speaks_grpc_web(web: Web, token: Token, text: bool) -> None:
    body = framed(pb.SayRequest(text="hello").SerializeToString())
    kind = "application/grpc-web-text" if text else "application/grpc-web+proto"
    sent = base64.b64encode(body) if text else body
    answer = await web.post(SAY, sent, token("ann"), content_type=kind, accept=kind)
    assert answer.headers["content-type"].startswith(kind)
    fours = (answer.body[at : at + 4] for at in range(0, len(answer.body), 4))
    raw = b"".join(map(base64.b64decode, fours)) if text else answer.body
    (message,), trailers = unframed(raw)
    assert pb.SayResponse.FromString(message).text == "hello"
    assert trailers["grpc-status"].strip() == "0"


async def test_what_a_client_says_of_himself_counts_for_nothing(web: Web, token: Token) -> None:
    ann = token("ann")
    answer = await web.post("/v1/echo:say", {"text": "x"}, ann, x_user_id="bob", x_tenant="zeta")
    assert answer.json["caller"] == "ann@acme/PLAYER"


async def test_internal_calls_do_not_pass(site: Site, token: Token) -> None:
    service, path = token("workers", "", Role.SERVICE), "/ambush.v1.RulesService/GetPosition"
    answer = await site.web.post(path, {"name": "matches/x", "seat": -1}, service)
    assert (answer.status, answer.reason) == (404, "unknown_path")
    for target, reason in ((site.target, "unknown_path"), (site.app.target, "match_not_found")):
        async with grpc.aio.insecure_channel(target) as channel:
            call: Any = channel.unary_unary(path)
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await call(b"\x0a\x09matches/x", metadata=bearer(service), timeout=10)
            assert refusal(caught.value).reason == reason


async def test_health_of_the_edge_and_of_services(site: Site) -> None:
    answer = await site.web.get("/healthz")
    assert (answer.status, answer.body) == (200, b"ok\n")
    async with grpc.aio.insecure_channel(site.target) as channel:
        check: Any = channel.unary_unary("/grpc.health.v1.Health/Check")
        assert await check(b"\x0a\x13echo.v1.EchoService", timeout=5) == b"\x08\x01"
        with pytest.raises(grpc.aio.AioRpcError) as unknown:
            await check(b"\x0a\x07nothing", timeout=5)
        assert unknown.value.code() == grpc.StatusCode.NOT_FOUND


async def test_an_open_call_needs_no_token(web: Web) -> None:
    answer = await web.get("/v1/echo:hello")
    assert answer.reason == "unimplemented"  # it came through; nobody answers it there


async def test_a_long_answer_comes_whole(
    site: Site, token: Token, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = "x" * 3_900_000  # a service sends 4 MiB at most
    monkeypatch.setattr(site.echo, "hears", lambda _: long)
    answer = await site.web.post("/v1/echo:say", {"text": "hello"}, token("ann"))
    assert (answer.status, answer.json["text"]) == (200, long)
    client = Client(site.target)
    assert (await client.say(pb.SayRequest(text="hello"), token("ann"))).text == long
    await client.channel.close()
