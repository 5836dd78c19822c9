"""`vallum ratings`: what there is to do about ratings from a shell."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import click
import uvloop

from services.cli.console import json_option, out, print_json
from services.runtime.database import Database
from services.runtime.settings import Settings
from services.scoring.database import database_of
from services.scoring.recompute import Verdict, recomputed

T = TypeVar("T")

data_option = click.option(
    "--data", "data_dir", type=click.Path(path_type=Path), help="The directory of `vallum up`."
)


@click.group("ratings")
def command() -> None:
    """Check ratings against the results that they follow from."""


@command.command("recompute")
@data_option
@json_option
def recompute(data_dir: Path | None, as_json: bool) -> None:
    """Compute every rating anew from the log of results, and compare. Changes nothing.

    Ends with status 1 where a rating is not what the log says. VALLUM_SCORING_DB names the
    database, if it is not in the data directory.
    """
    verdict = with_database(Settings.load(data_dir=data_dir), recomputed)
    if as_json:
        print_json(told(verdict))
    else:
        print_verdict(verdict)
    if not verdict.equal:
        raise click.exceptions.Exit(1)


def with_database(settings: Settings, work: Callable[[Database], Awaitable[T]]) -> T:
    """Do something with the scoring database. Raises SettingsError."""

    async def done() -> T:
        database = database_of(settings)
        try:
            await database.migrate()
            return await work(database)
        finally:
            await database.close()

    return uvloop.run(done())


def told(verdict: Verdict) -> dict[str, Any]:
    """A verdict as JSON values."""
    return {
        "equal": verdict.equal,
        "results": verdict.results,
        "ladders": verdict.ladders,
        "changes": verdict.changes,
        "different": verdict.different,
        "examples": verdict.examples,
    }


def print_verdict(verdict: Verdict) -> None:
    """For people."""
    counted = f"{verdict.results} results, {verdict.ladders} ladders, {verdict.changes} changes"
    out.print(f"{counted}: {'equal' if verdict.equal else f'{verdict.different} differences'}")
    for example in verdict.examples:
        out.print(example, markup=False)
