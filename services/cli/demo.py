"""`vallum demo`: one match through the public API."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import click
import uvloop

from services.cli.console import err, print_json
from services.cli.hosting import game_named, games
from services.cli.token import key_file
from services.runtime.auth import Caller, Keys, Role
from services.runtime.settings import Settings, SettingsError
from vallum.client import Client, GameClient, VallumCallError, Watch, bot, player
from vallum.match.v1 import match_pb2 as pb
from vallum.scoring.v1 import scoring_pb2 as sc
from vallum.scoring.v1.scoring_pb2_grpc import ScoringServiceStub

SEATS = 4
PEOPLE = ("ada", "bob", "cleo", "dido")
PATIENCE = 300.0
"""Seconds that the match may take."""
ELSEWHERE = (
    "VALLUM_REDIS_URL",
    "VALLUM_METRICS_PORT",
    "VALLUM_KEY_FILE",
    "VALLUM_RULES_TARGETS",
    "VALLUM_ACCOUNTS_DB",
    "VALLUM_SCORING_DB",
    "VALLUM_SCORING_TARGET",
)
"""Variables that a server beside the demo's own may have been given."""
FAVOURITE = "hadrians_wall"


@click.command("demo")
@click.option("--game", help="Which game. [hadrians_wall where it is hosted]")
@click.option("--bots", default="medium,greedy", show_default=True, help="Up to three.")
def command(game: str | None, bots: str) -> None:
    """Start a fresh `vallum up`, play one ranked match of four seats through its public API, with
    bots on some of them, and end with one line of JSON: match, places, scores, ratings.

    The moves are told on stderr; the line is all that comes on stdout.
    """
    settings = Settings.load()
    hosted = game_named(settings, game or favourite(settings))
    policies = [name.strip() for name in bots.split(",")]
    if not 1 <= len(policies) < SEATS:
        raise click.BadParameter(f"1 to {SEATS - 1} bots are needed, comma-separated")
    print_json(told(uvloop.run(played(hosted.package, policies))))


def favourite(settings: Settings) -> str:
    """What is shown when nobody asks for another."""
    known = games(settings)
    if not known:
        raise SettingsError("no game is hosted: name modules in VALLUM_EXTRA_GAMES")
    return FAVOURITE if FAVOURITE in known else min(known)


async def played(package: str, policies: list[str]) -> sc.MatchResult:
    """The match as it was scored and rated."""
    people = PEOPLE[: SEATS - len(policies)]
    with TemporaryDirectory(prefix="vallum-demo-") as folder:
        async with (
            running(Path(folder)) as facts,
            AsyncExitStack() as clients,
            asyncio.timeout(PATIENCE),
        ):
            keys = Keys.load(key_file(Settings(data_dir=Path(facts["data_dir"]))))

            async def client(name: str, role: Role = Role.PLAYER) -> Client:
                token = keys.mint(Caller(name, facts["tenant"], role))
                return await clients.enter_async_context(Client(facts["target"], token))

            backend = await client("backend", Role.TENANT)
            seats = [*map(player, people), *map(bot, policies)]
            match = await backend.game(package).create_match(seats, mode=pb.MODE_RANKED)
            err.print(f"{match.name} of {match.game} at {facts['target']}")
            games = [(await client(name)).game(package) for name in people]
            await asyncio.gather(
                follow(backend.game(package).watch(match)),
                *(play(game, match.name, seat) for seat, game in enumerate(games)),
            )
            return await scored(backend, match.name)


async def scored(client: Client, match: str) -> sc.MatchResult:
    """The result, once the scoring service has rated it and has its record."""
    stub: Any = client.stub(ScoringServiceStub)
    while True:
        try:
            request = sc.GetResultRequest(name=match)
            result: sc.MatchResult = (await client.call(stub.GetResult, request)).result
            if result.rated and result.archived:
                return result
        except VallumCallError as error:
            if error.code != "match_not_found":
                raise
        await asyncio.sleep(0.1)


async def follow(updates: Watch) -> None:
    """Tell the updates as they come, until the end."""
    async for update in updates:
        move = update.action.WhichOneof("kind") or update.event
        who = "nature" if update.seat < 0 else f"seat {update.seat}"
        err.print(f"{update.version:>5}  {who:<7} {move}")


async def play(game: GameClient, match: str, seat: int) -> None:
    """Answer every question of one's seat with any legal action, until the match has ended."""
    rng = Random(f"{match}/{seat}")  # noqa: S311 # play, not secrecy
    async for update in game.watch(match):
        if all(decision.seat != seat for decision in update.decisions):
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


def told(result: sc.MatchResult) -> dict[str, Any]:
    """How it ended."""
    match = result.match
    places = [
        {"seat": one.seat, "place": one.place, "score": one.score, "decided_by": one.decided_by}
        for one in result.places
    ]
    ratings = [
        {
            "player": one.player,
            "ladder": "bots" if one.ladder.bots else "players",
            "mu": [one.mu_before, one.mu_after],
            "sigma": [one.sigma_before, one.sigma_after],
        }
        for one in result.rating_changes
    ]
    return {
        "match": match.name,
        "game": match.game,
        "versions": match.version,
        "seats": [seat.player or f"bot:{seat.bot}" for seat in match.seats],
        "places": places,
        "scores": {str(sheet.seat): sheet.total for sheet in match.result.sheets},
        "sheets": {
            str(sheet.seat): {line.key: line.points for line in sheet.lines}
            for sheet in match.result.sheets
        },
        "ratings": ratings,
    }
