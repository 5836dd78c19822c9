"""Results as they were told, and what counts of them: writing and reading the tables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from google.protobuf.timestamp_pb2 import Timestamp
from msgspec.structs import replace
from sqlalchemy import insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from services.scoring.model import Ended, Seated, ladders_of, mode_of
from services.scoring.schema import (
    CORRECTIONS,
    ENTRIES,
    EVENTS,
    LADDERS,
    LINES,
    OUTBOX,
    RESULTS,
    SEATS,
)
from services.scoring.upsert import insert_new
from vallum.events.v1 import events_pb2 as ev
from vallum.match.v1 import match_pb2 as pb
from vallum.scoring.v1 import scoring_pb2 as sc


def milliseconds(time: Timestamp) -> int:
    """A Timestamp as milliseconds since 1970."""
    return time.seconds * 1000 + time.nanos // 1_000_000


def timestamp(time_ms: int) -> Timestamp:
    """Milliseconds since 1970 as a Timestamp."""
    return Timestamp(seconds=time_ms // 1000, nanos=time_ms % 1000 * 1_000_000)


def id_of(name: str) -> str:
    """ "matches/m1" -> "m1"."""
    return name.partition("/")[2]


def ended(match: pb.Match, tenant: str, options_json: str | None = None) -> Ended:
    """A finished match, as far as ladders are concerned."""
    places = {one.seat: one for one in match.result.places}
    return Ended(
        match_id=id_of(match.name),
        tenant=tenant,
        game=match.game,
        mode=mode_of(match.mode),
        time_ms=milliseconds(match.update_time),
        seats=tuple(
            Seated(
                player=seat.player,
                bot=seat.bot,
                left=seat.retired,
                place=places[seat.index].place,
                score=places[seat.index].score,
            )
            for seat in match.seats
        ),
        options_json=options_json,
    )


async def first_time(connection: AsyncConnection, event_id: str, now_ms: int) -> bool:
    """Whether a fact is new; it no longer is, once the transaction is committed."""
    row = {"id": event_id, "handled_ms": now_ms}
    return await insert_new(connection, EVENTS, [row]) == 1


async def store(connection: AsyncConnection, event: ev.Event, *, imported: bool = False) -> bool:
    """Write a result and its score sheets down; False where the match has one."""
    match = event.match_finished.match
    told = ended(match, event.tenant)
    row = {
        "match_id": told.match_id,
        "tenant": told.tenant,
        "game": told.game,
        "rules_version": match.rules_version,
        "mode": told.mode,
        "seat_count": len(told.seats),
        "finished_ms": told.time_ms,
        "event_id": event.id,
        "archived": False,
        "imported": imported,
        "match": match.SerializeToString(),
    }
    if not await insert_new(connection, RESULTS, [row]):
        return False
    await connection.execute(insert(SEATS), seat_rows(match, told))
    if lines := line_rows(match, told.match_id):
        await connection.execute(insert(LINES), lines)
    if not imported:
        await enter(connection, told)
    return True


def seat_rows(match: pb.Match, told: Ended) -> list[dict[str, Any]]:
    """Who sat where."""
    decided = {one.seat: one.decided_by for one in match.result.places}
    return [
        {
            "match_id": told.match_id,
            "seat": index,
            "tenant": told.tenant,
            "player": seat.player,
            "bot": seat.bot,
            "retired": seat.left,
            "place": seat.place,
            "score": seat.score,
            "decided_by": decided[index],
            "finished_ms": told.time_ms,
        }
        for index, seat in enumerate(told.seats)
    ]


def line_rows(match: pb.Match, match_id: str) -> list[dict[str, Any]]:
    """The score sheets."""
    return [
        {
            "match_id": match_id,
            "seat": sheet.seat,
            "number": number,
            "key": line.key,
            "points": line.points,
            "detail": line.detail,
        }
        for sheet in match.result.sheets
        for number, line in enumerate(sheet.lines)
    ]


async def enter(connection: AsyncConnection, told: Ended) -> None:
    """Note which ladders must take a match in, for the first time or once more."""
    cause = f"matches/{told.match_id}"
    await due(connection, cause, told.time_ms, [ladder.key for ladder in ladders_of(told)])


async def due(
    connection: AsyncConnection, cause: str, time_ms: int, ladders: Sequence[str]
) -> None:
    """Note that some ladders must take something in. Waits until nobody folds them."""
    if not ladders:
        return
    heads = [{"key": key, "head_ms": -1, "head_cause": ""} for key in sorted(ladders)]
    await insert_new(connection, LADDERS, heads)
    locked = select(LADDERS.c.key).where(LADDERS.c.key.in_(ladders)).order_by(LADDERS.c.key)
    await connection.execute(locked.with_for_update())
    entries = [{"ladder": key, "time_ms": time_ms, "cause": cause, "due": True} for key in ladders]
    await insert_new(connection, ENTRIES, entries)
    again = update(ENTRIES).where(ENTRIES.c.cause == cause).values(due=True)
    await connection.execute(again)


async def tell(connection: AsyncConnection, event: ev.Event) -> None:
    """Publish a fact once the transaction is committed."""
    await connection.execute(insert(OUTBOX), [{"event": event.SerializeToString()}])


async def corrections(
    connection: AsyncConnection, match_ids: Iterable[str]
) -> Mapping[str, list[sc.Correction]]:
    """The corrections of some matches, oldest first."""
    found: dict[str, list[sc.Correction]] = defaultdict(list)
    query = (
        select(CORRECTIONS.c.match_id, CORRECTIONS.c.body)
        .where(CORRECTIONS.c.match_id.in_(list(match_ids)))
        .order_by(CORRECTIONS.c.at_ms, CORRECTIONS.c.id)
    )
    for match_id, body in await connection.execute(query):
        found[match_id].append(sc.Correction.FromString(body))
    return found


def counted(told: Ended, corrected: Sequence[sc.Correction]) -> Ended:
    """A match with the places that count: those of the latest correction."""
    if not corrected:
        return told
    last = corrected[-1]
    if last.void:
        return replace(told, void=True)
    places = {one.seat: one for one in last.places}
    seats = tuple(
        replace(seat, place=places[index].place, score=places[index].score)
        for index, seat in enumerate(told.seats)
    )
    return replace(told, seats=seats)


async def load(connection: AsyncConnection, match_ids: Sequence[str]) -> dict[str, Ended]:
    """Matches as they count."""
    query = select(
        RESULTS.c.match_id, RESULTS.c.tenant, RESULTS.c.options_json, RESULTS.c.match
    ).where(RESULTS.c.match_id.in_(match_ids))
    rows = (await connection.execute(query)).all()
    corrected = await corrections(connection, match_ids)
    return {
        row.match_id: counted(
            ended(pb.Match.FromString(row.match), row.tenant, row.options_json),
            corrected.get(row.match_id, ()),
        )
        for row in rows
    }
