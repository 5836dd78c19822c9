"""A client that knows nothing of Vallum: it asks what there is, and calls it."""

from __future__ import annotations

import asyncio
import json
import sys
from asyncio.subprocess import PIPE
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from services.edge.describing import describing
from tests.conftest import Token
from tests.edge.given import Site

BUF = str(Path(sys.executable).parent / "buf")


async def curl(url: str, *arguments: str) -> str:
    """What `buf curl` prints."""
    process = await asyncio.create_subprocess_exec(
        *(BUF, "curl", "--protocol", "grpc", "--http2-prior-knowledge", *arguments, url),
        stdout=PIPE,
        stderr=PIPE,
    )
    out, err = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode == 0, err.decode()
    return out.decode()


async def test_it_lists_describes_and_calls_through_the_edge(site: Site, token: Token) -> None:
    listed = (await curl(site.web.url, "--list-services")).split()
    assert {"ambush.v1.RulesService", "echo.v1.EchoService", "grpc.health.v1.Health"} <= set(listed)
    methods = (await curl(site.web.url, "--list-methods")).split()
    assert {"ambush.v1.RulesService/CreateMatch", "ambush.v1.RulesService/Watch"} <= set(methods)
    bearer = ("-H", f"authorization: Bearer {token('ann')}")
    seats = json.dumps({"seats": [{"player": "ann"}, {"player": "bob"}]})
    rules = f"{site.web.url}/ambush.v1.RulesService"
    made: Any = json.loads(await curl(f"{rules}/CreateMatch", *bearer, "-d", seats))
    asked = json.dumps({"name": made["match"]["name"]})
    actions = json.loads(await curl(f"{rules}/ListActions", *bearer, "-d", asked))
    assert actions["actions"]


async def test_the_services_describe_themselves_without_the_edge(site: Site) -> None:
    listed = (await curl(f"http://{site.app.target}", "--list-services")).split()
    assert "ambush.v1.RulesService" in listed


@pytest.mark.parametrize("service", ["echo.v1.EchoService", "ambush.v1.RulesService"])
async def test_services_elsewhere_are_described_too(site: Site, service: str) -> None:
    async with describing({service: site.app.target}) as target:
        assert target.startswith("unix:")
        async with grpc.aio.insecure_channel(target) as channel:
            stub: Any = health_pb2_grpc.HealthStub(channel)
            answer = await stub.Check(health_pb2.HealthCheckRequest(service=service), timeout=5)
            assert answer.status == health_pb2.HealthCheckResponse.SERVING


async def test_a_service_that_is_gone_is_not_well() -> None:
    async with (
        describing({"echo.v1.EchoService": "127.0.0.1:1"}) as target,
        grpc.aio.insecure_channel(target) as channel,
    ):
        stub: Any = health_pb2_grpc.HealthStub(channel)
        for service, status in (
            ("", health_pb2.HealthCheckResponse.SERVING),
            ("echo.v1.EchoService", health_pb2.HealthCheckResponse.NOT_SERVING),
        ):
            request = health_pb2.HealthCheckRequest(service=service)
            assert (await stub.Check(request, timeout=5)).status == status
