"""Seats that somebody has left in a casual match: who takes them.

The host says that a player has left (SeatChanged), and that another has the seat or cannot have it;
between the two a ticket is held for it.
"""

from __future__ import annotations

from typing import Any

import structlog

from services.matchmaking.asked import CASUAL, RANKED, Queue, queue_clock
from services.matchmaking.mirror import Mirror
from services.matchmaking.storage import Corner, Storage
from services.matchmaking.times import moment, now_ms
from services.runtime.handling import Handlers as Routes
from vallum.events.v1 import events_pb2 as ev
from vallum.match.v1 import match_pb2 as pb

LEFT = frozenset({"resign", "clock_expired"})
"""Reasons for which a seat is somebody else's to take."""
GRACE_MS = 20_000
"""Who ran out of time may come back for so long."""
ANSWER_MS = 30_000
"""The host gives a seat within this time, or not at all."""
SETTLED_MS = 2 * ANSWER_MS
"""A ticket of which the host has said nothing for so long waits on."""
OFFERED_S = 24 * 3600
"""A seat that nobody wants is offered for so long."""

log = structlog.get_logger(__name__)


class Handlers:
    """What the matchmaker learns from the hosts; `table` says which fact goes where."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self.table: Routes = {ev.SeatChanged: (self.note_seat,)}

    async def note_seat(self, event: ev.Event, fact: ev.SeatChanged) -> None:
        """A seat was left, or is taken again."""
        corner = self._storage.of(event.tenant)
        match_id = event.subject.removeprefix("matches/")
        spot = f"{match_id}/{fact.seat.index}"
        if fact.reason == "take_over":
            await corner.run("filled", spot, match_id)
        elif fact.reason == "kept":
            await corner.run("kept", spot)
        else:
            await self._vacancy(corner, match_id, spot, event, fact)

    async def _vacancy(
        self, corner: Corner, match_id: str, spot: str, event: ev.Event, fact: ev.SeatChanged
    ) -> None:
        """Offer the seat, or not any more, where the match was formed here and is casual."""
        formed = await corner.redis.get(corner.key("formed", match_id))
        queue = queue_formed(formed) if formed else None
        if queue is None or queue.ranked:
            return
        vacant = corner.key("vacant", queue.id)
        if fact.reason not in LEFT or not fact.seat.bot:
            await corner.redis.hdel(vacant, spot)
            return
        grace = GRACE_MS if fact.reason == "clock_expired" else 0
        await corner.redis.hset(vacant, spot, event.occurred_at.ToMilliseconds() + grace)
        await corner.redis.expire(vacant, OFFERED_S)


async def fill(corner: Corner, queue: Queue, token: int, mirror: Mirror) -> int:
    """Hold tickets for seats that were left, who has waited longest first; how many."""
    vacant: Any = await corner.redis.hgetall(corner.key("vacant", queue.id))
    now, done = now_ms(), 0
    for spot in sorted(vacant, key=lambda one: int(vacant[one])):
        if int(vacant[spot]) > now:
            continue
        match_id, _, seat = spot.decode().partition("/")
        formed = await corner.redis.get(corner.key("formed", match_id))
        there = {one.player for one in fact_of(formed).seats} if formed else set()
        free = [mirror.waiting[name] for name in mirror.backfill]
        free = [one for one in free if one.party[0].player not in there]
        if not formed or not free:
            continue
        ticket = min(free, key=lambda one: (one.since_s, one.ticket))
        event = seat_found(corner.tenant, queue, spot.decode(), ticket.party[0].player, now)
        answer = await corner.run(
            "fill", queue.id, token, spot, ticket.ticket, now + SETTLED_MS, event
        )
        log.info("seat_found", match=match_id, seat=seat, outcome=answer[0].decode())
        if answer[0] in (b"ok", b"gone"):
            mirror.drop(ticket.ticket)
        done += answer[0] == b"ok"
    return done


def seat_found(tenant: str, queue: Queue, spot: str, player: str, now: int) -> bytes:
    """The fact that asks the host to give a seat to a player, in its envelope."""
    match_id, _, seat = spot.partition("/")
    event = ev.Event(
        id=f"{spot}/found/{now}",
        subject=f"matches/{match_id}",
        occurred_at=moment(now),
        tenant=tenant,
        seat_found=ev.SeatFound(
            game=queue.game, seat=int(seat), player=player, deadline=moment(now + ANSWER_MS)
        ),
    )
    return event.SerializeToString()


def fact_of(formed: bytes) -> ev.MatchFormed:
    """What was told of a match when it was formed."""
    return ev.Event.FromString(formed).match_formed


def queue_formed(formed: bytes) -> Queue:
    """The queue that a match belongs to."""
    fact = fact_of(formed)
    clock = queue_clock(fact.clock if fact.HasField("clock") else None)
    mode = RANKED if fact.mode == pb.MODE_RANKED else CASUAL
    return Queue(fact.game, mode, fact.options_json, clock)
