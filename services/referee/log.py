"""The keys of a match in Redis, and the scripts that change them all at once.

Every key of a match carries its partition's hash tag: one Redis Cluster slot.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from typing import Any, NamedTuple

from redis.asyncio import Redis
from redis.exceptions import NoScriptError

from services.runtime.bus import partition, stream, tag
from services.runtime.pipe import Command, Pipe

AT_ONCE = 128
"""Appends that travel together at the most."""

CROWD = 1.25
GATHER_S = 0.005
"""While more than CROWD come up at a time (a running mean), each lot waits this long for more: to
write to a socket and be woken by it costs as much as to rule on a move."""

APPEND = """
local head = ARGV[11]
if head ~= '' then
  if redis.call('EXISTS', KEYS[1]) == 1 then return {'taken'} end
  redis.call('HSET', KEYS[1], 'head', head, 'v', 0, 'h', ARGV[1])
end
local now = redis.call('HMGET', KEYS[1], 'h', 'v')
if not now[1] then return {'missing'} end
if ARGV[2] ~= '' then
  local seen = redis.call('HGET', KEYS[3], ARGV[2])
  if seen then return {'seen', seen} end
end
if now[1] ~= ARGV[1] then return {'stale', now[2]} end
local entries, facts = tonumber(ARGV[6]), tonumber(ARGV[7])
local done, due = tonumber(ARGV[8]), tonumber(ARGV[9])
local at, version = 12, tonumber(now[2])
for i = 1, entries do
  version = version + 1
  redis.call('XADD', KEYS[2], version .. '-0', 'e', ARGV[at], 'h', ARGV[at + 1])
  at = at + 2
end
redis.call('HSET', KEYS[1], 'v', version, 'h', ARGV[4], 't', ARGV[10])
if ARGV[5] ~= '' then redis.call('HSET', KEYS[1], 'snap', ARGV[5]) end
if ARGV[2] ~= '' then redis.call('HSET', KEYS[3], ARGV[2], ARGV[3]) end
for i = 1, facts do redis.call('XADD', KEYS[4], '*', 'e', ARGV[at]); at = at + 1 end
for i = 1, done do redis.call('ZREM', KEYS[5], ARGV[at]); at = at + 1 end
for i = 1, due do redis.call('ZADD', KEYS[5], ARGV[at], ARGV[at + 1]); at = at + 2 end
redis.call('PUBLISH', KEYS[6], version)
return {'ok', version}
"""


class Keys(NamedTuple):
    """Where a match lives."""

    match: str
    log: str
    requests: str
    bus: str
    due: str
    moved: str
    standing: str


def keys(game: str, match_id: str, partitions: int) -> Keys:
    """The keys of a match."""
    number = partition(match_id, partitions)
    base = f"{tag(number)}:match:{match_id}"
    return Keys(
        match=base,
        log=f"{base}:log",
        requests=f"{base}:req",
        bus=stream("matches", number),
        due=due_key(game, number),
        moved=f"{base}:moved",
        standing=f"{base}:standing",
    )


def due_key(game: str, number: int) -> str:
    """The sorted set of a game's deadlines in a partition: member -> milliseconds since 1970."""
    return f"{tag(number)}:due:{game}"


class Append(NamedTuple):
    """Everything that one call writes, at once or not at all."""

    expected: bytes
    """The chain's hash that the log must end with: stronger than its version."""
    hash: bytes
    """The chain's hash after the entries."""
    entries: Sequence[tuple[bytes, bytes]]
    """(canonical JSON, chain hash) of each."""
    time_ms: int
    request: str = ""
    """`<seat>:<request id>`, or "" for what the host does of its own accord."""
    reply: str = ""
    """What is stored for that request: `<body hash> <first version> <last version>`."""
    snapshot: bytes = b""
    facts: Sequence[bytes] = ()
    done: Sequence[str] = ()
    due: Sequence[tuple[str, int]] = ()
    """(member, milliseconds since 1970) of each new deadline."""
    head: bytes = b""
    """Set to create the match."""

    def arguments(self) -> list[Any]:
        """As the script takes them."""
        args: list[Any] = [self.expected, self.request, self.reply, self.hash, self.snapshot]
        args += [len(self.entries), len(self.facts), len(self.done), len(self.due)]
        args += [self.time_ms, self.head]
        for entry in self.entries:
            args += entry
        args += self.facts
        args += self.done
        for member, when in self.due:
            args += (when, member)
        return args


class Log:
    """The append script, bound to a storage. Appends that wait for each other travel together:
    one write to the socket and one read for all that came up while the last lot was under way."""

    def __init__(self, redis: Redis, game: str, partitions: int) -> None:
        self.game = game
        self.partitions = partitions
        self._redis: Any = redis
        self._pipe = Pipe(redis)
        self._sha = hashlib.sha1(APPEND.encode(), usedforsecurity=False).hexdigest()
        self._waiting: list[tuple[Command, asyncio.Future[list[Any]]]] = []
        self._sender: asyncio.Task[None] | None = None
        self._pace = 1.0

    def keys(self, match_id: str) -> Keys:
        """The keys of a match."""
        return keys(self.game, match_id, self.partitions)

    async def append(self, at: Keys, write: Append) -> tuple[str, bytes]:
        """("ok", version), ("stale", version), ("seen", stored reply), ("missing", b"") or
        ("taken", b"")."""
        names = (at.match, at.log, at.requests, at.bus, at.due, at.moved)
        answer: asyncio.Future[list[Any]] = asyncio.get_running_loop().create_future()
        command = ("EVALSHA", self._sha, len(names), *names, *write.arguments())
        self._waiting.append((command, answer))
        if self._sender is None or self._sender.done():
            self._sender = asyncio.create_task(self._send())
        word, *rest = await answer
        return word.decode(), rest[0] if rest else b""

    async def _send(self) -> None:
        while self._waiting:
            if self._pace > CROWD:
                await asyncio.sleep(GATHER_S)
            self._pace += (len(self._waiting) - self._pace) / 8
            lot, self._waiting = self._waiting[:AT_ONCE], self._waiting[AT_ONCE:]
            try:
                answers = await self._run([command for command, _ in lot])
            except Exception as error:  # noqa: BLE001 # it belongs to whoever waits
                answers = [error] * len(lot)
            for (_, future), answer in zip(lot, answers, strict=True):
                if future.done():
                    continue
                if isinstance(answer, Exception):
                    future.set_exception(answer)
                else:
                    future.set_result(answer)

    async def _run(self, calls: list[Command]) -> list[Any]:
        answers = await self._pipe.send(calls)
        unknown = [n for n, answer in enumerate(answers) if isinstance(answer, NoScriptError)]
        if unknown:
            await self._redis.script_load(APPEND)
            again = await self._pipe.send([calls[n] for n in unknown])
            for n, answer in zip(unknown, again, strict=True):
                answers[n] = answer
        return answers
