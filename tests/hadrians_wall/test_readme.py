"""The README of the game says what there is."""

from __future__ import annotations

import re
from pathlib import Path

from services.hadrians_wall.game import GAME
from services.hadrians_wall.offers import Area
from services.hadrians_wall.rules.finish import Finish

FOLDER = Path(__file__).parents[2] / "services" / "hadrians_wall"
TEXT = (FOLDER / "README.md").read_text()


def test_every_area_is_listed_once() -> None:
    section = TEXT.split("## Areas")[1].split("## Rulings")[0]
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    listed = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    assert sorted(listed) == sorted(Area)


def test_every_move_of_a_seat_is_listed() -> None:
    for kind in GAME.moves["actions"]:
        assert kind is Finish or f"`{kind.__name__}`" in TEXT


def test_every_file_is_there_and_every_file_of_rules_is_named() -> None:
    named = re.findall(r"\]\(([\w./]+)\)", TEXT)
    for name in named:
        assert (FOLDER / name).resolve().exists(), name
    for path in (FOLDER / "rules").glob("[a-z]*.py"):
        assert f"rules/{path.name}" in named
