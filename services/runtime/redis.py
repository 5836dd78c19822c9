"""The Redis server that everything lives in: connecting, checking that it will do."""

from __future__ import annotations

import asyncio
from typing import Any

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import ExponentialWithJitterBackoff
from redis.exceptions import RedisError

from services.runtime.embedded import EmbeddedRedis
from services.runtime.settings import SettingsError

__all__ = ["EmbeddedRedis", "check_server", "connect"]

OLDEST = (6, 2)
"""XAUTOCLAIM and XTRIM MINID came with 6.2."""

TIMEOUT = 10.0
"""Seconds for a connection to be made, and for the first answer."""

CONNECTIONS = 64
"""Of one client; the consumer and the bell hold one each for as long as they listen."""
WAIT = 20.0
"""Seconds that a command waits for a connection."""

PATIENCE = Retry(ExponentialWithJitterBackoff(base=0.05, cap=1.0), 6)
"""A server that restarts is waited for some two seconds. A command may then be sent twice:
every write must be able to bear that."""


def connect(url: str) -> Redis:
    """A client for `url`; it connects when it is first used. Raises SettingsError.

    It has up to CONNECTIONS; a command that finds all in use waits for one.
    """
    try:
        pool: BlockingConnectionPool = BlockingConnectionPool.from_url(
            url,
            max_connections=CONNECTIONS,
            timeout=WAIT,
            socket_connect_timeout=TIMEOUT,
            # With one, redis-py sends by asyncio.wait_for, which in Python 3.11 now and then
            # swallows the cancellation of a task: a stream or a consumer would never end.
            socket_timeout=None,
            retry=PATIENCE,
        )
        client: Redis = Redis.from_pool(pool)
    except ValueError as error:
        raise SettingsError(f"not a Redis URL: {error}") from None
    return client


async def check_server(redis: Redis, need_aof: bool = True) -> None:
    """Raise SettingsError unless this server keeps what it is told.

    It must be 6.2 or later, must never evict, and must append to a file unless `need_aof` is off.
    """
    try:
        async with asyncio.timeout(TIMEOUT):
            info: dict[str, Any] = await redis.info()
    except TimeoutError:
        raise SettingsError(f"the Redis server gives no answer within {TIMEOUT:.0f} s") from None
    except (RedisError, OSError) as error:
        raise SettingsError(f"no Redis server answers: {error}") from None
    version = str(info["redis_version"])
    if _numbers(version) < OLDEST:
        raise SettingsError(f"Redis {version} is too old: 6.2 or later is needed")
    policy = info.get("maxmemory_policy", "noeviction")
    if policy != "noeviction":
        raise SettingsError(
            f"Redis would throw matches away when memory runs out: maxmemory-policy is {policy}, "
            "set it to noeviction"
        )
    if need_aof and not int(info.get("aof_enabled", 0)):
        raise SettingsError(
            "Redis would forget matches when it restarts: set appendonly to yes, "
            "or VALLUM_FSYNC=memory if that is meant"
        )


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".")[:2])
