"""`vallum serve`: one service, or several, in a process of their own."""

from __future__ import annotations

from importlib import import_module

import click
import uvloop

from services.cli.child import end_with_parent
from services.cli.hosting import binds, games
from services.runtime import telemetry
from services.runtime.app import Bind, serve
from services.runtime.redis import check_server, connect
from services.runtime.settings import Settings


@click.command("serve")
@click.argument("services", nargs=-1, required=True, metavar="SERVICE...")
@click.option("--child", is_flag=True, hidden=True, help="End when the starting process dies.")
def command(services: tuple[str, ...], child: bool) -> None:
    """Run some services in this process: the rules service of a game, by its key, or `workers`.

    Settings are VALLUM_* variables: VALLUM_REDIS_URL, VALLUM_PORT, VALLUM_KEY_FILE and others.
    """
    if child:
        end_with_parent()
    settings = Settings.load()
    if "workers" in services:
        if services != ("workers",):
            raise click.BadParameter("workers are processes of their own: name nothing else")
        import_module("services.workers.crew").run(settings)
        return
    known = games(settings)
    for name in services:
        if name not in known:
            there = ", ".join([*sorted(known), "workers"])
            raise click.BadParameter(f"{name!r} is no service; there is {there}")
    telemetry.setup("-".join(services), settings)
    uvloop.run(checked(settings, binds(known[name] for name in services)))


async def checked(settings: Settings, services: list[Bind]) -> None:
    """Serve, once the storage is known to be fit. Raises SettingsError."""
    async with connect(settings.redis_url) as redis:
        await check_server(redis, need_aof=settings.fsync != "memory")
    await serve(settings, services)
