"""The edge, in front of the services of this process or of others."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from services.cli.everything import Running
from services.edge.running import edge


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
