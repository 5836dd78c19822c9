"""The workers beside a server: who takes the turns that nobody at a keyboard takes."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from services.cli.child import kept_alive
from services.cli.hosting import environment
from services.runtime.settings import Settings

COMMAND = (sys.executable, "-m", "services.cli", "serve", "workers", "--child")


@asynccontextmanager
async def workers(settings: Settings) -> AsyncIterator[None]:
    """`vallum serve workers` as a child process until the end of the block."""
    async with kept_alive("workers", COMMAND, environment(settings)):
        yield
