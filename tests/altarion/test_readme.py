"""The README of Altarion leads from every rule to its file and its tests."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = ROOT / "services" / "altarion" / "README.md"

CHAPTERS = {1: 4, 2: 9, 3: 6, 5: 6, 6: 4, 7: 3, 8: 4, 9: 7, 10: 3, 11: 4, 12: 6, 13: 4, 14: 18}
"""Chapter -> how many rules it has; chapter 4 has 4.0 to 4.3."""

RULES = [f"{chapter}.{rule}" for chapter, last in CHAPTERS.items() for rule in range(1, last + 1)]
RULES += [f"4.{rule}" for rule in range(4)]

ROW = re.compile(r"^\| (\d+\.\d+(?:, \d+\.\d+)*) \| (.+) \| (.+) \| (.+) \|$", re.MULTILINE)
LINK = re.compile(r"\]\((.+?)\)")
ROWS = [row.groups() for row in ROW.finditer(README.read_text())]


def numbers_in(path: Path) -> set[str]:
    """The rules whose numbers the tests of a file carry: test_9_5_14_18_a_tie is of two."""
    names = re.findall(r"^(?:async )?def test_((?:\d+_\d+_)+)", path.read_text(), re.MULTILINE)
    return {f"{one}.{two}" for name in names for one, two in re.findall(r"(\d+)_(\d+)_", name)}


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_has_a_row_and_tests_that_carry_its_number(rule: str) -> None:
    rows = [row for row in ROWS if rule in row[0].split(", ")]
    assert rows
    for _, _, _, tests in rows:
        for link in LINK.findall(tests):
            assert rule in numbers_in((README.parent / link).resolve()), (
                f"{link} does not test {rule}"
            )


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_every_row_leads_somewhere(row: tuple[str, str, str, str]) -> None:
    for link in LINK.findall(row[2] + row[3]):
        assert (README.parent / link).resolve().is_file()
