"""`vallum demo`: one match through the public API."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import click
import uvloop

from services.cli.console import err, print_json
from services.cli.hosting import game_named, games
from services.runtime.settings import Settings, SettingsError
from vallum.client import Client, GameClient, Watch, bot, player
from vallum.match.v1 import match_pb2 as pb

SEATS = 4
PATIENCE = 300.0
"""Seconds that the match may take."""
ELSEWHERE = ("VALLUM_REDIS_URL", "VALLUM_METRICS_PORT")
"""Variables that a server beside the demo's own may have been given."""
FAVOURITE = "hadrians_wall"


@click.command("demo")
@click.option("--game", help="Which game. [hadrians_wall where it is hosted]")
@click.option("--bots", default="medium,easy,greedy", show_default=True)
def command(game: str | None, bots: str) -> None:
    """Start a fresh `vallum up`, play one match of four seats through its public API, with bots
    on three of them, and end with one line of JSON: match, places, scores, ratings.

    The moves are told on stderr; the line is all that comes on stdout.
    """
    settings = Settings.load()
    hosted = game_named(settings, game or favourite(settings))
    policies = [name.strip() for name in bots.split(",")]
    if len(policies) != SEATS - 1:
        raise click.BadParameter(f"{SEATS - 1} bots are needed, comma-separated")
    match = uvloop.run(played(hosted.package, policies))
    print_json(told(match))


def favourite(settings: Settings) -> str:
    """What is shown when nobody asks for another."""
    known = games(settings)
    if not known:
        raise SettingsError("no game is hosted: name modules in VALLUM_EXTRA_GAMES")
    return FAVOURITE if FAVOURITE in known else min(known)


async def played(package: str, policies: list[str]) -> pb.Match:
    """The finished match."""
    with TemporaryDirectory(prefix="vallum-demo-") as folder:
        async with (
            running(Path(folder)) as facts,
            Client(facts["target"], facts["token"]) as client,
            asyncio.timeout(PATIENCE),
        ):
            game = client.game(package)
            seats = [player(facts["player"]), *map(bot, policies)]
            match = await game.create_match(seats)
            err.print(f"{match.name} of {match.game} at {facts['target']}")
            await asyncio.gather(follow(game.watch(match)), play(game, match.name))
            return await game.get_match(match)


async def follow(updates: Watch) -> None:
    """Tell the updates as they come, until the end."""
    async for update in updates:
        move = update.action.WhichOneof("kind") or update.event
        who = "nature" if update.seat < 0 else f"seat {update.seat}"
        err.print(f"{update.version:>5}  {who:<7} {move}")


async def play(game: GameClient, match: str) -> None:
    """Answer every question of one's seat with any legal action, until the match has ended."""
    rng = Random(match)  # noqa: S311 # play, not secrecy
    async for update in game.watch(match):
        if all(decision.seat != 0 for decision in update.decisions):
            continue
        while (listed := await game.actions(match)).actions:
            await game.play(
                match, rng.choice(listed.actions), expected_decision=listed.decision.decision_id
            )


@asynccontextmanager
async def running(folder: Path) -> AsyncIterator[dict[str, Any]]:
    """A fresh `vallum up` on free ports; what it says of itself."""
    ours = {name: text for name, text in os.environ.items() if name not in ELSEWHERE}
    command = (sys.executable, "-m", "services.cli", "up", "--json", "--port", "0", "--attached")
    process = await asyncio.create_subprocess_exec(
        *command, "--data", str(folder), env=ours, stdin=PIPE, stdout=PIPE
    )
    try:
        assert process.stdout is not None
        line = await process.stdout.readline()
        if not line:
            raise SettingsError("`vallum up` has not started")
        yield json.loads(line)
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


def told(match: pb.Match) -> dict[str, Any]:
    """How it ended."""
    places = [
        {"seat": one.seat, "place": one.place, "score": one.score, "decided_by": one.decided_by}
        for one in match.result.places
    ]
    scores = {str(sheet.seat): sheet.total for sheet in match.result.sheets}
    return {
        "match": match.name,
        "game": match.game,
        "versions": match.version,
        "places": places,
        "scores": scores,
        "ratings": {},
    }
