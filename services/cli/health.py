"""`vallum health`: whether a service serves, for whoever watches processes."""

from __future__ import annotations

from typing import Any

import click
import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from services.cli.console import json_option, print_json
from services.runtime.calls import own_target
from services.runtime.settings import Settings


@click.command("health")
@click.argument("target", required=False)
@click.option("--service", default="", help="One service by its full name. [the whole process]")
@click.option("--timeout", default=3.0, show_default=True, help="Seconds to wait for the answer.")
@json_option
def command(target: str | None, service: str, timeout: float, as_json: bool) -> None:
    """Ask the process at TARGET (host:port; by default the one that the VALLUM_* variables
    describe) how it is. Ends with 0 if it serves, else with 1."""
    where = target or own_target(Settings.load())
    status = asked(where, service, timeout)
    if as_json:
        print_json({"target": where, "service": service, "status": status})
    else:
        click.echo(f"{where}: {status}")
    if status != "SERVING":
        raise SystemExit(1)


def asked(target: str, service: str, timeout: float) -> str:
    """SERVING, NOT_SERVING, or the code of the failure."""
    with grpc.insecure_channel(target) as channel:
        stub: Any = health_pb2_grpc.HealthStub(channel)
        try:
            answer = stub.Check(health_pb2.HealthCheckRequest(service=service), timeout=timeout)
        except grpc.RpcError as error:
            return str(error.code().name)
    return str(health_pb2.HealthCheckResponse.ServingStatus.Name(answer.status))
