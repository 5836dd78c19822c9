"""`vallum games`: what is hosted."""

from __future__ import annotations

from typing import Any

import click
from rich.table import Table

from services.cli.console import json_option, out, print_json
from services.cli.hosting import games
from services.gamekit.hosted import Hosted
from services.runtime.settings import Settings


@click.command("games")
@json_option
def command(as_json: bool) -> None:
    """List the hosted games."""
    rows = [described(one) for one in games(Settings.load()).values()]
    if as_json:
        print_json({"games": rows})
        return
    table = Table("game", "title", "seats", "rules", "contract", box=None, pad_edge=False)
    for row in rows:
        seats = f"{row['min_seats']}-{row['max_seats']}"
        table.add_row(row["game"], row["title"], seats, row["rules_version"], row["package"])
    out.print(table)


def described(hosted: Hosted) -> dict[str, Any]:
    """A game in a few words."""
    meta = hosted.game.meta
    return {
        "game": meta.key,
        "title": meta.title,
        "min_seats": meta.min_seats,
        "max_seats": meta.max_seats,
        "rules_version": meta.rules_version,
        "package": hosted.package,
    }
