"""Matches as this replica knows them: a cache over the log, never more than that."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from typing import Any

import msgspec
from redis.asyncio import Redis

from services.referee.folder import Folder, Frame, Head, Live, Written
from services.referee.log import Append, Keys, Log
from services.referee.record import LogEntry, canonical, linked, read_entry
from services.runtime.errors import NotFound

SNAPSHOT_EVERY = 16
"""Entries between two snapshots: a cold load folds fewer than this."""

KEPT_S = 24 * 3600
"""Seconds that a finished match stays after its record was archived."""

read_head = msgspec.json.Decoder(Head).decode


class Linked(msgspec.Struct):
    """An entry as the log has it."""

    entry: LogEntry
    text: bytes
    hash: bytes


class Store:
    """Loads matches of one game, keeps the recently used ones, and appends to them."""

    def __init__(self, redis: Redis, folder: Folder, partitions: int, capacity: int = 4096) -> None:
        self.redis: Any = redis  # its types do not tell bytes from str
        self.folder = folder
        self.log = Log(redis, folder.game.meta.key, partitions)
        self._capacity = capacity
        self.epoch = ""
        """Names the storage; changes when it was restarted (`learn_epoch`)."""
        self._cache: OrderedDict[str, Live] = OrderedDict()

    async def create(self, match_id: str, head: Head, write: Append) -> bool:
        """Write a new match; False where its id is in use."""
        keys = self.log.keys(match_id)
        word, _ = await self.log.append(keys, write._replace(head=canonical(head)))
        return word == "ok"

    async def load(self, match_id: str) -> Live:
        """A match, as fresh as this replica has it. Raises NotFound `match_not_found`."""
        live = self._cache.get(match_id)
        if live is not None:
            self._cache.move_to_end(match_id)
            return live
        live = self._cache.setdefault(match_id, await self._read(match_id))
        if len(self._cache) > self._capacity:
            self._cache.popitem(last=False)
        return live

    async def find(self, match_id: str) -> Live | None:
        """A match as fresh as the log has it, or None."""
        try:
            return await self.fresh(match_id)
        except NotFound:
            return None

    async def updated(self, live: Live) -> int:
        """When the last entry was written, in milliseconds since 1970."""
        return int(await self.redis.hget(live.keys.match, "t") or 0)

    async def fresh(self, match_id: str) -> Live:
        """A match, as fresh as the log has it. Raises as `load`."""
        live = await self.load(match_id)
        if await self.catch_up(live):
            return live
        return await self.load(match_id)

    async def catch_up(self, live: Live) -> bool:
        """Fold what other replicas have written. False, and `live.lost`, where the log does not
        continue what this replica knew: the storage has lost acknowledged entries."""
        known, end = live.hash, await self._end(live)
        while end != live.hash != known:  # it went on while we asked: ask again
            known, end = live.hash, await self._end(live)
        if end == live.hash:
            return True
        follows = await self._follow(live)
        if not follows:
            live.lost = True
            self.drop(live)
        live.wake()
        return follows

    async def append(self, live: Live, written: Written, write: Append) -> tuple[str, bytes]:
        """Append to a match, as `Log.append` answers; on "ok" `live` has gone on."""
        word, rest = await self.log.append(live.keys, write)
        if word == "ok" and live.hash == write.expected:
            for frame, (_, link) in zip(written.frames, written.entries, strict=True):
                live.step(frame, link)
            live.wake()
        return word, rest

    async def reply_to(self, live: Live, request: str) -> bytes | None:
        """What is stored for a request, if it was answered before."""
        stored: bytes | None = await self.redis.hget(live.keys.requests, request)
        return stored

    async def frames(self, live: Live, after: int, upto: int) -> list[Frame]:
        """The entries after version `after` up to `upto`, folded from memory or from the log."""
        recent = live.since(after)
        if recent is None:
            folded = folded_from_start(live, await self.entries(live.keys, 1))
            recent = [frame for frame in folded if frame.entry.version > after]
        return [frame for frame in recent if frame.entry.version <= upto]

    async def entries(self, keys: Keys, first: int) -> list[Linked]:
        """The log from version `first` on."""
        rows = await self.redis.xrange(keys.log, min=f"{first}-0")
        return [Linked(read_entry(row[b"e"]), row[b"e"], row[b"h"]) for _, row in rows]

    async def expire(self, match_id: str) -> None:
        """Let the keys of a finished match go once requests need no replay any more."""
        keys = self.log.keys(match_id)
        pipeline = self.redis.pipeline(transaction=False)
        for key in (keys.match, keys.log, keys.requests, keys.standing):
            pipeline.expire(key, KEPT_S)
        await pipeline.execute()

    async def learn_epoch(self) -> None:
        """Ask the storage for its name: a restart gives it another."""
        info = await self.redis.info("server")
        self.epoch = str(info["run_id"])[:16]

    def drop(self, live: Live) -> None:
        """Forget a match that this replica knows wrongly."""
        if self._cache.get(live.id) is live:
            del self._cache[live.id]

    async def _read(self, match_id: str) -> Live:
        keys = self.log.keys(match_id)
        head, snapshot = await self.redis.hmget(keys.match, "head", "snap")
        if head is None:
            raise NotFound("match_not_found")
        known = read_head(head)
        if known.header.game != self.folder.game.meta.key:  # ids are one space over all games
            raise NotFound("match_not_found")
        live = Live(match_id, known, self.folder, keys)
        if snapshot:
            live.begin(*self.folder.thaw(snapshot, live.head.header.clock))
        await self._follow(live)
        return live

    async def _end(self, live: Live) -> bytes | None:
        """The hash that the log ends with."""
        end: bytes | None = await self.redis.hget(live.keys.match, "h")
        return end

    async def _follow(self, live: Live) -> bool:
        known = live.hash
        for one in await self.entries(live.keys, live.version + 1):
            if one.entry.version <= live.version:
                continue
            if linked(live.hash, one.entry.version, one.text, live.seed) != one.hash:
                return False
            live.step(self.folder.frame(live.table, one.entry), one.hash)
        return live.hash != known


def folded_from_start(live: Live, log: list[Linked]) -> Iterator[Frame]:
    """Every entry of a match with the table after it."""
    table = live.folder.first(live.head)
    for one in log:
        frame = live.folder.frame(table, one.entry)
        table = frame.table
        yield frame
