"""`vallum simulate`: many games between bots, in-process."""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from services.cli.console import err, json_option, out, print_json
from services.cli.hosting import bots, game_named
from services.gamekit.game import Refusal
from services.gamekit.hosted import Hosted
from services.gamekit.play import check_options
from services.lab.figures import summary
from services.lab.simulate import Outcome, Plan, simulate
from services.runtime.settings import Settings


def known_bots(_: click.Context, __: click.Parameter, names: str) -> tuple[str, ...]:
    """The policies asked for. Raises click.BadParameter."""
    asked = tuple(name.strip() for name in names.split(","))
    known = bots(Settings.load())
    for name in asked:
        if name not in known:
            raise click.BadParameter(f"{name!r} is no bot; there is {', '.join(sorted(known))}")
    return asked


def checked_seed(_: click.Context, __: click.Parameter, seed: str | None) -> str:
    """The seed given, or a new one. Raises click.BadParameter."""
    if seed is None:
        return secrets.token_hex(16)
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", seed):
        raise click.BadParameter("a seed is 1 to 64 letters, digits, - and _")
    return seed


def writable(_: click.Context, __: click.Parameter, folder: Path | None) -> Path | None:
    """A folder for records. Raises click.BadParameter."""
    if folder is not None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise click.BadParameter(f"cannot write to {folder}: {error.strerror}") from None
    return folder


@click.command("simulate")
@click.argument("game")
@click.option("--seats", type=click.IntRange(1), required=True, help="Seats at each table.")
@click.option("--games", type=click.IntRange(1), default=100, show_default=True)
@click.option(
    "--bots",
    default="random",
    show_default=True,
    callback=known_bots,
    help="Policies, comma-separated: handed out seat by seat, moving on by one each game.",
)
@click.option("--seed", callback=checked_seed, help="The same seed plays the same games.")
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="Processes.")
@click.option(
    "--record",
    type=click.Path(path_type=Path),
    callback=writable,
    help="Write a record of each game into this folder.",
)
@click.option("--options", default="{}", help="The game's options, as JSON.")
@json_option
def command(jobs: int, as_json: bool, **asked: Any) -> None:
    """Play games of GAME between bots: scores, places, lengths and moves a second, with 95 %
    confidence intervals. Ends with status 1 when a game failed."""
    settings = Settings.load()
    plan = Plan(**asked, extra_games=settings.extra_games, extra_bots=settings.extra_bots)
    hosted = game_named(settings, plan.game)
    check(plan, hosted)
    started = time.perf_counter()
    with progress(plan.games, shown=not as_json) as counted:
        outcomes = list(counted(simulate(plan, min(jobs, plan.games))))
    figures = {
        "game": plan.game,
        "rules_version": hosted.game.meta.rules_version,
        "seats": plan.seats,
        "seed": plan.seed,
        **summary(outcomes, time.perf_counter() - started),
        "balance": hosted.game.figures([one.tale for one in outcomes if one.tale is not None]),
    }
    print_json(figures) if as_json else print_figures(figures)
    if figures["failures"]:
        raise click.exceptions.Exit(1)


def check(plan: Plan, hosted: Hosted) -> None:
    """Raise click.BadParameter unless the game takes these seats and options."""
    try:
        options = msgspec.json.decode(plan.options, type=hosted.game.Options)
        check_options(hosted.game, plan.seats, options)
    except (msgspec.MsgspecError, Refusal) as error:
        raise click.BadParameter(f"{hosted.game.meta.title}: {error}") from None


@contextmanager
def progress(games: int, *, shown: bool) -> Iterator[Any]:
    """A bar on stderr, where that is a terminal."""
    columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True, disable=not shown) as bar:

        def counted(outcomes: Iterable[Outcome]) -> Iterator[Outcome]:
            yield from bar.track(outcomes, total=games)

        yield counted


def print_figures(figures: dict[str, Any]) -> None:
    """For people."""
    out.print(
        f"{figures['game']}, {figures['seats']} seats, seed {figures['seed']}: "
        f"{figures['finished']} of {figures['games']} games finished, "
        f"{figures['moves_per_second']:,.0f} moves/s"
    )
    table = Table("", "mean", "95 %", "least", "most", "firsts", box=None, pad_edge=False)
    table.add_row("moves a game", *cells(figures["lengths"]))
    table.add_row("score", *cells(figures["scores"]))
    for seat in figures["scores"]["seats"]:
        table.add_row(f"  seat {seat['seat']}", *cells(seat))
    for name, one in figures["bots"].items():
        low, high = one["firsts"]["ci95"]
        firsts = f"{one['firsts']['mean']:.1%} ({low:.1%} to {high:.1%})"
        table.add_row(f"  {name}", *cells(one["score"]), firsts)
    out.print(table)
    for ending, count in figures["outcomes"].items():
        out.print(f"{count} x {ending}", markup=False)
    for name, one in figures["balance"].items():
        out.print(f"{name.replace('_', ' ')}: {in_words(one)}", markup=False)
    for failure in figures["failures"]:
        err.print(f"game {failure['game']} failed: {failure['error']}", markup=False)


def cells(spread: dict[str, Any]) -> tuple[str, ...]:
    """A spread as it stands in a row."""
    if spread["mean"] is None:
        return ("-",) * 4
    low, high = spread["ci95"]
    return (
        f"{spread['mean']:.2f}",
        f"{low:.2f} to {high:.2f}",
        *map(str, (spread["min"], spread["max"])),
    )


def in_words(figure: Any) -> str:
    """A number, or numbers by name."""
    if isinstance(figure, dict):
        return " ".join(f"{name}={in_words(one)}" for name, one in figure.items())
    return f"{figure:g}"
