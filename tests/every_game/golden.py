"""Golden files: what a match looks like in text, and how many lines of play there are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from services.gamekit.testing import any_legal, perft, playout, playthrough
from tests.every_game.cases import Case

FOLDER = Path(__file__).parent.parent / "playthroughs"
SEED = 1
DEPTH = 3
SPOTS = 8
"""Positions of the playthrough at which lines of play are counted."""


def text_path(case: Case) -> Path:
    """Where a game's playthrough for a number of seats is kept."""
    return FOLDER / f"{case}.txt"


def text(case: Case) -> str:
    """The playthrough as the rules play it today."""
    return playthrough(*case, seed=SEED)


def counts_path(case: Case) -> Path:
    """Where the counts are kept."""
    return FOLDER / f"{case}.perft.json"


def counts(case: Case) -> dict[str, Any]:
    """Lines of play of 1 to `DEPTH` moves, at the start and from some moves of the playthrough."""
    steps = playout(*case, seed=SEED, choose=any_legal)
    every = max(1, len(steps) // SPOTS)
    return {
        f"before move {number + 1}": [
            perft(case.game, steps[number].state, depth) for depth in range(1, DEPTH + 1)
        ]
        for number in range(0, len(steps), every)
    }


def counts_text(case: Case) -> str:
    """The counts as they are kept."""
    rows = (f"  {json.dumps(spot)}: {json.dumps(row)}" for spot, row in counts(case).items())
    return "{\n" + ",\n".join(rows) + "\n}\n"
