"""A service's own database: SQLite in a file, or PostgreSQL by URL; engine and migrations."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import structlog
from alembic import command
from alembic.config import Config
from asyncpg import PostgresError  # type: ignore[import-untyped]  # it ships no types
from sqlalchemy import Connection, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnection
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from services.runtime.errors import Unavailable
from services.runtime.settings import SettingsError

DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg"}
MIGRATING = 0x7A11_0001
"""PostgreSQL's advisory lock of whoever migrates: replicas that start together take turns."""
BUSY_S = 30.0
"""Seconds that a writer of SQLite waits for another."""


log = structlog.get_logger(__name__)


def database_url(given: str, file: Path, variable: str) -> URL:
    """`given`, as `variable` has it, with our driver; `file` where it is empty. Raises
    SettingsError."""
    if not given:
        return URL.create(DRIVERS["sqlite"], database=str(file))
    try:
        url = make_url(given)
        return url.set(drivername=DRIVERS[url.get_backend_name()])
    except (ArgumentError, KeyError):
        raise SettingsError(
            f"{variable}: give it as sqlite:///FILE or postgresql://USER@HOST/NAME"
        ) from None


class Database:
    """A pool of connections. `async with database.begin() as connection:` is one transaction.

    `scripts` is the folder of its migrations.
    """

    def __init__(self, url: URL, scripts: Path) -> None:
        self.sqlite = url.get_backend_name() == "sqlite"
        options: dict[str, Any] = {"connect_args": {"timeout": BUSY_S}} if self.sqlite else {}
        self._scripts = scripts
        self.engine: AsyncEngine = create_async_engine(
            url,
            hide_parameters=True,  # errors are logged, and what is kept is nobody's business
            **options,
        )
        self._writing = asyncio.Lock()
        """SQLite has one writer: those of this process wait here, not in its busy loop."""
        if self.sqlite:
            _prepare(self.engine)

    @asynccontextmanager
    async def begin(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that writes; committed unless the block raises. Raises Unavailable."""
        with available():
            if not self.sqlite:
                async with self.engine.begin() as connection:
                    yield connection
                return
            async with self._writing, self.engine.connect() as connection:
                await connection.execution_options(vallum_begin="BEGIN IMMEDIATE")
                async with connection.begin():
                    yield connection

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that only reads. Raises Unavailable."""
        with available():
            async with self.engine.connect() as connection, connection.begin():
                yield connection

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that reads everything as of one moment, as SQLite's always do. Raises
        Unavailable."""
        with available():
            async with self.engine.connect() as connection:
                if not self.sqlite:
                    await connection.execution_options(isolation_level="REPEATABLE READ")
                async with connection.begin():
                    yield connection

    async def migrate(self, revision: str = "head", *, down: bool = False) -> None:
        """Bring the tables up to a revision ("head"), or down to one ("base").

        Raises SettingsError where no database answers.
        """
        try:
            async with self.begin() as connection:
                if not self.sqlite:
                    await connection.execute(
                        text("SELECT pg_advisory_xact_lock(:key)"), {"key": MIGRATING}
                    )
                await connection.run_sync(
                    _migrate,
                    self._scripts,
                    command.downgrade if down else command.upgrade,
                    revision,
                )
        except Unavailable as error:
            raise SettingsError(f"no database answers: {error.__cause__}") from None

    async def close(self) -> None:
        """Close every connection."""
        await self.engine.dispose()


@contextmanager
def available() -> Iterator[None]:
    """Raises Unavailable `storage_unavailable` where the database is not there, is starting or
    stopping, or cannot keep up: the call may be tried again."""
    try:
        yield
    except (OSError, OperationalError, InterfaceError, NoConnection, PostgresError) as error:
        log.warning("database_unavailable", error=f"{type(error).__name__}: {error}")
        raise Unavailable("storage_unavailable") from error
    except DBAPIError as error:
        if not error.connection_invalidated:
            raise
        log.warning("database_unavailable", error=f"{type(error).__name__}: {error}")
        raise Unavailable("storage_unavailable") from error


def _migrate(connection: Connection, scripts: Path, go: Callable[..., None], revision: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(scripts))
    config.attributes["connection"] = connection
    go(config, revision)


def _prepare(engine: AsyncEngine) -> None:
    """Let SQLAlchemy, not the driver, begin transactions; write ahead, and to the disk."""

    @event.listens_for(engine.sync_engine, "connect")
    def _(connection: Any, _record: Any) -> None:
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in ("journal_mode=WAL", "synchronous=FULL", f"busy_timeout={BUSY_S * 1000:.0f}"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine.sync_engine, "begin")
    def _(connection: Connection) -> None:
        begin = connection.get_execution_options().get("vallum_begin", "BEGIN")
        connection.exec_driver_sql(begin)
