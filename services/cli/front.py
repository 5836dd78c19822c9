"""The edge, in front of the services of this process or of others."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from importlib import import_module
from typing import TYPE_CHECKING

import structlog

from services.cli.hosting import games
from services.edge.describing import describing
from services.edge.running import edge
from services.runtime.auth import Keys
from services.runtime.calls import own_target, rules_target
from services.runtime.settings import Settings

if TYPE_CHECKING:
    from services.cli.everything import Running

CONTRACTS = {
    "accounts": ("vallum.accounts.v1.accounts_pb2",),
    "matchmaking": ("vallum.matchmaking.v1.lobby_pb2", "vallum.matchmaking.v1.matchmaking_pb2"),
    "notices": ("vallum.notices.v1.inbox_pb2", "vallum.notices.v1.webhooks_pb2"),
    "scoring": ("vallum.scoring.v1.scoring_pb2",),
}
"""What is served beside the rules service of each game, and the stubs of its services."""

log = structlog.get_logger(__name__)


@asynccontextmanager
async def nothing() -> AsyncIterator[None]:
    """In front of nothing."""
    yield None


@asynccontextmanager
async def front(running: Running) -> AsyncIterator[str]:
    """An edge in front of everything that runs in this process; its URL."""
    here = running.app.target
    targets = dict.fromkeys(running.app.services, here)
    async with edge(running.settings, targets, here, running.keys.jwks()) as found:
        yield found.url


async def serve(settings: Settings) -> None:
    """An edge in front of services elsewhere, until the process is asked to end."""
    asked = asyncio.Event()
    loop = asyncio.get_running_loop()
    for signum in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(signum, asked.set)
    targets = dict(elsewhere(settings))
    jwks = Keys.load(settings.key_file).jwks() if settings.key_file else {"keys": []}
    async with (
        describing(targets) as described,
        edge(settings, targets, described, jwks, settings.grace) as found,
    ):
        log.info("serving", target=found.url, services=list(targets))
        await asked.wait()
    log.info("stopped", target=found.url)


def elsewhere(settings: Settings) -> Iterator[tuple[str, str]]:
    """(full name, host:port) of every service that the settings know of."""
    for key, hosted in games(settings).items():
        yield from _named(f"{hosted.package}.rules_pb2", rules_target(key, settings))
    for key, modules in CONTRACTS.items():
        target = getattr(settings, f"{key}_target") or own_target(settings)
        for module in modules:
            yield from _named(module, target)


def _named(module: str, target: str) -> Iterator[tuple[str, str]]:
    for service in import_module(module).DESCRIPTOR.services_by_name.values():
        yield service.full_name, target
