"""Runs every service as a process of its own on this machine, behind the edge: `make run-split`.

What containers do elsewhere, without containers: each process is `vallum serve SERVICE`, told where
the others are by VALLUM_* variables only. Ends on Ctrl-C, or with its first process that ends.
"""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple, NoReturn

import click
import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from services.cli import front
from services.games import GAMES
from services.runtime import children
from services.runtime.auth import Keys
from services.runtime.redis import EmbeddedRedis
from services.runtime.settings import PREFIX, Settings, SettingsError
from services.workers.queues import QUEUES

READY = 180.0
"""Seconds in which everything must be up; each process reads the whole platform first."""
STOP = 15.0
"""Seconds in which each must have ended."""
TOGETHER = ("accounts", "matchmaking", "notices", "scoring")


class Process(NamedTuple):
    """One of them."""

    name: str
    arguments: tuple[str, ...]
    port: int
    variables: Mapping[str, str]


@click.command()
@click.option("--data", type=click.Path(path_type=Path), default=Path(".data/split"))
@click.option("--edge-port", type=int, default=7400, show_default=True)
@click.option("--game", "games", multiple=True, type=click.Choice(list(GAMES)), help="[all]")
@click.option("--queues/--one-worker", default=True, help="A process of workers for each queue.")
@click.option("--json", "as_json", is_flag=True, help="One line of JSON when everything is up.")
@click.option("--attached", is_flag=True, hidden=True, help="End when stdin is closed.")
def main(
    data: Path, edge_port: int, games: tuple[str, ...], queues: bool, as_json: bool, attached: bool
) -> None:
    """Run every service apart until it is told to end."""
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        port = edge_port or free(1)[0]
        with running(data.absolute(), port, games or tuple(GAMES), queues) as (told, started):
            print(json.dumps(told) if as_json else for_people(told, started), flush=True)  # noqa: T201
            wait(started, attached=attached)
    except KeyboardInterrupt:
        return
    except SettingsError as error:
        sys.exit(f"split: {error}")


@contextmanager
def running(
    data: Path, edge_port: int, games: Sequence[str], queues: bool
) -> Iterator[tuple[dict[str, object], dict[str, children.Child]]]:
    """Everything up: what there is, and the processes. Raises SettingsError."""
    with ExitStack() as stack:
        redis = stack.enter_context(EmbeddedRedis(data))
        keys = data / "key.pem"
        Keys.ensure(keys)
        processes = planned(data, redis.url, keys, edge_port, games, queues)
        started: dict[str, children.Child] = {}
        stack.callback(stop, started)
        for process in processes:
            started[process.name] = start(process, data)
        ready(started, edge_port, games, data)
        told: dict[str, object] = {
            "url": f"http://127.0.0.1:{edge_port}",
            "key_file": str(keys),
            "redis_url": redis.url,
            "processes": {name: child.pid for name, child in started.items()},
        }
        yield told, started


def planned(
    data: Path, redis_url: str, keys: Path, edge_port: int, games: Sequence[str], queues: bool
) -> list[Process]:
    """Every process, and how it finds the others."""
    ports = dict(zip((*TOGETHER, *games), free(16), strict=False))
    targets = {name: f"127.0.0.1:{port}" for name, port in ports.items()}
    common = {
        "REDIS_URL": redis_url,
        "BROKER_URL": f"{redis_url.rsplit('/', 1)[0]}/1",
        "KEY_FILE": str(keys),
        "DATA_DIR": str(data),
        "EDGE_PORT": str(edge_port),
        "RULES_TARGETS": ",".join(f"{game}={targets[game]}" for game in games),
        **{f"{name.upper()}_TARGET": targets[name] for name in TOGETHER},
    }
    services = [
        Process(name, (name,), port, common | {"PORT": str(port)}) for name, port in ports.items()
    ]
    crews = [(queue,) for queue in QUEUES] if queues else [QUEUES]
    workers = [
        Process(f"workers-{'-'.join(crew)}", _workers(crew), 0, common | {"PORT": "1"})
        for crew in crews
    ]
    return [*services, *workers, Process("edge", ("edge",), edge_port, common | {"PORT": "1"})]


def start(process: Process, data: Path) -> children.Child:
    """Start one; what it says goes to a file of its name."""
    ours = {name: text for name, text in os.environ.items() if not name.startswith(PREFIX)}
    given = {f"{PREFIX}{name}": text for name, text in process.variables.items()}
    passed = {name: os.environ[name] for name in PASSED if name in os.environ}
    command = [sys.executable, "-m", "services.cli", "serve", *process.arguments]
    replica = {f"{PREFIX}REPLICA": process.name}
    with log_of(process.name, data).open("wb") as log:
        return children.spawn(command, output=log.fileno(), environ=ours | passed | replica | given)


def ready(
    started: Mapping[str, children.Child], edge_port: int, games: Sequence[str], data: Path
) -> None:
    """Wait until every service says so through the edge. Raises SettingsError."""
    until = time.monotonic() + READY
    names = [name for name, _ in front.elsewhere(Settings()) if _wanted(name, games)]
    with grpc.insecure_channel(f"127.0.0.1:{edge_port}") as channel:
        stub = health_pb2_grpc.HealthStub(channel)
        while names:
            if lost := next((name for name, one in started.items() if one.poll() is not None), ""):
                raise SettingsError(f"{lost} has ended: {last_words(lost, data)}")
            if time.monotonic() > until:
                raise SettingsError(f"not ready after {READY:.0f} s: {', '.join(names)}")
            if serving(stub, names[0]):
                names.pop(0)
            else:
                time.sleep(0.1)


def serving(stub: Any, name: str) -> bool:
    """Whether the edge says that a service serves."""
    try:
        answer = stub.Check(health_pb2.HealthCheckRequest(service=name), timeout=3)
    except grpc.RpcError:
        return False
    return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)


def wait(started: Mapping[str, children.Child], *, attached: bool) -> None:
    """Until stdin is closed, if we are attached; for ever otherwise. Not longer than they live."""
    while all(child.poll() is None for child in started.values()):
        if attached and select.select([sys.stdin], [], [], 0.5)[0]:
            return
        if not attached:
            time.sleep(0.5)
    sys.exit("split: a process has ended; see the logs")


def stop(started: Mapping[str, children.Child]) -> None:
    """End them all, the edge first."""
    for child in reversed([*started.values()]):
        child.terminate()
    for child in started.values():
        children.stop(child, STOP)


def for_people(told: Mapping[str, object], started: Mapping[str, children.Child]) -> str:
    """What there is, line by line."""
    lines = [f"Edge   {told['url']} (gRPC, gRPC-Web, JSON; /openapi.json)"]
    lines += [f"  {name:<20} process {child.pid}" for name, child in started.items()]
    lines += [f"Tokens: VALLUM_KEY_FILE={told['key_file']} vallum token ada", "Ctrl-C stops it."]
    return "\n".join(lines)


def free(count: int) -> list[int]:
    """Ports that nobody listens on now."""
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [int(one.getsockname()[1]) for one in sockets]


def log_of(name: str, data: Path) -> Path:
    """Where a process writes what it has to say."""
    return data / f"{name}.log"


def last_words(name: str, data: Path) -> str:
    """Its last line."""
    lines = log_of(name, data).read_text(errors="replace").strip().splitlines()
    return lines[-1] if lines else "it said nothing"


PASSED = (
    "VALLUM_BOTS_PROCESSES",
    "VALLUM_INVASIONS_PROCESSES",
    "VALLUM_LOG_LEVEL",
    "VALLUM_WEBHOOK_ALLOW_PRIVATE",
)
"""Variables of ours that they get as well."""


def _workers(crew: Sequence[str]) -> tuple[str, ...]:
    return ("workers", *(part for queue in crew for part in ("--queue", queue)))


def _wanted(name: str, games: Sequence[str]) -> bool:
    package = name.split(".")[1]
    return package in games or package in TOGETHER


def _interrupt(_signum: int, _frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt


if __name__ == "__main__":
    main()
