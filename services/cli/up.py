"""`vallum up`: everything on this machine."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import Any

import click
import uvloop

from services.cli.console import json_option, out, print_json
from services.cli.development import development_key
from services.cli.everything import Running, everything
from services.cli.front import front, nothing
from services.cli.token import TENANT
from services.runtime import telemetry
from services.runtime.auth import Caller, Role
from services.runtime.settings import Settings

TOKEN_LIFE = 12 * 3600
PLAYER = "ada"


@click.command("up")
@click.option("--data", "data_dir", type=click.Path(path_type=Path), help="What is kept. [.data]")
@click.option("--host", help="Where to listen. [127.0.0.1]")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    help="Its port for gRPC; 0: a free one, for the edge as well. [7410]",
)
@click.option(
    "--edge-port",
    type=click.IntRange(0, 65535),
    help="The edge's port, for gRPC, gRPC-Web and JSON. [7400]",
)
@click.option("--edge/--no-edge", "with_edge", default=True, help="Whether it has an edge. [yes]")
@click.option(
    "--fsync",
    type=click.Choice(["memory", "everysec", "always"]),
    help="What an acknowledged move survives when Redis is killed: nothing, all but the last "
    "second, everything. [everysec]",
)
@json_option
@click.option("--attached", is_flag=True, hidden=True, help="End when stdin is closed.")
def command(as_json: bool, attached: bool, with_edge: bool, **given: Any) -> None:
    """Start everything: every game in one process, an embedded Redis, a worker and the edge
    beside it.

    Goes on with every match of the data directory. VALLUM_REDIS_URL, where it is set, names a
    Redis to use instead of an embedded one. SIGINT and SIGTERM stop it.
    """
    if "VALLUM_LOG_LEVEL" not in os.environ:
        given["log_level"] = "warning"
    if given["port"] == 0 and given["edge_port"] is None and "VALLUM_EDGE_PORT" not in os.environ:
        given["edge_port"] = 0
    settings = Settings.load(**given)
    telemetry.setup("up", settings)
    uvloop.run(up(settings, with_edge=with_edge, as_json=as_json, attached=attached))


async def up(settings: Settings, *, with_edge: bool, as_json: bool, attached: bool) -> None:
    """Serve until the process is asked to end."""
    asked = asyncio.Event()
    loop = asyncio.get_running_loop()
    for signum in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(signum, asked.set)
    if attached:
        loop.add_reader(sys.stdin.fileno(), asked.set)
    embedded = "VALLUM_REDIS_URL" not in os.environ
    if not as_json:
        out.print("Starting.")
    async with (
        everything(settings, embedded=embedded) as running,
        front(running) if with_edge else nothing() as url,
    ):
        facts = told(running, url, await development_key(running))
        print_json(facts) if as_json else print_facts(facts)
        await asked.wait()
        if not as_json:
            out.print("Stopping.")


def told(running: Running, url: str | None, api_key: str | None) -> dict[str, Any]:
    """What somebody needs to know to call it. The key is there at the first start only."""
    settings = running.settings
    return {
        "url": url,
        "target": running.app.target,
        "games": sorted(running.games),
        "player": PLAYER,
        "tenant": TENANT,
        "api_key": api_key,
        "token": running.keys.mint(Caller(PLAYER, TENANT, Role.PLAYER), TOKEN_LIFE),
        "data_dir": str(settings.data_dir.absolute()),
        "redis_url": settings.redis_url,
        "fsync": settings.fsync,
        "pid": os.getpid(),
    }


def print_facts(facts: dict[str, Any]) -> None:
    """For people. A token is one line, so that it can be copied."""
    edge = {"Edge": f"{facts['url']} (gRPC, gRPC-Web, JSON; /openapi.json)"} if facts["url"] else {}
    lines = edge | {
        "gRPC": f"{facts['target']} (reflection and health are on)",
        "Games": ", ".join(facts["games"]) or "none",
        "Data": f"{facts['data_dir']}, fsync {facts['fsync']}",
        "Redis": facts["redis_url"],
        "Token": f"of player {facts['player']!r}, tenant {facts['tenant']!r}, for 12 hours",
    }
    for name, text in lines.items():
        out.print(f"{name:<7}{text}", markup=False, soft_wrap=True)
    click.echo(f"\n{facts['token']}\n")
    if facts["api_key"]:
        out.print(f"API key of tenant {facts['tenant']!r}, shown only now:", markup=False)
        click.echo(f"\n{facts['api_key']}\n")
    out.print(
        f"More of them: vallum token PLAYER --data {facts['data_dir']}\n"
        f"API keys: vallum keys --help\nCtrl-C stops it.",
        markup=False,
        soft_wrap=True,
    )
