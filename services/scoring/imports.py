"""Records from elsewhere, taken in for analysis: they count in statistics and rate nobody."""

from __future__ import annotations

import time

import msgspec

from services.runtime.database import Database
from services.scoring import results
from services.scoring.archive import Archive
from vallum.events.v1 import events_pb2 as ev
from vallum.match.v1 import match_pb2 as pb

LEFT = {"resign"}
"""Events of the table after which a seat's player is gone."""


async def take_in(database: Database, archive: Archive, record: pb.Record, tenant: str) -> bool:
    """Keep a record and its result; False where it was taken in before."""
    event = told(record, tenant)
    async with database.begin() as connection:
        if not await results.store(connection, [event], time.time_ns() // 1_000_000, imported=True):
            return False
    return bool(await archive.put({results.id_of(event.subject): record}))


def told(record: pb.Record, tenant: str) -> ev.Event:
    """A record as the fact that its match has ended. Its id is made of the chain's last hash:
    other matches may have had the same name elsewhere."""
    last = record.entries[-1]
    name = f"{record.name[:48]}-{last.hash[:12]}"
    gone = {
        entry.seat
        for entry in record.entries
        if entry.origin == "host" and kind_of(entry.action_json) in LEFT
    }
    match = pb.Match(
        name=name,
        game=record.game,
        rules_version=record.rules_version,
        state=pb.MATCH_STATE_FINISHED,
        mode=pb.MODE_CASUAL,
        seats=[
            pb.Seat(index=index, player=one.player, bot=one.bot, retired=index in gone)
            for index, one in enumerate(record.seats)
        ],
        version=len(record.entries),
        seed_commitment=record.seed_commitment,
        create_time=results.timestamp(int(record.create_time_ms)),
        update_time=results.timestamp(int(last.time_ms)),
        result=record.result,
    )
    return ev.Event(
        id=f"import/{name}",
        subject=name,
        tenant=tenant,
        match_finished=ev.MatchFinished(game=record.game, match=match),
    )


def kind_of(action_json: str) -> str:
    """The kind of a logged event."""
    return str(msgspec.json.decode(action_json, type=dict[str, object]).get("kind", ""))
