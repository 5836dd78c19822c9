"""Envoy as a child: how it starts, what it says when it cannot, how it ends."""

from __future__ import annotations

import asyncio
import builtins
import os
import re
import signal
import socket
import sys
from asyncio.subprocess import PIPE
from pathlib import Path
from tempfile import gettempdir
from typing import Any

import psutil
import pytest
from echo.v1 import echo_pb2 as pb
from msgspec.structs import replace
from prometheus_client.registry import Collector

from services.edge import running
from services.edge.config import Edge, Service, Target, rendered
from services.edge.envoy import Envoy, binary
from services.edge.metrics import EdgeMetrics
from services.runtime.auth import Keys
from services.runtime.settings import Settings, SettingsError
from services.runtime.telemetry import REGISTRY
from tests.conftest import Token
from tests.edge.given import site
from tests.until import until

PARENT = """
import sys, time
from pathlib import Path
from services.edge.envoy import Envoy
envoy = Envoy(Path(sys.argv[1]))
envoy.start()
print(envoy.pid, flush=True)
time.sleep(60)
"""


def configured(folder: Path, **given: Any) -> Envoy:
    """Envoy with a configuration in which nobody is behind it."""
    jwks = Keys.generate().jwks()
    edge = Edge(folder=folder, services=(), describing="127.0.0.1:1", jwks=jwks, **given)
    running.write(edge)
    return Envoy(folder)


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A short path: a socket must fit."""
    return tmp_path_factory.mktemp("e")


def ended(pid: int) -> bool:
    """Whether a process is over."""
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


async def test_it_ends_with_its_parent_even_if_that_is_killed(folder: Path) -> None:
    configured(folder, port=0)
    paths = os.pathsep.join(path for path in sys.path if path)
    parent = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", PARENT, str(folder)),
        env=os.environ | {"PYTHONPATH": paths},
        stdout=PIPE,
    )
    assert parent.stdout is not None
    envoy = int(await asyncio.wait_for(parent.stdout.readline(), 30))
    assert not ended(envoy)
    parent.kill()
    await parent.wait()

    async def over() -> bool:
        return ended(envoy)

    await until(over, 10)


async def test_it_is_started_again_when_it_has_died(settings: Settings, keys: Keys) -> None:
    async with site(settings, keys) as found:
        lost = found.envoy.pid
        os.kill(lost, signal.SIGKILL)

        async def back() -> bool:
            try:
                answer = await found.web.get("/healthz")
            except OSError:
                return False
            return answer.status == 200 and found.envoy.pid != lost

        await until(back, 20)
    assert not found.envoy.alive


async def test_nothing_is_left_behind(settings: Settings, keys: Keys) -> None:
    async with site(settings, keys) as found:
        pid, folder = found.envoy.pid, found.envoy.folder
        assert folder.is_relative_to(gettempdir())
    assert ended(pid)
    assert not folder.exists()


async def test_what_it_counts_is_among_the_metrics(settings: Settings, keys: Keys) -> None:
    def told(metrics: Collector) -> dict[tuple[str, ...], float]:
        samples = [sample for metric in metrics.collect() for sample in metric.samples]
        return {(one.name, *one.labels.values()): one.value for one in samples}

    before = len([*REGISTRY.collect()])
    async with site(settings, keys, edge_flood=1) as found:
        calls = (found.web.get("/v1/echo:hello", "bad token") for _ in range(30))
        await asyncio.gather(*calls)
        counted = await asyncio.to_thread(told, EdgeMetrics(found.envoy))
        assert counted["vallum_edge_answers_total", "4xx"] == 30
        assert counted["vallum_edge_refused_total", "flood"] > 0
        assert counted["vallum_edge_refused_total", "token"] > 0
        assert counted["vallum_edge_connections",] >= 0
        assert len([*REGISTRY.collect()]) == before + 4
    assert told(EdgeMetrics(found.envoy)) == {}
    assert len([*REGISTRY.collect()]) == before


async def test_calls_that_are_under_way_are_let_finish(
    settings: Settings, keys: Keys, token: Token
) -> None:
    async with site(settings, keys) as found:
        begun, goes_on = asyncio.Event(), asyncio.Event()

        async def slow(request: pb.SayRequest) -> str:
            begun.set()
            await goes_on.wait()
            return request.text

        found.echo.hears = slow
        call = asyncio.create_task(found.web.post("/v1/echo:say", {"text": "x"}, token("ann")))
        await asyncio.wait_for(begun.wait(), 10)
        drained = asyncio.create_task(asyncio.to_thread(found.envoy.drain, 20.0))

        async def closed() -> bool:
            try:
                await found.web.get("/healthz")
            except OSError:
                return True
            return False

        await until(closed, 10)
        assert not drained.done()
        goes_on.set()
        assert (await call).json["text"] == "x"
        await asyncio.wait_for(drained, 10)


async def test_a_port_that_is_taken_is_named(settings: Settings, keys: Keys) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        where = f"127.0.0.1:{taken.getsockname()[1]} (VALLUM_EDGE_PORT)"
        chosen = replace(settings, edge_port=taken.getsockname()[1])
        with pytest.raises(SettingsError, match=re.escape(where)):
            await running.edge(chosen, {}, "127.0.0.1:1", keys.jwks()).__aenter__()


def test_a_configuration_that_is_refused_is_told(folder: Path) -> None:
    envoy = configured(folder, port=0)
    (folder / "envoy.yaml").write_text("admin: 7")
    with pytest.raises(SettingsError, match=r"Envoy ended at its start: .*admin"):
        envoy.start()
    assert not envoy.alive


def test_without_envoy_the_way_out_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    there = builtins.__import__

    def missing(name: str, *rest: Any) -> Any:
        if name == "envoy":
            raise ImportError(name)
        return there(name, *rest)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(SettingsError, match=r"vallum\[edge\].*--no-edge"):
        binary()


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"edge_certificate": Path("c.pem")}, "go together"),
        ({"edge_private_key": Path("k.pem")}, "go together"),
        (
            {"edge_certificate": Path("c.pem"), "edge_private_key": Path("k.pem")},
            "there is no file c.pem",
        ),
    ],
)
def test_half_a_certificate_is_refused(given: dict[str, Path], told: str) -> None:
    with pytest.raises(SettingsError, match=told):
        running.configured(Settings(**given), {}, "x:1", {}, Path())  # type: ignore[arg-type] # by name


@pytest.mark.parametrize(
    ("target", "fixed", "address"),
    [
        ("127.0.0.1:7", True, {"socket_address": {"address": "127.0.0.1", "port_value": 7}}),
        ("[::1]:7", True, {"socket_address": {"address": "::1", "port_value": 7}}),
        ("scoring:7", False, {"socket_address": {"address": "scoring", "port_value": 7}}),
        ("unix:/a/b", True, {"pipe": {"path": "/a/b"}}),
    ],
)
def test_targets_are_told_as_envoy_has_them(
    target: str, fixed: bool, address: dict[str, object]
) -> None:
    assert (Target(target).is_address, Target(target).address) == (fixed, address)


def test_one_template_is_for_every_place(tmp_path: Path) -> None:
    services = (Service("a.v1.A", "a:1"), Service("b.v1.B", "b:1", ("Watch",)))
    text = rendered(Edge(folder=tmp_path, services=services, describing="a:1", jwks={"keys": []}))
    assert text.count("type: STRICT_DNS") == 2
    assert '"/b.v1.B/Watch"' in text
