"""The examples, run as they stand against a running platform."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from asyncio.subprocess import PIPE, STDOUT
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from services.games import GAMES
from tests.cli.given import READY, up
from tests.until import until
from vallum import client
from vallum.client import Accounts, Client, Lobby, bot, player
from vallum.client.lobby import sits, sits_bot
from vallum.matchmaking.v1 import lobby_pb2 as lb

ROOT = Path(__file__).parents[2]
EXAMPLES, ACCOUNTS = ROOT / "examples", ROOT / "docs/accounts.md"
ENOUGH = 3
"""Moves that the bot makes in each match, or more."""


@asynccontextmanager
async def example(name: str, *given: str, **variables: str) -> AsyncIterator[list[str]]:
    """An example that runs until the end of the block; the lines that it has printed."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, str(EXAMPLES / name), *given),
        env=os.environ | variables,
        stdout=PIPE,
        stderr=STDOUT,
    )
    lines: list[str] = []

    async def listen() -> None:
        assert process.stdout is not None
        async for line in process.stdout:
            lines.append(line.decode().rstrip())  # noqa: PERF401 # one by one, as they come

    listening = asyncio.create_task(listen())
    try:
        yield lines
        assert process.returncode is None, lines
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
        await listening


@pytest.fixture(scope="module")
async def facts(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[dict[str, Any]]:
    """What a running platform says of itself."""
    async with up(tmp_path_factory.mktemp("examples")) as here:
        yield here.facts


@pytest.mark.timeout(300)  # it starts everything, on a machine that may be busy
async def test_a_bot_of_ones_own_plays_every_game_and_comes_when_invited(
    facts: dict[str, Any],
) -> None:
    given = {"VALLUM": facts["url"], "API_KEY": facts["api_key"]}
    async with (
        Client(facts["target"], api_key=facts["api_key"]) as studio,
        example("bot.py", "marvin", **given) as lines,
        asyncio.timeout(READY),
    ):
        marvin = (await Accounts(studio).ensure_player("marvin")).name.removeprefix("players/")
        matches = [
            await studio.game(key).create_match(
                [player(marvin), *[bot("random")] * (max(2, one.game.meta.min_seats) - 1)]
            )
            for key, one in GAMES.items()
        ]
        ann = studio.as_player("ann")
        me = (await Accounts(studio).ensure_player("ann")).name.removeprefix("players/")
        seats = [sits(me), sits(marvin), sits_bot("random")]
        table = await Lobby(ann).create("hadrians_wall", seats)
        async for seen in Lobby(ann).watch(table):
            if seen.seats[1].player and seen.seats[1].ready:
                break
        assert seen.state == lb.TABLE_STATE_OPEN

        async def played() -> bool:
            return all(moves(lines, one.name) >= ENOUGH for one in matches)

        await until(played, READY)
    assert not [line for line in lines if "refused" in line or "Error" in line]


@pytest.mark.timeout(300)  # as above
async def test_the_backend_of_the_accounts_page(facts: dict[str, Any]) -> None:
    """As it stands there, within a function and with the names that it takes as given."""
    (code,) = re.findall(r"```python\n(.*?)```", ACCOUNTS.read_text(), re.DOTALL)
    lines = "".join(f"    {line}\n" for line in code.splitlines())
    target = facts["url"].removeprefix("http://")
    found: dict[str, Any] = {
        "KEY": facts["api_key"],
        **{name: getattr(client, name) for name in ("Accounts", "Client", "bot", "player")},
    }
    text = f"async def backend():\n{lines}    return app, match"
    exec(text.replace("127.0.0.1:7400", target), found)
    app, match = await asyncio.wait_for(found["backend"](), READY)
    assert app.player.display_name == "Ann"
    assert match.seats[0].player == app.player.name.removeprefix("players/")


def moves(lines: list[str], match: str) -> int:
    """How many moves the bot says that it has made in a match."""
    return sum(bool(re.match(rf"{match} seat 0: \w+$", line)) for line in lines)
