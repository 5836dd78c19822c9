"""`vallum serve`: one service, or several, in a process of their own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import click
import uvloop

from services.cli.hosting import bots, games
from services.gamekit.hosted import Hosted
from services.referee.archive import Archive, NoArchive, ScoringArchive
from services.referee.bind import rules
from services.runtime import telemetry
from services.runtime.app import App, Bind, serve
from services.runtime.redis import check_server, connect
from services.runtime.settings import Settings
from services.scoring.bind import scoring
from services.workers import crew
from services.workers.queues import QUEUES

SCORING = "scoring"


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
    """Run some services in this process: the rules service of a game, by its key, `scoring`, or
    `workers`.

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
        if name not in known and name != SCORING:
            there = ", ".join([*sorted(known), SCORING, "workers"])
            raise click.BadParameter(f"{name!r} is no service; there is {there}")
    telemetry.setup("-".join(services), settings)
    hosted = [known[name] for name in services if name in known]
    uvloop.run(checked(settings, binds(settings, hosted, known if SCORING in services else None)))


def binds(
    settings: Settings, games: Iterable[Hosted], scored: Mapping[str, Hosted] | None
) -> list[Bind]:
    """The rules services of some games, and the scoring service of those that are `scored`.

    What the rules services have let go they read through to scoring, where it is known.
    """

    def archive(app: App) -> Archive:
        known = scored is not None or app.settings.scoring_target
        return ScoringArchive(app) if known else NoArchive()

    found = [rules(one, bots(settings), archive) for one in games]
    if scored is not None:
        found.append(scoring({key: one.package for key, one in scored.items()}))
    return found


async def checked(settings: Settings, services: list[Bind]) -> None:
    """Serve, once the storage is known to be fit. Raises SettingsError."""
    async with connect(settings.redis_url) as redis:
        await check_server(redis, need_aof=settings.fsync != "memory")
    await serve(settings, services)
