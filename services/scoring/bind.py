"""Putting the scoring service together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from services.runtime.app import App, Bind
from services.runtime.auth import Keys
from services.runtime.bus import Bus
from services.runtime.calls import Calls, signing
from services.runtime.consumer import Consumer
from services.runtime.letters import DeadLetters
from services.runtime.loops import ended
from services.runtime.redis import connect
from services.runtime.retention import keep_trimmed
from services.scoring.archive import Archive
from services.scoring.boards import Boards
from services.scoring.corrections import Corrections
from services.scoring.database import database_of
from services.scoring.handlers import Handlers
from services.scoring.service import ScoringService
from services.scoring.sources import RulesServices
from vallum.scoring.v1 import scoring_pb2

SERVICE = scoring_pb2.DESCRIPTOR.services_by_name["ScoringService"]
GROUP = "scoring"


def scoring(packages: Mapping[str, str], keys: Keys | None = None) -> Bind:
    """The scoring service, for an App. `packages` are the contracts of the games whose records it
    archives, by key; `keys` sign its calls, else those of the key file do."""

    @asynccontextmanager
    async def bind(app: App) -> AsyncIterator[None]:
        settings = app.settings
        database = database_of(settings)
        await database.migrate()
        calls = Calls(keys or signing(settings), GROUP)
        async with connect(settings.redis_url) as redis:
            boards = Boards(redis, database)
            archive = Archive(database, RulesServices(app, calls, packages))
            letters = DeadLetters(redis, GROUP)
            handlers = Handlers(database, boards, archive, Bus(redis, settings), letters)
            corrections = Corrections(database, handlers.wanted.set)
            app.serve(SERVICE, ScoringService(database, boards, archive, corrections))
            loops = (handlers.run(), keep_trimmed(redis, settings))
            tasks = [asyncio.create_task(loop) for loop in loops]
            try:
                async with Consumer(redis, settings, GROUP, handlers.table):
                    yield
            finally:
                await ended(tasks)
                await calls.close()
                await database.close()

    return bind
