"""How automatic turns were taken, read from the log: by which request, and after how long."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from redis.asyncio import Redis

from services.gamekit.game import Seat
from services.gamekit.hosted import Hosted
from services.referee.folder import Folder
from services.referee.store import Store, folded_from_start
from services.referee.table import Table


class Taken(NamedTuple):
    """A question that was answered, and the request that answered it."""

    seat: Seat
    decision_id: int
    request_id: str
    stood_ms: int
    """From the entry that put the question to the entry that answered it."""


async def taken(redis: Redis, hosted: Hosted, match_id: str) -> list[Taken]:
    """Every answer to a question of a match, in the order of the log: it is folded from its
    first entry, so each of them was legal where it stands."""
    store = Store(redis, Folder(hosted), 16)
    live = await store.load(match_id)
    table = store.folder.first(live.head)
    asked = dict.fromkeys(questions(table), live.head.header.create_time_ms)
    found = []
    for frame in folded_from_start(live, await store.entries(live.keys, 1)):
        entry = frame.entry
        if entry.request_id:
            question = (entry.seat, table.decision_id(entry.seat))
            stood = entry.time_ms - asked[question]
            found.append(Taken(*question, entry.request_id, stood))
        table = frame.table
        for question in questions(table):
            asked.setdefault(question, entry.time_ms)
    return found


def questions(table: Table) -> Iterator[tuple[Seat, int]]:
    """What is open: whom it is put to, and its number for that seat."""
    for one in table.open:
        yield one.seat, table.decision_id(one.seat)


def check_turns(match_id: str, turns: list[Taken]) -> None:
    """Each question was answered once, and each request is one unbroken sequence that answered
    the very question that its task was about."""
    assert len({(one.seat, one.decision_id) for one in turns}) == len(turns)
    begun: set[str] = set()
    latest: dict[Seat, str] = {}
    for one in turns:
        if latest.get(one.seat) == one.request_id:
            continue
        latest[one.seat] = one.request_id
        assert one.request_id not in begun, "a task was played twice"
        begun.add(one.request_id)
        task = f"{match_id}:{one.decision_id}:{one.seat}"
        assert one.request_id in (task, f"{task}:fallback")


def stood_open(turns: list[Taken]) -> dict[str, float]:
    """Seconds that each turn stood open until somebody took it, by its request: without what
    followed at once in the same sequence."""
    first = {one.request_id: one for one in reversed(turns)}
    return {request: one.stood_ms / 1000 for request, one in first.items()}
