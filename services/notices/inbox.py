"""What a player is told, in Redis: a stream of the latest notices, the matches he is in, and the
invitations that are open.

All keys of a player share a slot. A notice is written once however often its fact is delivered.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from redis.asyncio import Redis

from services.runtime.bus import partition, tag
from vallum.notices.v1 import inbox_pb2 as pb

LATEST = 256
"""Notices that an inbox keeps, roughly."""
KEPT_MS = 30 * 24 * 3600 * 1000
"""How long an inbox keeps them, and a match in play is remembered without any."""
AT_ONCE = 64
START = "0-0"
"""The token of an inbox in which nothing has ever been."""

TELL = """
local now = tonumber(ARGV[2])
if redis.call('ZADD', KEYS[3], 'NX', now, ARGV[1]) == 0 then return 0 end
redis.call('ZREMRANGEBYRANK', KEYS[3], 0, -2 * tonumber(ARGV[5]) - 1)
redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[5], '*', 'n', ARGV[3])
if ARGV[7] == 'in' then redis.call('ZADD', KEYS[2], now, ARGV[6]) end
if ARGV[7] == 'out' then redis.call('ZREM', KEYS[2], ARGV[6]) end
if ARGV[7] == 'asked' or ARGV[7] == 'over' then
  local known = redis.call('HGET', KEYS[4], ARGV[6])
  if not known or tonumber(string.match(known, '^%d+')) < tonumber(ARGV[8]) then
    redis.call('HSET', KEYS[4], ARGV[6], ARGV[8] .. ' ' .. (ARGV[7] == 'asked' and ARGV[3] or ''))
  end
  if redis.call('HLEN', KEYS[4]) > 2 * tonumber(ARGV[5]) then
    local all = redis.call('HGETALL', KEYS[4])
    for i = 1, #all, 2 do
      if string.match(all[i + 1], '^%d+ $') then redis.call('HDEL', KEYS[4], all[i]) end
    end
  end
end
for i = 1, 4 do redis.call('PEXPIRE', KEYS[i], ARGV[4]) end
redis.call('PUBLISH', KEYS[1], '')
return 1
"""
"""What is over stays known, by its version alone: what is told late must not open it again."""


class Playing(NamedTuple):
    """A match that a player is in."""

    game: str
    name: str

    def member(self) -> str:
        """As the sorted set holds it."""
        return f"{self.game}|{self.name}"

    @classmethod
    def read(cls, member: bytes) -> Playing:
        """The inverse of `member`."""
        game, name = member.decode().split("|", 1)
        return cls(game, name)


class Asking(NamedTuple):
    """A table, or a ticket, that a player is invited to."""

    name: str
    version: int
    """Of the table or the ticket: what is told later counts."""

    def member(self) -> str:
        """As the hash holds it."""
        return self.name


EFFECTS = {"seated": "in", "ended": "out", "invited": "asked", "invitation_over": "over"}
"""What a notice changes beside the stream."""


class Box:
    """One player's."""

    def __init__(self, redis: Redis, partitions: int, tenant: str, player: str) -> None:
        self._redis: Any = redis  # its types do not tell bytes from str
        base = f"{tag(partition(player, partitions))}:inbox:{tenant}/{player}"
        self.stream = base
        """Its key is the channel on which it rings, too."""
        self._playing = f"{base}:playing"
        self._seen = f"{base}:seen"
        self._invited = f"{base}:invited"

    async def tell(
        self,
        event_id: str,
        time_ms: int,
        notice: pb.WatchMyMatchesResponse,
        about: Playing | Asking,
    ) -> None:
        """Add a notice: of a match, which begins with `seated` and ends with `ended`, or of an
        invitation."""
        effect = EFFECTS.get(notice.WhichOneof("notice") or "", "")
        version = about.version if isinstance(about, Asking) else 0
        keys = (self.stream, self._playing, self._seen, self._invited)
        arguments = (event_id, time_ms, notice.SerializeToString(), KEPT_MS, LATEST)
        await self._redis.eval(TELL, len(keys), *keys, *arguments, about.member(), effect, version)

    async def since(self, token: str) -> list[pb.WatchMyMatchesResponse]:
        """The notices after a token, oldest first, so many at a time."""
        rows = await self._redis.xrange(self.stream, min=f"({token}", count=AT_ONCE)
        return [_read(id_, fields) for id_, fields in rows]

    async def latest(self) -> str:
        """The token of the last notice."""
        rows = await self._redis.xrevrange(self.stream, count=1)
        return rows[0][0].decode() if rows else START

    async def knows(self, token: str) -> bool:
        """Whether nothing after a token can be missing."""
        if token == START:
            return int(await self._redis.xlen(self.stream)) < LATEST  # none was dropped
        return bool(await self._redis.xrange(self.stream, min=token, max=token))

    async def playing(self, most: int) -> list[Playing]:
        """The matches that the player is in, newest first."""
        return [Playing.read(one) for one in await self._redis.zrevrange(self._playing, 0, most)]

    async def invitations(self, most: int) -> list[pb.Invited]:
        """The invitations that are open, newest first."""
        told = await self._redis.hvals(self._invited)
        bodies = [body for _, _, body in (one.partition(b" ") for one in told) if body]
        found = [pb.WatchMyMatchesResponse.FromString(one).invited for one in bodies]
        found.sort(key=lambda one: one.create_time.ToMilliseconds(), reverse=True)
        return found[:most]

    async def erase(self) -> None:
        """Everything."""
        await self._redis.unlink(self.stream, self._playing, self._seen, self._invited)

    async def forget(self, matches: Sequence[Playing]) -> None:
        """Matches that are over, or gone."""
        if matches:
            await self._redis.zrem(self._playing, *(one.member() for one in matches))


def _read(id_: bytes, fields: Any) -> pb.WatchMyMatchesResponse:
    notice = pb.WatchMyMatchesResponse.FromString(fields[b"n"])
    notice.resume_token = id_.decode()
    return notice
