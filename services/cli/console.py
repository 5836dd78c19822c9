"""What commands write: results to stdout, everything else to stderr."""

from __future__ import annotations

import json
from typing import Any

import click
from rich.console import Console

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)

json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object and nothing else."
)


def print_json(values: Any) -> None:
    """One JSON object on a line of its own."""
    click.echo(json.dumps(values, ensure_ascii=False))
