"""`vallum verify`: checks records offline."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from services.cli.console import err, json_option, out, print_json
from services.cli.hosting import games
from services.gamekit.hosted import Hosted
from services.lab.verify import Wrong, verify
from services.runtime.settings import Settings


@click.command("verify")
@click.argument("records", nargs=-1, required=True, type=click.Path(path_type=Path))
@json_option
def command(records: tuple[Path, ...], as_json: bool) -> None:
    """Replay finished matches from their RECORDS, offline.

    Checks the seed against its commitment, every draw, the legality of every move, the chain of
    hashes, and the result. Names the first entry that is wrong, and then ends with status 1.
    """
    known = games(Settings.load())
    verdicts = []
    for path in records:
        verdict = judged(path, known)
        verdicts.append(verdict)
        if not as_json:
            print_verdict(verdict)
    good = all(verdict["ok"] for verdict in verdicts)
    if as_json:
        print_json({"ok": good, "records": verdicts})
    if not good:
        raise click.exceptions.Exit(1)


def judged(path: Path, known: Mapping[str, Hosted]) -> dict[str, Any]:
    """What is to be said of one file."""
    verdict: dict[str, Any] = {"file": str(path), "ok": False}
    try:
        found = verify(path.read_bytes(), known)
    except OSError as error:
        return verdict | {"code": "unreadable_file", "message": error.strerror}
    except Wrong as wrong:
        told = {"code": wrong.code, "entry": wrong.entry, "where": wrong.where}
        return verdict | told | {"message": str(wrong)}
    return verdict | {"ok": True, **found._asdict()}


def print_verdict(verdict: dict[str, Any]) -> None:
    """For people."""
    if verdict["ok"]:
        text = f"{verdict['game']}, {verdict['name']}, {verdict['entries']} entries"
        out.print(f"[green]good[/]   {verdict['file']}: {text}", soft_wrap=True)
        return
    where = f"{verdict['where']}: " if "where" in verdict else ""
    text = f"{where}{verdict['code']}: {verdict['message']}"
    err.print(f"[red]wrong[/]  {verdict['file']}: ", end="", soft_wrap=True)
    err.print(text, markup=False, soft_wrap=True)
