"""A host and a matchmaker in a process of their own, which may be told where to die."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import Any, NoReturn

import uvloop

from services.matchmaking.bind import matchmaking
from services.matchmaking.desk import Desk
from services.matchmaking.relay import Relay
from services.matchmaking.storage import Corner
from services.referee.bind import rules
from services.runtime import telemetry
from services.runtime.app import App
from services.runtime.settings import Settings
from tests.ambush.hosted import HOSTED

BOTS = frozenset({"random"})
STEPS = (
    "groups chosen",
    "claim sent",
    "claim answered",
    "consent sent",
    "before publishing",
    "after publishing",
)


def die(*_: Any) -> NoReturn:
    """As kill -9 does."""
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("still here")


def die_at(step: str) -> None:
    """Let this process die when it first comes to a step of forming a match."""
    match step:
        case "groups chosen":
            Desk._claim = die  # type: ignore[method-assign, assignment]
        case "claim sent":
            after_running("claim")
        case "claim answered":
            Desk._note = die  # type: ignore[method-assign, assignment]
        case "consent sent":
            after_running("accept", b"formed")
        case "before publishing":
            Relay.send = die  # type: ignore[method-assign, assignment]
        case "after publishing":
            send = Relay.send

            async def sent(*args: Any) -> None:
                await send(*args)
                die()

            Relay.send = sent  # type: ignore[method-assign, assignment]


def after_running(script: str, word: bytes = b"ok") -> None:
    """Die once a script has run, before anybody learns of it."""
    run_all = Corner.run_all

    async def ran(corner: Corner, name: str, calls: Any) -> list[Any]:
        answers = await run_all(corner, name, calls)
        if name == script and any(answer[0] == word for answer in answers):
            die()
        return answers

    Corner.run_all = ran  # type: ignore[method-assign, assignment]


async def main(redis_url: str, key_file: str, port: int, step: str = "") -> None:
    """Serve, say on which port, until the parent closes our input."""
    settings = Settings(
        redis_url=redis_url,
        key_file=Path(key_file),
        data_dir=Path(key_file).parent,
        port=port,
        log_level="warning",
    )
    telemetry.setup("faults", settings)
    die_at(step)
    games = {"ambush": HOSTED}
    async with App(settings, [rules(HOSTED, BOTS), matchmaking(games, BOTS)]) as app:
        print(app.port, flush=True)
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


if __name__ == "__main__":
    uvloop.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), *sys.argv[4:]))
