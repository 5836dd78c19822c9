"""Putting the service together."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from services.notices.handlers import Handlers
from services.notices.service import InboxService
from services.notices.turns import Turns
from services.notices.webhooks.bind import webhooks
from services.runtime.app import App, Bind
from services.runtime.auth import Keys
from services.runtime.bell import Bell
from services.runtime.calls import Calls, signing
from services.runtime.consumer import Consumer
from services.runtime.redis import connect
from vallum.notices.v1 import inbox_pb2

SERVICE = inbox_pb2.DESCRIPTOR.services_by_name["InboxService"]
GROUP = "notices"


def notices(packages: Mapping[str, str], keys: Keys | None = None) -> Bind:
    """The notices service, for an App. `packages` are the contracts of the hosted games, by key;
    `keys` sign its calls and seal its secrets, else those of the key file do."""
    hooks = webhooks([keys] if keys else None)

    @asynccontextmanager
    async def bind(app: App) -> AsyncIterator[None]:
        settings = app.settings
        calls = Calls(keys or signing(settings), GROUP)
        async with connect(settings.redis_url) as redis:
            bell = Bell(redis)
            app.serve(SERVICE, InboxService(app, redis, Turns(app, calls, packages), bell))
            handlers = Handlers(redis, settings.partitions)
            try:
                async with hooks(app), Consumer(redis, settings, GROUP, handlers.table):
                    yield
            finally:
                await bell.close()
                await calls.close()

    return bind
