from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from redis.asyncio import Redis

from tests.referee.given import World, world


@pytest.fixture
async def empty_url(redis: Redis, redis_url: str) -> str:
    """An empty storage, for several hosts."""
    assert not await redis.dbsize()
    return redis_url


@pytest.fixture
async def here(empty_url: str) -> AsyncIterator[World]:
    """A host of the conformance game on an empty storage."""
    async with world(empty_url) as running:
        yield running
