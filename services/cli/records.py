"""`vallum records`: finished matches out of the archive, and into one for analysis."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import click

from services.cli.console import err, json_option, out, print_json
from services.cli.hosting import games
from services.cli.ratings import data_option, with_database
from services.lab.verify import Wrong, verify
from services.runtime.database import Database
from services.runtime.settings import Settings
from services.scoring.archive import Archive, Nowhere
from services.scoring.imports import take_in
from vallum.client import record_from_json, record_to_json
from vallum.match.v1 import match_pb2 as pb


@click.group("records")
def command() -> None:
    """Export and import the records of finished matches, one JSON object a line (NDJSON)."""


@command.command("export")
@click.option("--game", default="", help="Only of this game.")
@click.option("--tenant", help="Only of this tenant.")
@click.option("--out", "target", type=click.File("w", lazy=True), default="-", help="[stdout]")
@data_option
def export(game: str, tenant: str | None, target: IO[str], data_dir: Path | None) -> None:
    """Write every archived record, in the order in which the matches ended."""

    async def write(database: Database) -> int:
        written = 0
        async for record in Archive(database, Nowhere()).export(game, tenant):
            target.write(json.dumps(record_to_json(record), ensure_ascii=False) + "\n")
            written += 1
        return written

    count = with_database(Settings.load(data_dir=data_dir), write)
    err.print(f"{count} records")


@command.command("import")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--tenant", default="imported", show_default=True, help="Whose they become.")
@click.option("--unverified", is_flag=True, help="Do not replay them.")
@data_option
@json_option
def import_(
    files: tuple[Path, ...], tenant: str, unverified: bool, data_dir: Path | None, as_json: bool
) -> None:
    """Take records in for analysis: NDJSON, or files with one record each, as `vallum simulate
    --record` writes them. Each is verified first. They rate nobody."""
    settings = Settings.load(data_dir=data_dir)
    known = games(settings)
    found = [
        checked(place, text, None if unverified else known)
        for path in files
        for place, text in texts(path)
    ]

    async def keep(database: Database) -> int:
        archive = Archive(database, Nowhere())
        return sum([await take_in(database, archive, record, tenant) for record in found])

    new = with_database(settings, keep)
    if as_json:
        print_json({"records": len(found), "new": new})
    else:
        out.print(f"{len(found)} records, {new} of them new")


def texts(path: Path) -> Iterator[tuple[str, str]]:
    """(where, JSON) of each record in a file. Raises click.ClickException."""
    try:
        text = path.read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise click.ClickException(f"{path}: {error}") from None
    lines = [line for line in text.splitlines() if line.strip()]
    if all(line.startswith("{") and line.endswith("}") and len(line) > 2 for line in lines):
        yield from ((f"{path}:{number}", line) for number, line in enumerate(lines, 1))
    else:
        yield str(path), text


def checked(place: str, text: str, known: Any) -> pb.Record:
    """A record that holds. Raises click.ClickException."""
    try:
        if known is not None:
            verify(text.encode(), known)
        return record_from_json(text)
    except Wrong as wrong:
        raise click.ClickException(f"{place}: {wrong.where}: {wrong.code}: {wrong}") from None
    except ValueError as error:
        raise click.ClickException(f"{place}: {error}") from None
