"""What an operator does from a shell: check ratings, move records, look at the balance."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from services.runtime.settings import Settings
from services.scoring import results
from services.scoring.database import database_of
from services.scoring.rating import rate_due
from services.scoring.schema import CHANGES
from tests.cli.given import as_json, vallum
from tests.scoring.given import finished
from vallum.client import record_from_json

GAMES = 3


def done(folder: Path, work: Any) -> None:
    """Something with the database of a data directory, on a loop of its own."""

    async def run() -> None:
        database = database_of(Settings(data_dir=folder))
        await database.migrate()
        async with database.begin() as connection:
            await work(connection)
        await rate_due(database)
        await database.close()

    asyncio.run(run())


@pytest.fixture(scope="module")
def simulated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Records of a few simulated matches, one a file."""
    folder = tmp_path_factory.mktemp("simulated")
    played = vallum(
        *("simulate", "ambush", "--seats", 3, "--games", GAMES),
        *("--seed", "s1", "--record", folder, "--json"),
    )
    assert as_json(played)["finished"] == GAMES
    return folder


def test_ratings_that_follow_from_the_log_are_equal(tmp_path: Path) -> None:
    async def store(connection: Any) -> None:
        events = [finished("m1", (1, 2, 3)), finished("m2", (2, 1))]
        await results.store(connection, events, 0)

    done(tmp_path, store)
    verdict = as_json(vallum("ratings", "recompute", "--data", tmp_path, "--json"))
    assert verdict == {
        "equal": True,
        "results": 2,
        "ladders": 2,
        "changes": 5,
        "different": 0,
        "examples": [],
    }


def test_a_rating_that_does_not_is_named(tmp_path: Path) -> None:
    async def forge(connection: Any) -> None:
        await results.store(connection, [finished("m1", (1, 2))], 0)

    async def spoil(connection: Any) -> None:
        bob = update(CHANGES).where(CHANGES.c.name == "bob")
        await connection.execute(bob.values(mu_after=CHANGES.c.mu_after + 1e-12))

    done(tmp_path, forge)
    done(tmp_path, spoil)
    result = vallum("ratings", "recompute", "--data", tmp_path)
    assert result.exit_code == 1
    assert "1 differences" in result.stdout
    assert "'bob'" in result.stdout


def test_records_go_in_for_analysis_once_and_come_out_as_they_were(
    simulated: Path, tmp_path: Path
) -> None:
    files = sorted(simulated.glob("*.json"))
    first = vallum("records", "import", *files, "--data", tmp_path, "--json")
    assert as_json(first) == {"records": GAMES, "new": GAMES}
    again = vallum("records", "import", *files, "--data", tmp_path, "--json")
    assert as_json(again) == {"records": GAMES, "new": 0}
    exported = vallum("records", "export", "--data", tmp_path)
    lines = exported.stdout.splitlines()
    records = [record_from_json(line) for line in lines]
    given = [record_from_json(path.read_text()) for path in files]
    assert sorted(map(str, records)) == sorted(map(str, given))
    everything = tmp_path / "all.ndjson"
    everything.write_text(exported.stdout)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    moved = vallum("records", "import", everything, "--data", elsewhere, "--json")
    assert as_json(moved) == {"records": GAMES, "new": GAMES}
    verdict = as_json(vallum("ratings", "recompute", "--data", tmp_path, "--json"))
    assert (verdict["results"], verdict["changes"]) == (0, 0)


def test_a_record_that_was_tampered_with_is_not_taken_in(simulated: Path, tmp_path: Path) -> None:
    record = json.loads(next(simulated.glob("*.json")).read_text())
    record["result"]["places"][0]["score"] += 1
    forged = tmp_path / "forged.json"
    forged.write_text(json.dumps(record))
    result = vallum("records", "import", forged, "--data", tmp_path)
    assert result.exit_code == 1
    assert "wrong_result" in result.stderr


def test_statistics_are_told_and_drawn(simulated: Path, tmp_path: Path) -> None:
    vallum("records", "import", *simulated.glob("*.json"), "--data", tmp_path, "--json")
    picture = tmp_path / "balance.png"
    asked = ("stats", "ambush", "--seats", 3, "--data", tmp_path)
    figures = as_json(vallum(*asked, "--png", picture, "--json"))
    assert figures["matches"] == GAMES
    assert sum(one["firsts"] for one in figures["seats"]) == pytest.approx(1.0)
    assert {one["key"] for one in figures["lines"]} >= {"renown", "coins"}
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert f"{GAMES} matches" in vallum(*asked).stdout
