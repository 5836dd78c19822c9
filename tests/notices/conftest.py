from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from redis.asyncio import Redis

from services.runtime.settings import Settings
from tests.notices.hooks import Desk, desk


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
