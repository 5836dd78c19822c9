from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from redis.asyncio import Redis

from services.runtime.settings import Settings
from tests.matchmaking.given import Hall
from tests.matchmaking.given import hall as running


@pytest.fixture
def settings(redis: Redis, redis_url: str, tmp_path: Path) -> Settings:
    """Services on an empty storage and an empty folder."""
    assert redis is not None
    return Settings(
        redis_url=redis_url, data_dir=tmp_path, port=0, replica="test", log_level="warning"
    )


@pytest.fixture
async def hall(settings: Settings) -> AsyncIterator[Hall]:
    """A matchmaker, a lobby and a host; anybody may play with anybody."""
    async with running(settings) as there:
        await there.rules()
        yield there
