from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from redis.asyncio import Redis

from services.runtime.settings import Settings
from tests.notices.hooks import Desk, desk
from tests.scoring.postgres import Postgres, postgres


@pytest.fixture(scope="session")
def server() -> Iterator[Postgres]:
    """A real PostgreSQL for the whole run."""
    with postgres() as running:
        yield running


@pytest.fixture(params=["sqlite", "postgresql"])
async def database_at(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[str]:
    """The URL of an empty database of each kind."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/notices.db"
        return
    server: Postgres = request.getfixturevalue("server")
    async with server.database() as url:
        yield url


@pytest.fixture
async def kept(redis: Redis, redis_url: str, database_at: str, tmp_path: Path) -> Settings:
    """A service on an empty storage and an empty database."""
    assert redis is not None
    return Settings(
        redis_url=redis_url,
        data_dir=tmp_path,
        port=0,
        replica="test",
        notices_db=database_at,
        log_level="warning",
    )


@pytest.fixture
async def there(kept: Settings, redis: Redis) -> AsyncIterator[Desk]:
    """A running webhooks service."""
    async with desk(kept, redis) as running:
        yield running
