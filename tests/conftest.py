"""Fixtures that every test may ask for: a real Redis, real databases, keys and tokens."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from itertools import cycle
from pathlib import Path

import hypothesis
import pytest
import structlog
from redis.asyncio import Redis

from services.runtime.auth import Caller, Keys, Role, Verifier
from services.runtime.redis import connect
from services.runtime.settings import Settings
from tests.postgres import Postgres, postgres
from tests.servers import Server, told
from tests.servers import redis_server as running_redis

DATABASES = cycle(range(1, 60))
"""Tests take turns, so that one which is slow to end does not meet the next. What lies above is for
servers that several tests share."""

Token = Callable[..., str]


def pytest_configure() -> None:
    """Plain logs, without every variable of a traceback; no haste on a busy machine."""
    hypothesis.settings.register_profile("patient", deadline=None)
    hypothesis.settings.load_profile("patient")
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.format_exc_info,
            structlog.processors.KeyValueRenderer(key_order=["event"]),
        ]
    )


def pytest_report_header() -> str:
    """Say which Redis the tests run against."""
    return told()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of one file stay in one process; so do those that install browsers and packages."""
    for item in items:
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(str(item.path)))


@pytest.fixture(scope="session")
def redis_server() -> Iterator[Server]:
    """One real Redis for the whole run."""
    with running_redis() as server:
        yield server


@pytest.fixture
def redis_url(redis_server: Server) -> str:
    """A database of this test's own; emptied by `redis`."""
    return redis_server.database(next(DATABASES))


@pytest.fixture
async def redis(redis_url: str) -> AsyncIterator[Redis]:
    """A client of this test's own, empty database."""
    client = connect(redis_url)
    await client.flushdb()
    yield client
    await client.aclose()


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Postgres]:
    """One real PostgreSQL for the whole run."""
    with postgres() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
async def database_at(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[str]:
    """The URL of an empty database of each kind."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/tests.db"
        return
    server: Postgres = request.getfixturevalue("postgres_server")
    async with server.database() as url:
        yield url


@pytest.fixture(scope="session")
def keys() -> Keys:
    """The key that signs this run's tokens."""
    return Keys.generate()


@pytest.fixture(scope="session")
def verifier(keys: Keys) -> Verifier:
    """What a service checks this run's tokens with."""
    return Verifier(keys)


@pytest.fixture(scope="session")
def token(keys: Keys) -> Token:
    """Mints tokens: `token("ann")`, `token("bot", role=Role.SERVICE)`."""

    def mint(
        subject: str, tenant: str = "acme", role: Role = Role.PLAYER, ttl: float = 600.0
    ) -> str:
        return keys.mint(Caller(subject, tenant, role), ttl)

    return mint


@pytest.fixture
def settings(redis_url: str, tmp_path: Path) -> Settings:
    """Settings of a service under test: its own database and folder, a free port."""
    return Settings(redis_url=redis_url, data_dir=tmp_path, port=0, replica="test")
