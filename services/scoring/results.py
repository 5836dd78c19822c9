"""Results as they were told, and what counts of them: writing and reading the tables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from google.protobuf.timestamp_pb2 import Timestamp
from msgspec.structs import replace
from sqlalchemy import insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from services.scoring.rounds import Ended, Seated, ladders_of, mode_of
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
from services.scoring.upsert import insert_new, put
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
                left=seat.retired or bool(seat.player and seat.bot),
                place=places[seat.index].place,
                score=places[seat.index].score,
            )
            for seat in match.seats
        ),
        options_json=options_json,
    )


async def store(
    connection: AsyncConnection, events: Sequence[ev.Event], now_ms: int, *, imported: bool = False
) -> list[str]:
    """Write results and their score sheets down, together with the ids of the facts that told
    them; the ids of those matches that had none yet."""
    ids = [{"id": event.id, "handled_ms": now_ms} for event in events]
    fresh = await insert_new(connection, EVENTS, ids)
    told = {id_of(one.subject): one for one in reversed(events) if one.id in fresh}
    rows = [result_row(one, imported) for one in told.values()]
    new = sorted(await insert_new(connection, RESULTS, rows))
    matches = [(told[key].match_finished.match, told[key].tenant) for key in new]
    seats = [row for match, tenant in matches for row in seat_rows(match, tenant)]
    lines = [row for match, _ in matches for row in line_rows(match)]
    if seats:
        await connection.execute(insert(SEATS), seats)
    if lines:
        await connection.execute(insert(LINES), lines)
    if not imported:
        await enter(connection, [ended(match, tenant) for match, tenant in matches])
    return new


def result_row(event: ev.Event, imported: bool) -> dict[str, Any]:
    """A result without its sheets."""
    match = event.match_finished.match
    return {
        "match_id": id_of(match.name),
        "tenant": event.tenant,
        "game": match.game,
        "rules_version": match.rules_version,
        "mode": mode_of(match.mode),
        "seat_count": len(match.seats),
        "finished_ms": milliseconds(match.update_time),
        "event_id": event.id,
        "archived": False,
        "imported": imported,
        "match": match.SerializeToString(),
    }


def seat_rows(match: pb.Match, tenant: str) -> list[dict[str, Any]]:
    """Who sat where."""
    places = {one.seat: one for one in match.result.places}
    return [
        {
            "match_id": id_of(match.name),
            "seat": seat.index,
            "tenant": tenant,
            "player": seat.player,
            "bot": seat.bot,
            "retired": seat.retired,
            "place": places[seat.index].place,
            "score": places[seat.index].score,
            "decided_by": places[seat.index].decided_by,
            "finished_ms": milliseconds(match.update_time),
        }
        for seat in match.seats
    ]


def line_rows(match: pb.Match) -> list[dict[str, Any]]:
    """The score sheets."""
    return [
        {
            "match_id": id_of(match.name),
            "seat": sheet.seat,
            "number": number,
            "key": line.key,
            "points": line.points,
            "detail": line.detail,
        }
        for sheet in match.result.sheets
        for number, line in enumerate(sheet.lines)
    ]


async def enter(connection: AsyncConnection, matches: Iterable[Ended]) -> None:
    """Note which ladders must take matches in, for the first time or once more."""
    await due(
        connection,
        [
            entry_row(ladder.key, one.time_ms, f"matches/{one.match_id}")
            for one in matches
            for ladder in ladders_of(one)
        ],
    )


def entry_row(ladder: str, time_ms: int, cause: str) -> dict[str, Any]:
    """Something that a ladder must take in."""
    return {"ladder": ladder, "time_ms": time_ms, "cause": cause, "due": True}


async def due(connection: AsyncConnection, entries: Sequence[dict[str, Any]]) -> None:
    """Note what ladders must take in. Waits until nobody folds them."""
    if not entries:
        return
    keys = sorted({one["ladder"] for one in entries})
    heads = [{"key": key, "head_ms": -1, "head_cause": ""} for key in keys]
    await insert_new(connection, LADDERS, heads)
    locked = select(LADDERS.c.key).where(LADDERS.c.key.in_(keys)).order_by(LADDERS.c.key)
    await connection.execute(locked.with_for_update())
    await put(connection, ENTRIES, entries)


async def tell(connection: AsyncConnection, events: Sequence[ev.Event]) -> None:
    """Publish facts once the transaction is committed."""
    if events:
        rows = [{"event": event.SerializeToString()} for event in events]
        await connection.execute(insert(OUTBOX), rows)


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
