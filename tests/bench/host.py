"""The conformance game's rules service, alone in a process."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import uvloop

from services.referee.bind import rules
from services.runtime import telemetry
from services.runtime.app import App, quiet_collector
from services.runtime.settings import Settings
from tests.ambush.hosted import HOSTED


async def main(redis_url: str, key_file: str, port: int) -> None:
    """Serve, say on which port, until the parent closes our input."""
    settings = Settings(
        redis_url=redis_url,
        key_file=Path(key_file),
        port=port,
        log_level="warning",
        rate_player=0,
        rate_tenant=0,
    )
    telemetry.setup("bench", settings)
    async with App(settings, [rules(HOSTED, frozenset({"random"}))]) as app:
        quiet_collector()
        print(app.port, flush=True)
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


if __name__ == "__main__":
    uvloop.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
