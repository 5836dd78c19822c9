"""A matchmaker alone in a process."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import uvloop

from services.matchmaking.bind import matchmaking
from services.runtime import telemetry
from services.runtime.app import App
from services.runtime.settings import Settings
from tests.ambush.hosted import HOSTED


async def main(redis_url: str, key_file: str) -> None:
    """Serve, say on which port, until the parent closes our input."""
    settings = Settings(
        redis_url=redis_url,
        key_file=Path(key_file),
        data_dir=Path(key_file).parent,
        port=0,
        request_limit=1024 * 1024,
        log_level="warning",
    )
    telemetry.setup("bench", settings)
    async with App(settings, [matchmaking({"ambush": HOSTED}, frozenset({"random"}))]) as app:
        print(app.port, flush=True)
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


if __name__ == "__main__":
    uvloop.run(main(sys.argv[1], sys.argv[2]))
