"""Putting webhooks together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from services.notices.webhooks.database import database_of
from services.notices.webhooks.figures import FIGURES, Clock, Figures
from services.notices.webhooks.known import Known
from services.notices.webhooks.sealing import Seal
from services.notices.webhooks.service import WebhooksService
from services.notices.webhooks.sweep import Sweep
from services.notices.webhooks.telling import Telling
from services.runtime.addresses import Vetting
from services.runtime.app import App, Bind
from services.runtime.bus import Bus
from services.runtime.consumer import Consumer
from services.runtime.keys import Keys
from services.runtime.loops import ended
from services.runtime.redis import connect
from services.runtime.rows import now_ms
from services.runtime.settings import Settings, SettingsError
from vallum.notices.v1 import webhooks_pb2

SERVICE = webhooks_pb2.DESCRIPTOR.services_by_name["WebhooksService"]
GROUP = "webhooks"


def webhooks(
    roots: Sequence[Keys] | None = None, figures: Figures = FIGURES, clock: Clock = now_ms
) -> Bind:
    """The webhooks service, for an App. `roots` are the keys that seal secrets, the first of them
    private; else those of the key file are."""

    @asynccontextmanager
    async def bind(app: App) -> AsyncIterator[None]:
        settings = app.settings
        seal = Seal(roots or roots_of(settings))
        vetting = Vetting(settings.webhook_allow_private)
        database = database_of(settings)
        try:
            await database.migrate()
            async with connect(settings.redis_url) as redis:
                bus = Bus(redis, settings)
                telling = Telling(database, Known(database, redis), bus, figures, clock)
                sweep = Sweep(telling, bus, seal, redis, GROUP)
                await sweep.reseal()
                app.serve(SERVICE, WebhooksService(telling, seal, vetting))
                async with Consumer(redis, settings, GROUP, telling.table):
                    task = asyncio.create_task(sweep.run())
                    try:
                        yield
                    finally:
                        await ended([task])
        finally:
            await database.close()

    return bind


def roots_of(settings: Settings) -> list[Keys]:
    """Every key of the key file. Raises SettingsError where none is set."""
    if settings.key_file is None:
        raise SettingsError("VALLUM_KEY_FILE: the private key is needed to seal secrets")
    return Keys.load_all(settings.key_file)
