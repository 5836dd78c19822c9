"""`vallum rules`: what there is to know of a game before it starts."""

from __future__ import annotations

from typing import Any

import click
import msgspec
from rich.table import Table

from services.cli.console import json_option, out, print_json
from services.cli.games import described
from services.cli.hosting import game_named
from services.gamekit.game import Game
from services.gamekit.hosted import Hosted
from services.runtime.settings import Settings


@click.command("rules")
@click.argument("game")
@json_option
def command(game: str, as_json: bool) -> None:
    """Show GAME's version, seats, options with their defaults, and moves."""
    hosted = game_named(Settings.load(), game)
    facts = told(hosted)
    if as_json:
        print_json(facts)
        return
    print_facts(facts)


def told(hosted: Hosted) -> dict[str, Any]:
    """Everything about a game."""
    meta = hosted.game.meta
    return {
        **described(hosted),
        "options": options(hosted.game),
        "prompts": {
            prompt: [str(kind.__struct_config__.tag) for kind in kinds]
            for prompt, kinds in hosted.game.moves.items()
        },
        "deferred": list(meta.deferred),
        "windows": list(meta.windows),
    }


def options(game: Game[Any]) -> dict[str, dict[str, Any]]:
    """Each option: its type, its values where it has few, its default."""
    schema, parts = msgspec.json.schema_components([game.Options])
    del schema
    properties = parts[game.Options.__name__].get("properties", {})
    return {name: option(one, parts) for name, one in properties.items()}


def option(schema: dict[str, Any], parts: dict[str, Any]) -> dict[str, Any]:
    """One option, from its JSON schema."""
    default = schema.get("default")
    found = dict(schema)
    for one in (schema, *schema.get("anyOf", ())):
        if "$ref" in one:
            found |= parts[one["$ref"].rsplit("/", 1)[1]]
        elif "type" in one and one["type"] != "null":
            found |= one
    values = {"type": found.get("type", "string"), "default": default}
    return values | ({"values": found["enum"]} if "enum" in found else {})


def print_facts(facts: dict[str, Any]) -> None:
    """For people."""
    seats = f"{facts['min_seats']} to {facts['max_seats']}"
    out.print(f"[bold]{facts['title']}[/] ({facts['game']}), rules {facts['rules_version']}")
    out.print(f"Seats: {seats}. Contract: {facts['package']}\n")
    table = Table("option", "type", "default", "values", box=None, pad_edge=False)
    for name, one in facts["options"].items():
        values = ", ".join(map(str, one.get("values", ())))
        table.add_row(name, one["type"], str(one["default"]), values)
    out.print(table if facts["options"] else "No options.")
    table = Table("\nprompt", "\nmoves", box=None, pad_edge=False)
    for prompt, kinds in facts["prompts"].items():
        table.add_row(prompt, ", ".join(kinds))
    out.print(table)
