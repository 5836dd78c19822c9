"""Everything in one process: an embedded Redis, every service, a worker beside them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from typing import NamedTuple

from msgspec.structs import replace

from services.cli.hosting import games
from services.cli.serve import SERVICES, binds
from services.cli.token import key_file
from services.gamekit.hosted import Hosted
from services.runtime.app import App
from services.runtime.auth import Keys
from services.runtime.redis import EmbeddedRedis, check_server, connect
from services.runtime.settings import Settings
from services.runtime.trust import following, verifier_of
from services.workers.crew import crew


class Running(NamedTuple):
    """What is up."""

    settings: Settings
    """As they turned out: the storage that is used, the port that was free."""
    app: App
    keys: Keys
    games: Mapping[str, Hosted]


@asynccontextmanager
async def everything(settings: Settings, *, embedded: bool) -> AsyncIterator[Running]:
    """Start every service, stop them at the end. Raises SettingsError for what cannot work.

    `embedded` starts a Redis in the data directory; otherwise `settings.redis_url` is one.
    """
    hosted = games(settings)
    with storage(settings, embedded=embedded) as found:
        keys = Keys.load(found.key_file) if found.key_file else Keys.ensure(key_file(found))
        async with connect(found.redis_url) as redis:
            await check_server(redis, need_aof=found.fsync != "memory")
        ready = replace(found, key_file=found.key_file or key_file(found))
        verifier = verifier_of(ready)
        services = binds(ready, (*hosted, *SERVICES), hosted)
        async with App(ready, [following(verifier), *services], verifier) as app:
            running = Running(replace(ready, port=app.port), app, keys, hosted)
            async with crew(running.settings):
                yield running


@contextmanager
def storage(settings: Settings, *, embedded: bool) -> Iterator[Settings]:
    """The settings with a Redis that is there, and a folder for what else is kept."""
    if not embedded:
        settings.data_dir.mkdir(parents=True, exist_ok=True)
        yield settings
        return
    with EmbeddedRedis(settings.data_dir, settings.fsync) as redis:
        broker = f"{redis.url.rsplit('/', 1)[0]}/1"
        yield replace(settings, redis_url=redis.url, broker_url=broker)
