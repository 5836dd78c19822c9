from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from redis.asyncio import Redis

from services.runtime.settings import Settings
from tests.accounts.given import Office, office


@pytest.fixture
async def settings(redis: Redis, redis_url: str, database_at: str, tmp_path: Path) -> Settings:
    """A service on an empty storage and an empty database."""
    assert redis is not None
    return Settings(
        redis_url=redis_url,
        data_dir=tmp_path,
        port=0,
        replica="test",
        accounts_db=database_at,
        log_level="warning",
    )


@pytest.fixture
async def there(settings: Settings) -> AsyncIterator[Office]:
    """A running accounts service."""
    async with office(settings) as running:
        yield running
