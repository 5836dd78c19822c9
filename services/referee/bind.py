"""Putting a game's rules service together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from services.gamekit.hosted import Hosted
from services.referee.archive import Archive, NoArchive
from services.referee.contract import Contract
from services.referee.folder import Folder
from services.referee.handlers import Handlers
from services.referee.host import Host, now_ms
from services.referee.listing import Listing
from services.referee.outages import Outages
from services.referee.service import RulesService
from services.referee.standing import Standing
from services.referee.store import Store
from services.referee.sweep import Sweep
from services.runtime.app import App, Bind
from services.runtime.bell import Bell
from services.runtime.consumer import Consumer
from services.runtime.loops import ended
from services.runtime.redis import connect
from services.runtime.retention import keep_trimmed


def rules(
    hosted: Hosted,
    bots: frozenset[str],
    archive: Callable[[App], Archive] = lambda _: NoArchive(),
) -> Bind:
    """The rules service of one game, for an App; `bots` are the policies that may take a seat,
    `archive` opens what has the matches that the host has let go."""

    @asynccontextmanager
    async def bind(app: App) -> AsyncIterator[None]:
        settings = app.settings
        game = hosted.game.meta.key
        async with connect(settings.redis_url) as redis:
            store = Store(redis, Folder(hosted), settings.partitions)
            await store.learn_epoch()
            outages = Outages(redis, game)
            await outages.sign(now_ms())
            host, contract, bell = Host(store, outages), Contract(hosted), Bell(redis)
            listing, standing = Listing(redis, game), Standing(redis, contract)
            service = RulesService(app, host, contract, listing, bell, standing, bots)
            service.archive = archive(app)
            app.serve(contract.service, service)
            handlers = Handlers(host, listing)
            sweep = Sweep(redis, host, standing, f"{settings.replica}:{id(app)}")
            loops = (sweep.run(), keep_trimmed(redis, settings))
            tasks = [asyncio.create_task(loop) for loop in loops]
            try:
                async with Consumer(redis, settings, f"rules.{game}", handlers.table):
                    yield
            finally:
                await ended(tasks)
                await bell.close()
                await service.archive.close()

    return bind
