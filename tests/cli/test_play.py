"""`vallum play`: a person at a terminal, and what is shown to him."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator

import pytest
from click.testing import CliRunner, Result
from rich.console import Console

from services.cli import play as module
from services.cli import showing
from services.cli.main import main
from tests.ambush.hosted import HOSTED
from tests.cli.given import AMBUSH, Up, up
from vallum.client import Client, bot, player
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
    left = await played(here, "r", arguments=("--match", match.name))
    assert left.exit_code == 0, left.output
    assert "the end" in left.stdout


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
