from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from redis.asyncio import Redis

from tests.client.given import House
from tests.referee.given import world


@pytest.fixture
async def house(redis: Redis, redis_url: str) -> AsyncIterator[House]:
    """A host of the conformance game on an empty storage, and clients of it."""
    assert not await redis.dbsize()
    async with world(redis_url) as running:
        yield House(running)
