"""The `vallum` command, in this process where it answers at once, as a process where it serves."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

from click.testing import CliRunner, Result

from services.cli import main

READY = 100.0
"""Seconds in which a server must say that it is up."""
AMBUSH = {"VALLUM_EXTRA_GAMES": "tests.ambush.hosted"}


def vallum(*arguments: object, **variables: str) -> Result:
    """Run a command to its end; `variables` are settings, without their prefix."""
    given = {f"VALLUM_{name.upper()}": text for name, text in variables.items()}
    return CliRunner().invoke(main, [str(one) for one in arguments], env=AMBUSH | given)


def as_json(result: Result) -> Any:
    """The one JSON object that a command printed."""
    assert len(result.stdout.splitlines()) == 1, result.output
    return json.loads(result.stdout)


class Up(NamedTuple):
    """A running `vallum up`."""

    process: Process
    facts: dict[str, Any]

    async def stop(self, signum: int = signal.SIGTERM) -> int:
        """Ask it to end; its exit status."""
        self.process.send_signal(signum)
        return await asyncio.wait_for(self.process.wait(), READY)


async def started(*arguments: str, **variables: str) -> Process:
    """A command that serves, as a process; `variables` as for `vallum`."""
    ours = {key: text for key, text in os.environ.items() if not key.startswith("VALLUM_")}
    given = {f"VALLUM_{name.upper()}": text for name, text in variables.items()}
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "services.cli", *arguments),
        env=ours | AMBUSH | {"VALLUM_BOTS_PROCESSES": "1"} | given,
        stdin=PIPE,
        stdout=PIPE,
        stderr=PIPE,
    )


@asynccontextmanager
async def up(data: Path, *more: str, **variables: str) -> AsyncIterator[Up]:
    """A server that is up; ended with the block at the latest. `variables` as for `vallum`."""
    given = ("--json", "--attached", "--data", str(data), "--port", "0", *more)
    process = await started("up", *given, **variables)
    assert process.stdout is not None
    assert process.stderr is not None
    try:
        line = await asyncio.wait_for(process.stdout.readline(), READY)
        assert line, (await process.stderr.read()).decode()
        yield Up(process, json.loads(line))
    finally:
        if process.returncode is None:
            process.terminate()
            await asyncio.wait_for(process.wait(), READY)
