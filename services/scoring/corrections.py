"""What an admin states: new facts beside the old ones, from which ratings follow anew."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from sqlalchemy import Table, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from services.runtime.database import Database
from services.runtime.errors import Conflict, InvalidRequest, NotFound, Refused
from services.scoring import results
from services.scoring.ladders import Ladder
from services.scoring.model import Who
from services.scoring.rating import rate_due
from services.scoring.rounds import ladders_of
from services.scoring.schema import ADJUSTMENTS, CORRECTIONS
from vallum.events.v1 import events_pb2 as ev
from vallum.scoring.v1 import scoring_pb2 as sc


class Corrections:
    """Takes them in. The id of each is its request_id: a repeated one changes nothing."""

    def __init__(self, database: Database, told: Callable[[], None]) -> None:
        self._database = database
        self._told = told
        """Called when there is a fact to publish."""

    async def correct(self, request: sc.CorrectResultRequest, author: str) -> None:
        """State what counts of a result."""
        now = time.time_ns() // 1_000_000
        match_id = results.id_of(request.name)
        said = sc.Correction(
            name=f"corrections/{request.request_id}",
            time=results.timestamp(now),
            by=author,
            reason=request.reason,
            void=request.void,
            places=request.places,
        )
        row = {
            "id": request.request_id,
            "match_id": match_id,
            "at_ms": now,
            "author": author,
            "reason": request.reason,
            "body": said.SerializeToString(),
        }
        async with self._database.begin() as connection:
            told = (await results.load(connection, [match_id])).get(match_id)
            if told is None:
                raise NotFound("match_not_found")
            known = await stored(connection, CORRECTIONS, request.request_id)
            if known is not None:
                again(sc.Correction.FromString(known.body), said, known.match_id == match_id)
                return
            check_places(request, len(told.seats))
            await connection.execute(insert(CORRECTIONS), [row])
            await results.enter(connection, [told])
            await results.tell(connection, [corrected(told.game, told.tenant, request, said)])
        self._told()
        await rate_due(self._database, [ladder.key for ladder in ladders_of(told)])

    async def adjust(
        self, ladder: Ladder, who: Who, request: sc.AdjustRatingRequest, author: str
    ) -> None:
        """State a rating."""
        if ladder.solo:
            raise Refused("solo_ladder", "its scores follow from results alone")
        now = time.time_ns() // 1_000_000
        row: dict[str, Any] = {
            "ladder": ladder.key,
            "tenant": who.tenant,
            "name": who.name,
            "mu": request.mu,
            "sigma": request.sigma,
            "reason": request.reason,
        }
        async with self._database.begin() as connection:
            known = await stored(connection, ADJUSTMENTS, request.request_id)
            if known is not None:
                again({name: getattr(known, name) for name in row}, row, True)
                return
            said = row | {"id": request.request_id, "at_ms": now, "author": author}
            await connection.execute(insert(ADJUSTMENTS), [said])
            cause = f"adjustments/{request.request_id}"
            await results.due(connection, [results.entry_row(ladder.key, now, cause)])
            await results.tell(connection, [adjusted(cause, ladder, who, request, now)])
        self._told()
        await rate_due(self._database, [ladder.key])


async def stored(connection: AsyncConnection, table: Table, key: str) -> Any:
    """What was stated under an id."""
    return (await connection.execute(select(table).where(table.c.id == key))).one_or_none()


def again(known: Any, said: Any, same: bool) -> None:
    """The same request once more is fine. Raises Conflict where it says something else."""
    if isinstance(known, sc.Correction):
        same = same and (known.void, list(known.places)) == (said.void, list(said.places))
    elif known != said:
        same = False
    if not same:
        raise Conflict("request_id_reused")


def check_places(request: sc.CorrectResultRequest, seats: int) -> None:
    """Every seat has a place, or the match is void. Raises InvalidRequest."""
    named = sorted(one.seat for one in request.places)
    if request.void and named:
        raise InvalidRequest(fields=[("places", "a void match has none")])
    if not request.void and named != list(range(seats)):
        raise InvalidRequest(fields=[("places", "one for each seat")])
    if any(not 1 <= one.place <= seats for one in request.places):
        raise InvalidRequest(fields=[("places", f"from 1 to {seats}")])


def corrected(
    game: str, tenant: str, request: sc.CorrectResultRequest, said: sc.Correction
) -> ev.Event:
    """The fact of a correction."""
    return ev.Event(
        id=said.name,
        subject=request.name,
        occurred_at=said.time,
        cause=request.request_id,
        tenant=tenant,
        result_corrected=ev.ResultCorrected(
            game=game, void=request.void, places=request.places, reason=request.reason
        ),
    )


def adjusted(
    cause: str, ladder: Ladder, who: Who, request: sc.AdjustRatingRequest, now_ms: int
) -> ev.Event:
    """The fact of an adjustment."""
    return ev.Event(
        id=cause,
        subject=f"ratings/{ladder.key}",
        occurred_at=results.timestamp(now_ms),
        cause=request.request_id,
        tenant=who.tenant,
        rating_adjusted=ev.RatingAdjusted(
            ladder=ladder.key, player=who.name, reason=request.reason
        ),
    )
