"""The game's page maps every numbered rule to a file and a test that exist."""

from __future__ import annotations

import re
from pathlib import Path

FOLDER = Path("services/great_wall")
TESTS = Path("tests/great_wall")
CHAPTERS = {0: 7, 1: 7, 3: 4, 4: 4, 5: 3, 6: 5, 7: 10, 8: 7, 9: 2, 10: 2, 11: 2, 12: 5, 14: 4}
CHAPTERS |= {15: 7, 18: 14}
"""How many numbered rules each chapter has."""

PAGE = (FOLDER / "README.md").read_text()
ROWS = [line.split("|")[1:4] for line in PAGE.splitlines() if re.match(r"\| R\d", line)]


def test_every_numbered_rule_has_a_row() -> None:
    listed = {row[0].split()[0] for row in ROWS}
    numbers = {
        f"R{chapter}.{rule}" for chapter, most in CHAPTERS.items() for rule in range(1, most + 1)
    }
    assert not numbers - listed


def test_every_file_of_a_row_exists() -> None:
    for rule, files, tests in ROWS:
        for name in re.findall(r"`([\w/]+\.py)`", files):
            assert (FOLDER / name).exists(), (rule, name)
        assert re.search(r"`test_\w+\.py|`tests/every_game`", tests), rule


def test_every_test_that_the_page_names_exists() -> None:
    for file, test in re.findall(r"`(test_\w+\.py)(?:::(\w+))?`", PAGE):
        text = (TESTS / file).read_text()
        assert not test or f"def {test}(" in text, test
