"""Records of simulated matches of the conformance game."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from services.lab.simulate import Plan, play_one
from services.lab.verify import Verified, Wrong, verify
from tests.ambush.hosted import HOSTED

GAMES = {"ambush": HOSTED}
PLAN = Plan(
    game="ambush",
    seats=3,
    games=4,
    bots=("random", "greedy"),
    seed="7",
    extra_games=("tests.ambush.hosted",),
)


@cache
def record_text() -> bytes:
    """A good record, as `vallum simulate --record` writes it."""
    with TemporaryDirectory() as folder:
        outcome = play_one(with_records(Path(folder)), 0)
        assert not outcome.error
        (path,) = Path(folder).iterdir()
        return path.read_bytes()


def with_records(folder: Path) -> Plan:
    """The plan, its records in a folder."""
    return Plan(
        **{name: getattr(PLAN, name) for name in PLAN.__struct_fields__} | {"record": folder}
    )


def record() -> dict[str, Any]:
    """The same, to be changed."""
    values: dict[str, Any] = json.loads(record_text())
    return values


def judged(values: dict[str, Any] | bytes) -> Verified | Wrong:
    """What is found."""
    text = values if isinstance(values, bytes) else json.dumps(values).encode()
    try:
        return verify(text, GAMES)
    except Wrong as wrong:
        return wrong


def wrong(values: dict[str, Any] | bytes) -> Wrong:
    """What is found to be wrong; something must be."""
    found = judged(values)
    assert isinstance(found, Wrong), "nothing was found wrong"
    return found
