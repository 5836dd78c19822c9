"""Putting the matchmaking service together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from services.gamekit.hosted import Hosted
from services.matchmaking.backfill import Handlers
from services.matchmaking.entering import Entering
from services.matchmaking.games import Games
from services.matchmaking.lobby.service import LobbyService
from services.matchmaking.matchmaker import Matchmaker
from services.matchmaking.policies import Policies
from services.matchmaking.ratings import Ratings
from services.matchmaking.relay import Relay
from services.matchmaking.service import MatchmakingService
from services.matchmaking.storage import Storage
from services.runtime.app import App, Bind
from services.runtime.auth import Keys
from services.runtime.bell import Bell
from services.runtime.calls import Calls, signing
from services.runtime.consumer import Consumer
from services.runtime.database import Database, database_url
from services.runtime.loops import ended
from services.runtime.redis import connect
from vallum.matchmaking.v1 import lobby_pb2, matchmaking_pb2

TICKETS = matchmaking_pb2.DESCRIPTOR.services_by_name["MatchmakingService"]
TABLES = lobby_pb2.DESCRIPTOR.services_by_name["LobbyService"]
NAME = "matchmaking"
MIGRATIONS = Path(__file__).parent / "migrations"


def matchmaking(
    hosted: Mapping[str, Hosted], bots: Collection[str], keys: Keys | None = None
) -> Bind:
    """The matchmaking service, for an App: tickets and tables for the `hosted` games, whose seats
    `bots` may fill. `keys` sign its calls, else those of the key file do."""

    @asynccontextmanager
    async def bind(app: App) -> AsyncIterator[None]:
        settings = app.settings
        url = database_url(
            settings.matchmaking_db, settings.data_dir / "matchmaking.db", "VALLUM_MATCHMAKING_DB"
        )
        database = Database(url, MIGRATIONS)
        await database.migrate()
        calls = Calls(keys or signing(settings), NAME)
        async with connect(settings.redis_url) as redis:
            storage, games, bell = Storage(redis), Games(hosted, bots), Bell(redis)
            policies, relay = Policies(database, games), Relay(settings.partitions)
            entering = Entering(games, policies, Ratings(app, calls))
            service = MatchmakingService(app, storage, entering, policies, relay, bell)
            app.serve(TICKETS, service)
            app.serve(TABLES, LobbyService(app, storage, games, relay, bell))
            matchmaker = Matchmaker(storage, policies, games, relay, settings.replica)
            running = asyncio.create_task(matchmaker.run())
            handlers = Handlers(storage)
            try:
                async with Consumer(redis, settings, NAME, handlers.table):
                    yield
            finally:
                await ended([running])
                await matchmaker.close()
                await relay.close()
                await bell.close()
                await calls.close()
                await database.close()

    return bind
