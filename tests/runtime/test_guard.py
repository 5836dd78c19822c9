"""The door: what is refused, how it is told, and that nothing else comes through."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import grpc
import pytest
import redis.exceptions
from echo.v1 import echo_pb2 as pb
from google.protobuf import descriptor_pb2, descriptor_pool
from hypothesis import HealthCheck, given
from hypothesis import settings as limits
from hypothesis import strategies as st
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from services.gamekit.game import IllegalAction, IllegalOptions
from services.runtime import guard, telemetry
from services.runtime.auth import Caller, Keys, Role, Verifier
from services.runtime.errors import Conflict, NotFound, Stale
from services.runtime.settings import Settings
from tests.conftest import Token
from tests.runtime.echo import SERVICE, Client, EchoService, Refusal, bearer, refusal, served

HELLO = pb.SayRequest(text="hello")
TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


@pytest.fixture
def echo() -> EchoService:
    return EchoService()


@pytest.fixture
async def client(
    settings: Settings, verifier: Verifier, echo: EchoService
) -> AsyncIterator[Client]:
    async with served(settings, verifier, echo) as (_, client):
        yield client


async def refused(call: Any) -> Refusal:
    """What a call that must fail is told."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    return refusal(caught.value)


async def test_a_method_knows_who_calls(client: Client, token: Token) -> None:
    reply = await client.say(HELLO, token("ann"))
    assert (reply.text, reply.caller) == ("hello", "ann@acme/PLAYER")
    reply = await client.say(HELLO, token("worker", tenant="", role=Role.SERVICE))
    assert reply.caller == "worker@/SERVICE"


async def test_an_open_method_needs_no_token(client: Client) -> None:
    told = await refused(client.method("Hello")(b""))
    assert told.reason == "unimplemented"  # it came through; nobody answers it here


async def test_no_token_no_answer(client: Client) -> None:
    told = await refused(client.say(HELLO))
    assert (told.code, told.reason) == (grpc.StatusCode.UNAUTHENTICATED, "unauthenticated")


@pytest.mark.parametrize("header", ["Basic dXNlcg==", "Bearer", "Bearer ", "token"])
async def test_only_bearer_tokens_count(client: Client, header: str) -> None:
    call = client.method("Say")(HELLO.SerializeToString(), metadata=(("authorization", header),))
    assert (await refused(call)).code == grpc.StatusCode.UNAUTHENTICATED


async def test_a_forged_token_is_refused_and_not_repeated(client: Client) -> None:
    forged = Keys.generate().mint(Caller("ann", "acme", Role.ADMIN))
    told = await refused(client.say(HELLO, forged))
    assert (told.code, told.reason) == (grpc.StatusCode.UNAUTHENTICATED, "token_invalid")
    assert forged not in str(told)


async def test_an_expired_token_is_told_apart(client: Client, token: Token) -> None:
    told = await refused(client.say(HELLO, token("ann", ttl=-60.0)))
    assert told.reason == "token_expired"


async def test_a_role_that_the_contract_does_not_name_is_refused(
    client: Client, token: Token
) -> None:
    told = await refused(client.say(HELLO, token("acme", role=Role.TENANT)))
    assert (told.code, told.reason) == (grpc.StatusCode.PERMISSION_DENIED, "forbidden")


async def test_a_request_that_is_too_large_is_refused(client: Client, token: Token) -> None:
    told = await refused(client.say(b"\0" * (64 * 1024 + 1), token("ann")))
    assert (told.code, told.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "request_too_large")
    assert told.detail == {"limit": "65536"}


@pytest.mark.parametrize("raw", [b"\xff", b"\x0a\x05abc", b"\x0a\x02\xff\xfe"])
async def test_a_request_that_is_no_message_is_refused(
    client: Client, token: Token, raw: bytes
) -> None:
    told = await refused(client.say(raw, token("ann")))
    assert (told.code, told.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "malformed_request")


async def test_a_request_that_breaks_a_rule_is_told_where(client: Client, token: Token) -> None:
    request = pb.SayRequest(details=[pb.Detail(size=1), pb.Detail(size=99)])
    told = await refused(client.say(request, token("ann")))
    assert (told.code, told.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "invalid_request")
    assert told.fields.keys() == {"text", "details[1].size"}
    assert "9" in told.fields["details[1].size"]


async def test_the_caller_is_asked_for_before_the_request_is_read(client: Client) -> None:
    assert (await refused(client.say(b"\xff" * 100_000))).reason == "unauthenticated"


async def test_a_thousand_mistakes_still_fit_into_the_trailers(
    client: Client, token: Token
) -> None:
    request = pb.SayRequest(details=[pb.Detail(size=99)] * 1000)
    assert len((await refused(client.say(request, token("ann")))).fields) == 10


@pytest.mark.parametrize(
    ("error", "code", "reason", "detail"),
    [
        (NotFound("match_not_found"), grpc.StatusCode.NOT_FOUND, "match_not_found", {}),
        (Stale("stale", version=7), grpc.StatusCode.ABORTED, "stale", {"version": "7"}),
        (Conflict("request_id_reused"), grpc.StatusCode.ALREADY_EXISTS, "request_id_reused", {}),
        (
            IllegalAction("cannot_afford", coins=3),
            grpc.StatusCode.FAILED_PRECONDITION,
            "cannot_afford",
            {"coins": "3"},
        ),
        (
            IllegalOptions("bad_rounds", field="rounds", most=3),
            grpc.StatusCode.INVALID_ARGUMENT,
            "bad_rounds",
            {"field": "rounds", "most": "3"},
        ),
        (
            IllegalAction("odd", message="y", fields="z"),
            grpc.StatusCode.FAILED_PRECONDITION,
            "odd",
            {"message": "y", "fields": "z"},
        ),
        (
            redis.exceptions.ConnectionError("redis://secret@host"),
            grpc.StatusCode.UNAVAILABLE,
            "storage_unavailable",
            {},
        ),
        (KeyError("the seed is 1234"), grpc.StatusCode.INTERNAL, "internal", {}),
        (TimeoutError("secret"), grpc.StatusCode.INTERNAL, "internal", {}),
    ],
)
async def test_every_error_has_its_status(
    client: Client,
    token: Token,
    echo: EchoService,
    error: Exception,
    code: grpc.StatusCode,
    reason: str,
    detail: dict[str, str],
) -> None:
    def fail(_request: pb.SayRequest) -> str:
        raise error

    echo.hears = fail
    told = await refused(client.say(HELLO, token("ann")))
    assert (told.code, told.reason, told.detail) == (code, reason, detail)
    assert "secret" not in told.message
    assert "1234" not in told.message


async def test_bad_options_are_told_by_their_field(
    client: Client, token: Token, echo: EchoService
) -> None:
    def fail(_request: pb.SayRequest) -> str:
        raise IllegalOptions("bad_rounds", field="rounds")

    echo.hears = fail
    assert (await refused(client.say(HELLO, token("ann")))).fields.keys() == {"options.rounds"}


@limits(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(raw=st.binary(max_size=200), header=st.none() | st.text("Bearer .-_aZ09", max_size=40))
def test_nothing_that_a_client_sends_is_our_fault(
    server: Callable[[bytes, str | None], grpc.StatusCode], raw: bytes, header: str | None
) -> None:
    assert server(raw, header) in {
        grpc.StatusCode.OK,
        grpc.StatusCode.UNAUTHENTICATED,
        grpc.StatusCode.INVALID_ARGUMENT,
    }


@pytest.fixture
async def server(client: Client, token: Token) -> Callable[[bytes, str | None], grpc.StatusCode]:
    """Sends bytes from outside of the server's loop; None stands for a good token."""
    good, loop = f"Bearer {token('ann')}", asyncio.get_running_loop()

    async def ask(raw: bytes, header: str | None) -> grpc.StatusCode:
        metadata = (("authorization", good if header is None else header),)
        call = client.method("Say")(raw, metadata=metadata)
        code: grpc.StatusCode = await call.code()
        return code

    return lambda raw, header: loop.run_until_complete(ask(raw, header))


async def test_a_stream_arrives_in_order(client: Client, token: Token) -> None:
    assert [reply.number async for reply in client.count(5, token("ann"))] == [0, 1, 2, 3, 4]


async def test_a_stream_has_the_same_door(client: Client, token: Token) -> None:
    async def drain(bearer: str) -> None:
        async for _ in client.count(1, bearer):
            pytest.fail("it came through")

    assert (await refused(drain(""))).reason == "unauthenticated"
    assert (await refused(drain(token("bot", role=Role.SERVICE)))).reason == "forbidden"


async def test_a_stream_that_is_left_is_cleaned_up_at_once(
    client: Client, token: Token, echo: EchoService
) -> None:
    call, before = client.count(0, token("ann")), count("CANCELLED", "Count")
    assert (await call.read()).number == 0
    labels = {"service": SERVICE.full_name, "method": "Count"}
    assert telemetry.REGISTRY.get_sample_value("vallum_streams", labels) == 1
    call.cancel()
    async with asyncio.timeout(5):
        await echo.ended.wait()
        while telemetry.REGISTRY.get_sample_value("vallum_streams", labels):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    assert count("CANCELLED", "Count") == before + 1


async def test_streams_that_are_left_while_they_write_are_no_fault_of_ours(
    client: Client, token: Token
) -> None:
    before = count("CANCELLED", "Count"), count("INTERNAL", "Count")
    ann = token("ann")
    for _ in range(30):
        call = client.count(1_000_000, ann)
        assert (await call.read()).number == 0
        call.cancel()
    async with asyncio.timeout(10):
        while count("CANCELLED", "Count") < before[0] + 30:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    assert count("INTERNAL", "Count") == before[1]


async def test_a_call_that_is_left_is_cancelled(
    client: Client, token: Token, echo: EchoService
) -> None:
    cancelled, begun = asyncio.Event(), asyncio.Event()

    async def wait() -> str:
        begun.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.set()
            raise
        return ""

    echo.hears = lambda _request: wait()
    call = client.method("Say")(HELLO.SerializeToString(), metadata=bearer(token("ann")))
    async with asyncio.timeout(5):
        await begun.wait()
        call.cancel()
        await cancelled.wait()


def count(code: str, method: str = "Say") -> float:
    """How many calls ended so."""
    labels = {"service": SERVICE.full_name, "method": method, "code": code}
    return telemetry.REGISTRY.get_sample_value("vallum_calls_total", labels) or 0.0


async def test_calls_are_counted_by_method_and_code(client: Client, token: Token) -> None:
    before = count("OK"), count("UNAUTHENTICATED")
    await client.say(HELLO, token("ann"))
    await refused(client.say(HELLO))
    assert (count("OK"), count("UNAUTHENTICATED")) == (before[0] + 1, before[1] + 1)


class Aborting:
    """A servicer that ends its calls itself."""

    async def Say(self, _request: pb.SayRequest, context: guard.Context) -> pb.SayResponse:
        await context.abort(grpc.StatusCode.DATA_LOSS, "all gone")


async def test_a_method_may_end_a_call_itself(
    settings: Settings, verifier: Verifier, token: Token
) -> None:
    before = count("DATA_LOSS")
    async with served(settings, verifier, Aborting()) as (_, client):
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await client.say(HELLO, token("ann"))
    assert (caught.value.code(), caught.value.details()) == (grpc.StatusCode.DATA_LOSS, "all gone")
    assert count("DATA_LOSS") == before + 1


async def test_a_trace_goes_on_through_a_call(
    client: Client, token: Token, echo: EchoService
) -> None:
    echo.hears = lambda _request: telemetry.current_traceparent()
    raw, metadata = HELLO.SerializeToString(), (*bearer(token("ann")), ("traceparent", TRACE))
    reply = pb.SayResponse.FromString(await client.method("Say")(raw, metadata=metadata))
    assert reply.text == TRACE


async def test_where_spans_are_received_every_call_has_one(
    settings: Settings,
    verifier: Verifier,
    token: Token,
    echo: EchoService,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    spans, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(spans))
    monkeypatch.setattr(trace, "_TRACER_PROVIDER", provider)
    async with served(settings, verifier, echo) as (_, client):
        await client.say(HELLO, token("ann"))
        assert [reply.number async for reply in client.count(2, token("ann"))] == [0, 1]
        echo.hears = lambda request: request.text[99]
        await refused(client.say(HELLO, token("ann")))
    names = [
        (span.name.rpartition(".")[2], span.status.is_ok) for span in spans.get_finished_spans()
    ]
    assert names == [("Say", True), ("Count", True), ("Say", False)]


def test_a_method_without_the_access_option_cannot_be_bound(
    settings: Settings, verifier: Verifier
) -> None:
    file = descriptor_pb2.FileDescriptorProto(
        name="unguarded.proto", package="unguarded", dependency=[pb.DESCRIPTOR.name]
    )
    method = file.service.add(name="Careless").method.add(name="Hello")
    method.input_type, method.output_type = ".echo.v1.HelloRequest", ".echo.v1.HelloResponse"
    pool = descriptor_pool.Default()
    pool.Add(file)
    service = pool.FindServiceByName("unguarded.Careless")
    with pytest.raises(guard.UnguardedMethod, match="Hello has no"):
        guard.handlers(service, EchoService(), verifier, settings)
