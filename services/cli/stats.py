"""`vallum stats`: how the finished matches of a game went."""

from __future__ import annotations

from pathlib import Path

import click
from google.protobuf import json_format
from rich.table import Table

from services.cli.console import err, json_option, out, print_json
from services.cli.ratings import data_option, with_database
from services.runtime.database import Database
from services.runtime.settings import Settings
from services.scoring.plots import draw
from services.scoring.statistics import statistics
from vallum.scoring.v1 import scoring_pb2 as sc


@click.command("stats")
@click.argument("game")
@click.option("--seats", type=click.IntRange(0, 6), default=0, help="Only matches of so many.")
@click.option("--mode", type=click.Choice(["ranked", "casual"]), help="Only of this mode.")
@click.option("--tenant", help="Only of this tenant.")
@click.option("--png", type=click.Path(path_type=Path, dir_okay=False), help="Draw it, too.")
@data_option
@json_option
def command(
    game: str,
    seats: int,
    mode: str | None,
    tenant: str | None,
    png: Path | None,
    data_dir: Path | None,
    as_json: bool,
) -> None:
    """Scores, the balance of seats, and what each line of the score sheets brings in GAME.

    --png needs matplotlib: pip install 'vallum[plots]'.
    """

    async def asked(database: Database) -> sc.GetStatisticsResponse:
        async with database.reading() as connection:
            return await statistics(connection, game, seats, mode or "", tenant)

    figures = with_database(Settings.load(data_dir=data_dir), asked)
    if png is not None:
        picture(figures, game, png)
    if as_json:
        print_json(
            json_format.MessageToDict(
                figures,
                preserving_proto_field_name=True,
                always_print_fields_with_no_presence=True,
            )
        )
    else:
        print_figures(figures)


def picture(figures: sc.GetStatisticsResponse, game: str, path: Path) -> None:
    """Draw them. Raises click.ClickException."""
    try:
        draw(figures, game, path)
    except ModuleNotFoundError:
        raise click.ClickException("--png needs matplotlib: the extra `plots`") from None
    except OSError as error:
        raise click.ClickException(f"{path}: {error.strerror}") from None
    err.print(f"drawn: {path}", markup=False)


def print_figures(figures: sc.GetStatisticsResponse) -> None:
    """For people."""
    out.print(f"{figures.matches} matches, mean score {figures.scores.mean:.2f}")
    seats = Table("seat", "mean", "deviation", "firsts", "95 %", "fair", box=None)
    for one in figures.seats:
        seats.add_row(
            str(one.seat),
            f"{one.scores.mean:.2f}",
            f"{one.scores.deviation:.2f}",
            f"{one.firsts:.1%}",
            f"{one.firsts_low:.1%} to {one.firsts_high:.1%}",
            f"{one.firsts_fair:.1%}",
        )
    out.print(seats)
    lines = Table("line", "sheets", "points", "total", "firsts", box=None)
    for line in figures.lines:
        numbers = (f"{line.mean:.2f}", f"{line.mean_total:.2f}", f"{line.firsts:.1%}")
        lines.add_row(line.key, str(line.count), *numbers)
    out.print(lines)
