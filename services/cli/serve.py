"""`vallum serve`: one service, or several, in a process of their own."""

from __future__ import annotations

from collections.abc import Iterable

import click
import uvloop

from services.cli.hosting import bots, games
from services.gamekit.hosted import Hosted
from services.referee.bind import rules
from services.runtime import telemetry
from services.runtime.app import Bind, serve
from services.runtime.redis import check_server, connect
from services.runtime.settings import Settings
from services.workers import crew
from services.workers.queues import QUEUES


@click.command("serve")
@click.argument("services", nargs=-1, required=True, metavar="SERVICE...")
@click.option(
    "--queue",
    "queues",
    multiple=True,
    type=click.Choice(QUEUES),
    help="Of the workers: only this queue; may be repeated.",
)
def command(services: tuple[str, ...], queues: tuple[str, ...]) -> None:
    """Run some services in this process: the rules service of a game, by its key, or `workers`.

    Settings are VALLUM_* variables: VALLUM_REDIS_URL, VALLUM_PORT, VALLUM_KEY_FILE and others.
    """
    settings = Settings.load()
    if services == ("workers",):
        crew.serve(settings, queues or QUEUES)
        return
    if "workers" in services or queues:
        raise click.BadParameter("workers run apart: vallum serve workers [--queue Q]")
    known = games(settings)
    for name in services:
        if name not in known:
            there = ", ".join([*sorted(known), "workers"])
            raise click.BadParameter(f"{name!r} is no service; there is {there}")
    telemetry.setup("-".join(services), settings)
    uvloop.run(checked(settings, binds(settings, (known[name] for name in services))))


def binds(settings: Settings, games: Iterable[Hosted]) -> list[Bind]:
    """The rules services of some games."""
    return [rules(one, bots(settings)) for one in games]


async def checked(settings: Settings, services: list[Bind]) -> None:
    """Serve, once the storage is known to be fit. Raises SettingsError."""
    async with connect(settings.redis_url) as redis:
        await check_server(redis, need_aof=settings.fsync != "memory")
    await serve(settings, services)
