"""`vallum play`: a person at a terminal, and what is shown to him."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from typing import Any

import pytest
from click.testing import CliRunner, Result
from google.protobuf.json_format import ParseDict
from rich.console import Console

from services.cli import session as module
from services.cli import showing
from services.cli.changes import changes
from services.cli.main import main
from tests.ambush.hosted import HOSTED
from tests.cli.given import AMBUSH, Up, up
from vallum.client import Client, bot, player
from vallum.great_wall.v1 import view_pb2 as great_wall
from vallum.match.v1 import match_pb2 as pb

WIDE = 160


@pytest.fixture(scope="module")
async def here(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Up]:
    async with up(tmp_path_factory.mktemp("play")) as running:
        yield running


async def played(here: Up, *lines: str, arguments: tuple[str, ...] = ()) -> Result:
    """A session in which these lines are typed."""
    command = ["play", "ambush", "--target", here.facts["target"], "--token", here.facts["token"]]
    return await asyncio.to_thread(
        CliRunner().invoke,
        main,
        [*command, "--bots", "random", *arguments],
        input="\n".join(lines) + "\n",
        env=AMBUSH,
    )


@pytest.fixture(autouse=True)
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal that folds nothing."""
    monkeypatch.setattr(module, "out", Out())


class Out:
    """Writes where standard output is at the moment."""

    def print(self, *texts: object, **style: bool) -> None:
        Console(width=WIDE, highlight=False).print(*texts, **style)  # type: ignore[arg-type]


async def test_a_match_is_played_to_its_end_by_numbers_alone(here: Up) -> None:
    result = await played(here, *["1"] * 300)
    assert result.exit_code == 0, result.output
    assert "the end" in result.stdout
    assert re.search(r"^1\. (you|random 1) with -?\d+", result.stdout, re.MULTILINE)
    assert "random 1: " in result.stdout  # what the bot did is told
    assert "total" in result.stdout


async def test_what_is_asked_for_is_shown_and_changes_nothing(here: Up) -> None:
    result = await played(here, "v", "s", "p 1", "?", "99", "l", "q")
    assert result.exit_code == 0, result.output
    assert "asked: you" in result.stdout
    assert "after " in result.stdout  # the preview
    assert "NUMBER" in result.stdout
    assert re.search(r"^1 to \d+", result.stdout, re.MULTILINE)
    match = re.search(r"--match (matches/\S+) goes on", result.stdout)
    assert match
    async with Client(here.facts["target"], here.facts["token"]) as client:
        log = await client.game("ambush.v1").view(match[1])
        mine = [one for one in log.decisions if one.seat == 0]
        assert mine[0].decision_id == 1


async def test_a_match_is_gone_on_with(here: Up) -> None:
    async with Client(here.facts["target"], here.facts["token"]) as client:
        game = client.game("ambush.v1")
        match = await game.create_match([player("ada"), bot("random")])
    result = await played(here, "q", arguments=("--match", match.name))
    assert match.name in result.stdout
    stays = await played(here, "r", "n", "q", arguments=("--match", match.name))
    assert "the end" not in stays.stdout
    left = await played(here, "r", "y", arguments=("--match", match.name))
    assert left.exit_code == 0, left.output
    assert "the end" in left.stdout


async def test_what_came_of_a_move_is_told_beneath_it(here: Up) -> None:
    result = await played(here, *["1"] * 12, "q")
    assert re.search(r"^random 1: .*\n(.+\n)*?    \S", result.stdout, re.MULTILINE)
    assert re.search(r"^─+ \S.* · you \d+, random 1 \d+ ─+$", result.stdout, re.MULTILINE)


async def test_actions_are_found_by_their_words(here: Up) -> None:
    result = await played(here, "/zzz", "/for", "q")
    listed = result.stdout.rpartition("> ")[0]
    assert "fortify" in listed.rpartition("> ")[2]
    assert "forage" in listed.rpartition("> ")[2]


async def test_a_match_that_is_not_there_is_told_in_a_line(here: Up) -> None:
    result = await played(here, arguments=("--match", "nothing"))
    assert result.exit_code == 1
    assert "Error: match not found" in result.output


async def test_an_unknown_bot_is_refused(here: Up) -> None:
    result = await played(here, arguments=("--bots", "deep_blue"))
    assert result.exit_code == 2
    assert "deep_blue" in result.output


def test_an_action_is_told_by_its_name_and_fields() -> None:
    actions = __import__(f"{HOSTED.package}.actions_pb2", fromlist=["Action"])
    action = actions.Action(fortify={"tower": "TOWER_GATE"})
    assert showing.brief(action) == "fortify tower=gate"


def position(values: dict[str, Any]) -> Any:
    """A position of the Great Wall."""
    return ParseDict(values, great_wall.View())


def test_what_has_changed_is_told_seat_by_seat() -> None:
    names = ["you", "easy 1"]
    before = position(
        {
            "year": 1,
            "clans": [{"clerks": 5, "pool": {"archer": 4}}, {"clan": 1}, {"clan": 2}],
            "sections": [{"section": "SECTION_CENTRE", "wall": 2}, {"section": "SECTION_RIGHT"}],
        }
    )
    desks = [{"location": "LOCATION_QUARRY", "clerks": 2}]
    after = position(
        {
            "year": 2,
            "clans": [
                {"clerks": 3, "pool": {"archer": 5}, "desks": desks},
                {"clan": 1},
                {"clan": 2, "ready": True},
            ],
            "sections": [{"section": "SECTION_CENTRE", "wall": 3}, {"section": "SECTION_RIGHT"}],
        }
    )
    assert changes(before, before, names) == []
    assert changes(before, after, names) == [
        "year 1→2",
        "you: pool archer 4→5, clerks 5→3, desks +quarry",
        "clan 2: ready",
        "centre: wall 2→3",
    ]


def test_columns_are_named_for_what_they_are() -> None:
    made = position(
        {
            "clans": [{}, {"clan": 1}, {"clan": 2}],
            "sections": [{"section": "SECTION_CENTRE"}, {"section": "SECTION_RIGHT"}],
            "places": [{"location": "LOCATION_QUARRY"}] * 7,
        }
    )
    names = ["you", "easy 1"]
    assert showing.heads(made.clans, names) == ["you", "easy 1", "clan 2"]
    assert showing.heads(made.sections, names) == ["centre", "right"]
    assert showing.heads(made.places, names) is None


def test_what_says_nothing_is_not_told() -> None:
    made = position({"clans": [{"desks": [{"location": "LOCATION_QUARRY"}]}]}).clans[0]
    made.general = 0
    assert made.HasField("general")
    assert showing.brief(made) == "desks=quarry"


def test_scores_stand_side_by_side() -> None:
    sheets = [
        pb.ScoreSheet(seat=0, total=3, lines=[pb.ScoreLine(key="old_walls", points=3)]),
        pb.ScoreSheet(seat=1, total=1, lines=[pb.ScoreLine(key="gold", points=1)]),
    ]
    console = Console(width=WIDE)
    with console.capture() as captured:
        console.print(showing.scores(sheets, ["you", "easy 1"]))
    rows = [line.split() for line in captured.get().splitlines()]
    assert rows == [["you", "easy", "1"], ["old", "walls", "3"], ["gold", "1"], ["total", "3", "1"]]
