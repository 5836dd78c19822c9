"""`vallum serve`: one service, or several, in a process of their own."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from importlib import import_module
from typing import Any

import click
import uvloop

from services.cli import front
from services.cli.hosting import bots, games
from services.gamekit.hosted import Hosted
from services.referee.archive import Archive, NoArchive, ScoringArchive
from services.referee.bind import rules
from services.runtime import telemetry
from services.runtime.app import App, Bind, serve
from services.runtime.redis import check_server, connect
from services.runtime.settings import Settings
from services.runtime.trust import following, verifier_of
from services.workers import crew
from services.workers.queues import QUEUES

ACCOUNTS = "accounts"
SCORING = "scoring"
MATCHMAKING = "matchmaking"
NOTICES = "notices"
SERVICES = (ACCOUNTS, MATCHMAKING, NOTICES, SCORING)
"""What there is beside the rules service of each game."""


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
    """Run some services in this process: the rules service of a game, by its key, `accounts`,
    `matchmaking`, `notices`, `scoring`; or `workers`; or `edge`.

    Settings are VALLUM_* variables: VALLUM_REDIS_URL, VALLUM_PORT, VALLUM_KEY_FILE and others.
    """
    settings = Settings.load()
    if services == ("workers",):
        crew.serve(settings, queues or QUEUES)
        return
    if "workers" in services or queues:
        raise click.BadParameter("workers run apart: vallum serve workers [--queue Q]")
    if services == ("edge",):
        telemetry.setup("edge", settings)
        uvloop.run(front.serve(settings))
        return
    if "edge" in services:
        raise click.BadParameter("the edge runs apart: vallum serve edge")
    known = games(settings)
    for name in services:
        if name not in known and name not in SERVICES:
            there = ", ".join([*sorted(known), *SERVICES, "workers", "edge"])
            raise click.BadParameter(f"{name!r} is no service; there is {there}")
    telemetry.setup("-".join(services), settings)
    uvloop.run(checked(settings, binds(settings, services, known)))


def binds(settings: Settings, names: Collection[str], known: Mapping[str, Hosted]) -> list[Bind]:
    """The services of these names: rules services by the key of a `known` game, and SERVICES.

    What the rules services have let go they read through to scoring, where it is known.
    """

    def archive(app: App) -> Archive:
        there = SCORING in names or app.settings.scoring_target
        return ScoringArchive(app) if there else NoArchive()

    found = [rules(known[name], bots(settings), archive) for name in names if name in known]
    if ACCOUNTS in names:
        found.append(maker(ACCOUNTS)())
    packages = {key: one.package for key, one in known.items()}
    found += [maker(name)(packages) for name in (NOTICES, SCORING) if name in names]
    if MATCHMAKING in names:
        found.append(maker(MATCHMAKING)(known, bots(settings)))
    return found


def maker(name: str) -> Any:
    """What puts one of SERVICES together. Read only now: who serves none of them starts three times
    as fast without their databases and solvers."""
    return getattr(import_module(f"services.{name}.bind"), name)


async def checked(settings: Settings, services: list[Bind]) -> None:
    """Serve, once the storage is known to be fit. Raises SettingsError."""
    async with connect(settings.redis_url) as redis:
        await check_server(redis, need_aof=settings.fsync != "memory")
    verifier = verifier_of(settings)
    await serve(settings, [following(verifier), *services], verifier)
