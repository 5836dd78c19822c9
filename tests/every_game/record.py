"""Writes the golden files anew: `python -m tests.every_game.record [GAME…]`."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.every_game import golden
from tests.every_game.cases import CASES


def main(keys: list[str]) -> None:
    """Write the files of these games, or of all; drop those of games that are gone."""
    known: set[Path] = set()
    for case in CASES:
        files = {golden.text_path(case): golden.text, golden.counts_path(case): golden.counts_text}
        known |= files.keys()
        if not keys or case.game.meta.key in keys:
            for path, text in files.items():
                path.write_text(text(case))
    for path in set(golden.FOLDER.iterdir()) - known:
        path.unlink()


if __name__ == "__main__":
    main(sys.argv[1:])
