from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from redis.asyncio import Redis

from services.runtime.database import Database
from services.runtime.settings import Settings
from services.scoring.database import database_of


@pytest.fixture
async def settings(redis: Redis, redis_url: str, database_at: str, tmp_path: Path) -> Settings:
    """A service on an empty storage and an empty database."""
    assert redis is not None
    return Settings(
        redis_url=redis_url,
        data_dir=tmp_path,
        port=0,
        replica="test",
        scoring_db=database_at,
        log_level="warning",
    )


@pytest.fixture
async def database(settings: Settings) -> AsyncIterator[Database]:
    """A database with its tables."""
    found = database_of(settings)
    await found.migrate()
    yield found
    await found.close()
