"""Commands that travel in lots: one write to the server and one wait for all of their replies.

redis-py's own pipeline packs in Python and keeps books of its own; on the path of every move that
is most of what a command costs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hiredis import pack_command
from redis.asyncio import Redis
from redis.exceptions import ResponseError

Command = tuple[Any, ...]
"""The words of a command: str, bytes or int."""


class Pipe:
    """Sends lots over the connections of a client."""

    def __init__(self, redis: Redis) -> None:
        self._pool: Any = redis.connection_pool

    async def send(self, commands: Sequence[Command]) -> list[Any]:
        """The replies in order, bytes as they came; what the server refused is a ResponseError
        among them. A lost connection sends the whole lot again, as `connect` says; raises
        redis.exceptions.ConnectionError when that does not help."""
        packed = b"".join([pack_command(one) for one in commands])
        connection = await self._pool.get_connection()
        try:
            replies: list[Any] = await connection.retry.call_with_retry(
                lambda: _exchange(connection, packed, len(commands)),
                lambda _: connection.disconnect(),
            )
            return replies
        finally:
            await self._pool.release(connection)


async def _exchange(connection: Any, packed: bytes, count: int) -> list[Any]:
    await connection.send_packed_command(packed)
    return [await _reply(connection) for _ in range(count)]


async def _reply(connection: Any) -> Any:
    try:
        return await connection.read_response(disable_decoding=True)
    except ResponseError as refused:
        return refused
