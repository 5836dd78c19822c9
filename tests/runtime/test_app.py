"""A service process: it tells whether it serves, and when it stops nobody is cut off."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from echo.v1 import echo_pb2 as pb
from grpc_health.v1 import health_pb2 as hp
from grpc_reflection.v1alpha import reflection_pb2 as rp
from msgspec.structs import replace

from services.runtime.app import App, run
from services.runtime.auth import Caller, Keys, Role, Verifier
from services.runtime.settings import Settings, SettingsError
from tests.conftest import Token
from tests.runtime.echo import SERVICE, Client, EchoService, refusal, served

HELLO = pb.SayRequest(text="hello")


async def health(client: Client, service: str = SERVICE.full_name) -> int:
    """What the health service says."""
    check = client.channel.unary_unary(
        "/grpc.health.v1.Health/Check",
        request_serializer=hp.HealthCheckRequest.SerializeToString,
        response_deserializer=hp.HealthCheckResponse.FromString,
    )
    reply: hp.HealthCheckResponse = await check(hp.HealthCheckRequest(service=service), timeout=5)
    return reply.status


async def test_it_says_that_it_serves(settings: Settings, verifier: Verifier) -> None:
    async with served(settings, verifier, EchoService()) as (_, client):
        assert await health(client) == hp.HealthCheckResponse.SERVING
        assert await health(client, "") == hp.HealthCheckResponse.SERVING


async def test_it_tells_what_it_serves(settings: Settings, verifier: Verifier) -> None:
    async with served(settings, verifier, EchoService()) as (_, client):
        ask = client.channel.stream_stream(
            "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
            request_serializer=rp.ServerReflectionRequest.SerializeToString,
            response_deserializer=rp.ServerReflectionResponse.FromString,
        )
        (answer,) = [
            answer async for answer in ask(iter([rp.ServerReflectionRequest(list_services="")]))
        ]
    names = {service.name for service in answer.list_services_response.service}
    assert SERVICE.full_name in names


async def test_a_call_in_flight_ends_well_and_a_stream_is_told(
    settings: Settings, verifier: Verifier, token: Token
) -> None:
    echo, begun, go_on = EchoService(), asyncio.Event(), asyncio.Event()

    async def slow() -> str:
        begun.set()
        await go_on.wait()
        return "done"

    echo.hears = lambda _request: slow()
    async with served(settings, verifier, echo) as (app, client):
        echo.stopping = app.stopping
        watching = client.count(0, token("ann"))
        await watching.read()
        call = asyncio.create_task(client.say(HELLO, token("ann")))
        await begun.wait()
        stop = asyncio.create_task(app.stop(grace=10))
        async with asyncio.timeout(5):
            assert await watching.read() is grpc.aio.EOF
        assert await watching.code() == grpc.StatusCode.OK
        assert not stop.done()
        go_on.set()
        assert (await call).text == "done"
        await stop


async def test_it_says_that_it_stops_before_it_does(settings: Settings, verifier: Verifier) -> None:
    echo = EchoService()
    async with served(settings, verifier, echo) as (app, client):
        watch: Any = client.channel.unary_stream(
            "/grpc.health.v1.Health/Watch",
            request_serializer=hp.HealthCheckRequest.SerializeToString,
            response_deserializer=hp.HealthCheckResponse.FromString,
        )(hp.HealthCheckRequest(service=SERVICE.full_name))
        assert (await watch.read()).status == hp.HealthCheckResponse.SERVING
        stop = asyncio.create_task(app.stop(grace=0.5))
        assert (await watch.read()).status == hp.HealthCheckResponse.NOT_SERVING
        await stop


async def test_whoever_outstays_the_grace_is_cut_off(
    settings: Settings, verifier: Verifier, token: Token
) -> None:
    echo = EchoService()
    async with served(settings, verifier, echo) as (app, client):
        watching = client.count(0, token("ann"))
        await watching.read()
        async with asyncio.timeout(5):
            await app.stop(grace=0.1)
            await echo.ended.wait()


async def test_a_taken_port_is_said_clearly(settings: Settings, verifier: Verifier) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        busy = replace(settings, port=taken.getsockname()[1])
        with pytest.raises(SettingsError, match="is it taken"):
            await App(busy, [], verifier).start()


async def test_a_second_server_cannot_share_the_port(
    settings: Settings, verifier: Verifier
) -> None:
    async with App(settings, [], verifier) as first:
        with pytest.raises(SettingsError, match="is it taken"):
            await App(replace(settings, port=first.port), [], verifier).start()


async def test_without_a_key_there_is_no_server(settings: Settings, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="VALLUM_KEY_FILE"):
        App(settings, [])
    with pytest.raises(SettingsError, match="No such file"):
        App(replace(settings, key_file=tmp_path / "none"), [])


async def test_what_was_opened_is_closed_when_the_start_fails(
    settings: Settings, verifier: Verifier
) -> None:
    closed: list[str] = []

    @asynccontextmanager
    async def opens(_app: App) -> AsyncIterator[None]:
        try:
            yield
        finally:
            closed.append("first")

    def fails(_app: App) -> AbstractAsyncContextManager[None]:
        raise SettingsError("no database")

    with pytest.raises(SettingsError, match="no database"):
        await App(settings, [opens, fails], verifier).start()
    assert closed == ["first"]


COUNTED = (
    'vallum_calls_total{code="UNAUTHENTICATED",method="Say",service="echo.v1.EchoService"} 1.0'
)
MAIN = """
import asyncio, sys
from contextlib import asynccontextmanager
from services.runtime.app import run
from tests.runtime.echo import SERVICE, EchoService

@asynccontextmanager
async def bind(app):
    echo = EchoService()
    async def slow():
        print("begun", flush=True)
        await app.stopping.wait()
        await asyncio.sleep(0.2)
        return "done"
    echo.hears = lambda request: slow()
    app.serve(SERVICE, echo)
    yield
    print("closed", flush=True)

run("echo", bind)
"""


@contextmanager
def process(**environment: str) -> Iterator[subprocess.Popen[bytes]]:
    """The service as a process of its own."""
    path = os.pathsep.join(part for part in sys.path if part)
    with subprocess.Popen(
        [sys.executable, "-c", MAIN],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": path, **environment},
    ) as child:
        try:
            yield child
        finally:
            child.kill()


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.mark.parametrize("signum", [signal.SIGTERM, signal.SIGINT])
async def test_a_process_is_measured_and_stops_gracefully(
    tmp_path: Path, signum: signal.Signals
) -> None:
    keys = Keys.ensure(tmp_path / "key.pem")
    port, metrics = free_port(), free_port()
    environment = {
        "VALLUM_KEY_FILE": str(tmp_path / "key.pem"),
        "VALLUM_PORT": str(port),
        "VALLUM_METRICS_PORT": str(metrics),
    }
    bearer = keys.mint(Caller("ann", "acme", Role.PLAYER))
    with process(**environment) as child:
        assert child.stdout is not None
        client = Client(f"127.0.0.1:{port}")
        async with asyncio.timeout(40):
            await client.channel.channel_ready()
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await client.say(HELLO)
            assert refusal(caught.value).reason == "unauthenticated"
            assert COUNTED in await asyncio.to_thread(scrape, metrics)
            call = asyncio.create_task(client.say(HELLO, bearer))
            assert await asyncio.to_thread(child.stdout.readline) == b"begun\n"
            child.send_signal(signum)
            assert (await call).text == "done"
            assert await asyncio.to_thread(child.wait) == 0
        assert child.stdout.read() == b"closed\n"
        await client.channel.close()


def scrape(port: int) -> str:
    """The metrics page."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as page:
        text: str = page.read().decode()
        return text


def test_settings_that_cannot_be_used_end_it_with_one_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("VALLUM_PARTITIONS", "many")
    with pytest.raises(SystemExit, match=r"^vallum echo: VALLUM_PARTITIONS=many: Expected `int`"):
        run("echo")
