"""The rules play as they did: a change shows as a difference in the golden files.

`python -m tests.every_game.record` writes them anew; read the difference before you commit it.
"""

from __future__ import annotations

import pytest

from tests.every_game import golden
from tests.every_game.cases import CASES, Case

RECORD = "run `python -m tests.every_game.record` and read the difference"

every_case = pytest.mark.parametrize("case", CASES, ids=str)


@every_case
def test_a_match_of_random_moves_reads_as_it_did(case: Case) -> None:
    path = golden.text_path(case)
    assert path.exists(), f"{case} has no playthrough: {RECORD}"
    assert golden.text(case) == path.read_text(), RECORD


@every_case
def test_there_are_as_many_lines_of_play_as_there_were(case: Case) -> None:
    path = golden.counts_path(case)
    assert path.exists(), f"{case} has no counts: {RECORD}"
    assert golden.counts_text(case) == path.read_text(), RECORD


def test_every_golden_file_belongs_to_a_game() -> None:
    known = {path for case in CASES for path in (golden.text_path(case), golden.counts_path(case))}
    assert set(golden.FOLDER.iterdir()) == known
