"""Putting the accounts service together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from services.accounts.database import database_of
from services.accounts.hearing import GROUP, Hearing
from services.accounts.service import AccountsService
from services.accounts.signing import Signing
from services.accounts.upkeep import Upkeep
from services.runtime.app import App, Bind
from services.runtime.bus import Bus
from services.runtime.consumer import Consumer
from services.runtime.keys import Keys
from services.runtime.loops import ended
from services.runtime.redis import connect
from services.runtime.settings import Settings, SettingsError
from vallum.accounts.v1 import accounts_pb2

SERVICE = accounts_pb2.DESCRIPTOR.services_by_name["AccountsService"]


def accounts(roots: Sequence[Keys] | None = None) -> Bind:
    """The accounts service, for an App. `roots` are the keys of the platform, the first of them
    private; else those of the key file are."""

    @asynccontextmanager
    async def bind(app: App) -> AsyncIterator[None]:
        settings = app.settings
        signing = Signing(roots or roots_of(settings))
        database = database_of(settings)
        await database.migrate()
        async with connect(settings.redis_url) as redis:
            upkeep = Upkeep(database, redis, Bus(redis, settings), signing)
            await upkeep.begin()
            app.serve(SERVICE, AccountsService(database, signing, upkeep))
            task = asyncio.create_task(upkeep.run())
            try:
                async with Consumer(redis, settings, GROUP, Hearing(database).table):
                    yield
            finally:
                await ended([task])
                await database.close()

    return bind


def roots_of(settings: Settings) -> list[Keys]:
    """Every key of the key file. Raises SettingsError where none is set."""
    if settings.key_file is None:
        raise SettingsError("VALLUM_KEY_FILE: the private key is needed to issue tokens")
    return Keys.load_all(settings.key_file)
