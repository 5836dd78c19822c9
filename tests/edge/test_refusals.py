"""What is refused, and that it is told the same whoever refuses it, in every dialect."""

from __future__ import annotations

import asyncio
import base64
import time
from collections.abc import AsyncIterator
from typing import Any

import grpc
import jwt
import pytest
from echo.v1 import echo_pb2 as pb
from google.rpc.error_details_pb2 import ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status
from msgspec.structs import replace

from services.edge.config import ISSUING
from services.edge.refusals import REFUSALS
from services.edge.running import edge
from services.runtime.auth import LEEWAY, Caller, Keys, Role
from services.runtime.errors import Refused
from services.runtime.settings import Settings
from tests.conftest import Token
from tests.edge.given import Site
from tests.edge.given import site as running_site
from tests.edge.web import Answer, Web
from tests.runtime.echo import Client, refusal
from vallum.accounts.v1 import accounts_pb2

CODE = grpc.StatusCode
HELLO = {"text": "hello"}
SAY = "/v1/echo:say"


def told(answer: Answer) -> tuple[int, int, str]:
    """HTTP status, gRPC status, reason."""
    assert answer.headers["content-type"] == "application/json", answer
    assert answer.detail("ErrorInfo")["domain"] == "vallum"
    return answer.status, answer.json["code"], answer.reason


def forged(keys: Keys, **claims: object) -> str:
    """A token with other claims, signed with the right key."""
    token = keys.mint(Caller("ann", "acme", Role.PLAYER))
    usual = jwt.decode(token, options={"verify_signature": False})
    private: Any = keys._private
    return jwt.encode(usual | claims, private, "EdDSA", headers={"kid": keys.kid})


def bad_token(keys: Keys, what: str) -> str:
    """A token that must not be taken, and why."""
    good = keys.mint(Caller("ann", "acme", Role.PLAYER))
    return {
        "no token at all": "abc",
        "of another key": Keys.generate().mint(Caller("ann", "acme", Role.PLAYER)),
        "for somebody else": forged(keys, aud="zeta"),
        "from somebody else": forged(keys, iss="zeta"),
        "changed": good[:-4] + ("AAAA" if good[-4:] != "AAAA" else "BBBB"),
        "unsigned": jwt.encode({"sub": "ann", "iss": "vallum", "aud": "vallum"}, "", "none"),
        "expired": forged(keys, exp=int(time.time()) - 60),
    }[what]


BAD = ["no token at all", "of another key", "for somebody else", "from somebody else"]


@pytest.mark.parametrize("what", [*BAD, "changed", "unsigned", "expired"])
async def test_bad_tokens_stop_at_the_edge(
    site: Site, keys: Keys, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    token, reason = bad_token(keys, what), "token_expired" if what == "expired" else "token_invalid"
    monkeypatch.setattr(site.echo, "hears", lambda _: pytest.fail("it came through"))
    assert told(await site.web.post(SAY, HELLO, token)) == (401, 16, reason)
    client = Client(site.target)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await client.say(pb.SayRequest(text="x"), token)
    found = refusal(caught.value)
    assert (found.code, found.reason) == (grpc.StatusCode.UNAUTHENTICATED, reason)
    await client.channel.close()


async def test_clocks_may_differ_as_much_at_the_edge_as_behind_it(site: Site, keys: Keys) -> None:
    now = int(time.time())
    late = forged(keys, exp=now - int(LEEWAY) + 3)
    early = forged(keys, iat=now + int(LEEWAY) - 1, nbf=now + int(LEEWAY) - 1)
    for token in (late, early):
        assert (await site.web.post(SAY, HELLO, token)).status == 200
    too_early = forged(keys, nbf=now + 60)
    assert told(await site.web.post(SAY, HELLO, too_early)) == (401, 16, "token_invalid")


async def test_a_call_without_a_token_is_refused_by_the_service(web: Web) -> None:
    assert told(await web.post(SAY, HELLO)) == (401, 16, "unauthenticated")


async def test_a_refusal_of_a_service_comes_with_its_details(site: Site, token: Token) -> None:
    def poor(_request: pb.SayRequest) -> str:
        raise Refused("cannot_afford", "too dear", coins=3)

    before, site.echo.hears = site.echo.hears, poor
    try:
        answer = await site.web.post(SAY, HELLO, token("ann"))
    finally:
        site.echo.hears = before
    assert told(answer) == (400, 9, "cannot_afford")
    assert answer.json["message"] == "too dear"
    assert answer.detail("ErrorInfo")["metadata"] == {"coins": "3"}


async def test_bad_fields_are_named(web: Web, token: Token) -> None:
    answer = await web.post(SAY, {"text": "x", "details": [{"size": 99}]}, token("ann"))
    assert told(answer) == (400, 3, "invalid_request")
    (violation,) = answer.detail("BadRequest")["fieldViolations"]
    assert violation["field"] == "details[0].size"


@pytest.mark.parametrize("body", [b"{", b"[]", b'{"text": 1}', b'{"text": {"a": 1}}', b"\xff\xfe"])
async def test_json_that_does_not_fit_is_refused(web: Web, token: Token, body: bytes) -> None:
    assert told(await web.post(SAY, body, token("ann"))) == (400, 3, "malformed_request")


async def test_a_misspelt_parameter_is_named(web: Web, token: Token) -> None:
    answer = await web.get("/v1/ambush/matches?pagesize=3", token("ann"))
    assert told(answer) == (400, 3, "malformed_request")
    assert "pagesize" in answer.json["message"]


@pytest.mark.parametrize("path", ["/", "/v1", "/v2/echo:say", "/v1/echo:shout", "/v1/%2e%2e/x"])
async def test_there_is_nothing_else(web: Web, token: Token, path: str) -> None:
    assert told(await web.get(path, token("ann"))) == (404, 12, "unknown_path")


async def test_an_unknown_service_is_unimplemented(site: Site) -> None:
    async with grpc.aio.insecure_channel(site.target) as channel:
        call: Any = channel.unary_unary("/no.such.Service/Call")
        told = await refused(call(b"", timeout=5))
    assert told == ("unknown_path", grpc.StatusCode.UNIMPLEMENTED)


async def test_a_request_that_is_too_large_is_refused(site: Site, token: Token) -> None:
    long = {"text": "x", "details": [{"size": 1}] * 70_000}
    assert told(await site.web.post(SAY, long, token("ann"))) == (413, 8, "request_too_large")
    client = Client(site.target)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await client.say(b"\x0a" * 100_000, token("ann"))
    assert refusal(caught.value).detail == {"limit": "65536"}
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await client.say(b"\x0a" * 1_000_000, token("ann"))
    assert refusal(caught.value).reason == "request_too_large"
    await client.channel.close()


async def test_headers_that_are_too_large_are_refused(web: Web) -> None:
    answer = await web.get("/v1/echo:hello", **{f"x_h{number}": "y" * 7000 for number in range(4)})
    assert answer.status == 431


async def test_a_call_that_takes_too_long_is_ended(site: Site, token: Token) -> None:
    cancelled = asyncio.Event()

    async def slow(_request: pb.SayRequest) -> str:
        try:
            await asyncio.sleep(30)
        except asyncio.CancelledError:
            cancelled.set()
            raise
        return ""

    before, site.echo.hears = site.echo.hears, slow
    try:
        answer = await site.web.post(SAY, HELLO, token("ann"))
        assert told(answer) == (504, 4, "deadline_exceeded")
        await asyncio.wait_for(cancelled.wait(), 5)
        client = Client(site.target)
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await client.say(pb.SayRequest(text="x"), token("ann"))
        assert refusal(caught.value).reason == "deadline_exceeded"
        await client.channel.close()
    finally:
        site.echo.hears = before


async def refused(call: Any) -> tuple[str, grpc.StatusCode]:
    """How a call that must fail has failed."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    found = refusal(caught.value)
    return found.reason, found.code


@pytest.fixture
async def strict(settings: Settings, keys: Keys) -> AsyncIterator[Site]:
    """A service that takes two calls at once, and then hardly any."""
    chosen = replace(settings, rate_player=0.01, rate_burst=200.0)
    async with running_site(chosen, keys) as found:
        yield found


async def test_who_calls_too_often_is_told_when_to_come_back(strict: Site, token: Token) -> None:
    web, ann = strict.web, token("ann")
    for _ in range(2):
        assert (await web.post(SAY, HELLO, ann)).status == 200
    answer = await web.post(SAY, HELLO, ann)
    assert told(answer) == (429, 8, "rate_limited")
    assert 0 < float(answer.detail("RetryInfo")["retryDelay"].removesuffix("s")) <= 100


async def test_a_flood_is_stopped_before_it_reaches_a_service(
    settings: Settings, keys: Keys
) -> None:
    async with running_site(settings, keys, edge_flood=1) as found:
        async with grpc.aio.insecure_channel(found.target) as channel:
            hello: Any = channel.unary_unary("/echo.v1.EchoService/Hello")
            ends = await asyncio.gather(*(refused(hello(b"", timeout=20)) for _ in range(60)))
        stopped = [end for end in ends if end == ("rate_limited", CODE.RESOURCE_EXHAUSTED)]
        assert len(stopped) > 30  # all come at once; two are let through, and one a second
        answers = await asyncio.gather(*(found.web.get("/v1/echo:hello") for _ in range(20)))
        answer = next(answer for answer in answers if answer.status == 429)
        assert told(answer) == (429, 8, "rate_limited")
        assert answer.detail("RetryInfo")["retryDelay"] == "1s"


async def test_a_service_that_is_gone_is_unavailable(strict: Site, token: Token) -> None:
    await strict.app._server.stop(0)
    answer = await strict.web.post(SAY, HELLO, token("ann"))
    assert told(answer) == (503, 14, "service_unavailable")
    assert answer.detail("RetryInfo")["retryDelay"] == "1s"


async def test_without_the_keys_of_tokens_nobody_is_called_a_forger(
    site: Site, settings: Settings, token: Token
) -> None:
    assert accounts_pb2.DESCRIPTOR.services_by_name["AccountsService"].full_name == ISSUING
    targets = {"echo.v1.EchoService": site.app.target, ISSUING: "127.0.0.1:1"}
    chosen = replace(settings, edge_port=0)
    async with edge(chosen, targets, site.app.target, {"keys": []}) as front:
        answer = await Web(front.url).post(SAY, HELLO, token("ann"))
        assert told(answer) == (503, 14, "service_unavailable")
        assert (await Web(front.url).get("/v1/echo:hello")).reason == "unimplemented"


@pytest.mark.parametrize("one", REFUSALS, ids=lambda one: f"{one.http}-{one.reason}")
def test_every_refusal_of_the_edge_has_a_reason(one: Any) -> None:
    status = Status.FromString(base64.b64decode(one.trailer + "=" * (-len(one.trailer) % 4)))
    info = ErrorInfo()
    assert status.details[0].Unpack(info)
    assert (status.code, info.reason, info.domain) == (one.code, one.reason, "vallum")
    assert bool(one.retry) == any(detail.Is(RetryInfo.DESCRIPTOR) for detail in status.details)
