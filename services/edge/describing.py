"""What the edge says of services in other processes: which there are, and how they are."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

TIMEOUT = 2.0
"""Seconds in which a service must say how it is."""
Health = health_pb2.HealthCheckResponse


@asynccontextmanager
async def describing(targets: Mapping[str, str]) -> AsyncIterator[str]:
    """A gRPC server with reflection and health of the services at these targets; its own target."""
    with TemporaryDirectory(prefix="vallum-edge-") as folder:
        target = f"unix:{Path(folder) / 'describing.sock'}"
        server = grpc.aio.server()
        asking = Asking(targets)
        health_pb2_grpc.add_HealthServicer_to_server(asking, server)
        names = (*targets, health.SERVICE_NAME, reflection.SERVICE_NAME)
        reflection.enable_server_reflection(names, server)
        server.add_insecure_port(target)
        await server.start()
        try:
            yield target
        finally:
            await server.stop(0)
            await asking.close()


class Asking(health_pb2_grpc.HealthServicer):
    """Tells the health of a service by asking it."""

    def __init__(self, targets: Mapping[str, str]) -> None:
        channels = {target: grpc.aio.insecure_channel(target) for target in {*targets.values()}}
        self._channels = {name: channels[target] for name, target in targets.items()}

    async def Check(  # noqa: N802 # named as in the contract
        self, request: health_pb2.HealthCheckRequest, context: Any
    ) -> health_pb2.HealthCheckResponse:
        """Of the edge where no service is named."""
        if not request.service:
            return Health(status=Health.SERVING)
        if request.service not in self._channels:
            await context.abort(grpc.StatusCode.NOT_FOUND, "no such service")
        stub: Any = health_pb2_grpc.HealthStub(self._channels[request.service])
        try:
            found: health_pb2.HealthCheckResponse = await stub.Check(request, timeout=TIMEOUT)
        except grpc.aio.AioRpcError:
            return Health(status=Health.NOT_SERVING)
        return found

    async def close(self) -> None:
        """Close every channel."""
        for channel in {*self._channels.values()}:
            await channel.close()
