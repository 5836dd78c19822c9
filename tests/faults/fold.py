"""Fold every match of a storage from its first entry, in a process of its own: what a replica
that has never seen any of them makes of the log."""

from __future__ import annotations

import asyncio
import hashlib
import json
import sys

from services.referee.folder import Folder, Live
from services.referee.store import Store, folded_from_start
from services.runtime.redis import connect
from tests.ambush.hosted import HOSTED


async def folds(redis_url: str, names: list[str]) -> dict[str, str]:
    """Match id -> SHA-256 of its state and its number of entries."""
    folded = {}
    async with connect(redis_url) as redis:
        store = Store(redis, Folder(HOSTED), 16)
        for match_id in names:
            cached = await store.load(match_id)
            blank = Live(match_id, cached.head, store.folder, cached.keys)
            frames = list(folded_from_start(blank, await store.entries(cached.keys, 1)))
            state = store.folder.encode_state(frames[-1].table.state)
            assert state == store.folder.encode_state(cached.table.state), "snapshot differs"
            folded[match_id] = f"{len(frames)} {hashlib.sha256(state).hexdigest()}"
    return folded


if __name__ == "__main__":
    print(json.dumps(asyncio.run(folds(sys.argv[1], sys.argv[2:]))))
