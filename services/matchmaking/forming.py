"""A group becomes a match: who sits where, and the fact that says so."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from services.gamekit.chance import Chance
from services.matchmaking.asked import Queue
from services.matchmaking.seating import seat_order
from services.matchmaking.storage import Corner
from services.matchmaking.times import moment
from services.runtime.telemetry import current_traceparent
from vallum.events.v1 import events_pb2 as ev
from vallum.match.v1 import match_pb2 as pb


class Formation(NamedTuple):
    """A match to be formed."""

    match_id: str
    event: bytes
    """The MatchFormed, in its envelope."""
    sitting: str
    """Players and their seats: "ann 1 bob 0"."""
    seats: int


def new_match_id() -> str:
    """Nobody can guess it."""
    return secrets.token_hex(10)


def formation(
    tenant: str, queue: Queue, match_id: str, order: Sequence[pb.Occupant], now_ms: int, cause: str
) -> Formation:
    """The match of these occupants, in seat order."""
    event = ev.Event(
        id=f"{match_id}/formed",
        subject=f"matches/{match_id}",
        occurred_at=moment(now_ms),
        cause=cause,
        traceparent=current_traceparent(),
        tenant=tenant,
        match_formed=ev.MatchFormed(
            game=queue.game,
            match_id=match_id,
            seats=order,
            options_json=queue.options_json,
            mode=queue.mode_message(),
            clock=queue.clock_message(),
        ),
    )
    places = (f"{one.player} {seat}" for seat, one in enumerate(order) if one.player)
    return Formation(match_id, event.SerializeToString(), " ".join(places), len(order))


async def histories(
    corner: Corner, game: str, players: Sequence[str]
) -> Mapping[str, list[tuple[int, int]]]:
    """(seat, seats) of each player's latest matches, newest first."""
    pipeline = corner.redis.pipeline(transaction=False)
    for player in players:
        pipeline.lrange(corner.key("sat", game, player), 0, -1)
    rows = await pipeline.execute()
    return {
        player: [_place(row.decode()) for row in found]
        for player, found in zip(players, rows, strict=True)
    }


async def opponents(
    corner: Corner, parties: Sequence[tuple[str, Sequence[str]]]
) -> list[tuple[str, ...]]:
    """Whom the players of each party met recently in its game."""
    pipeline = corner.redis.pipeline(transaction=False)
    for game, players in parties:
        for player in players:
            pipeline.lrange(corner.key("met", game, player), 0, -1)
    rows = iter(await pipeline.execute())
    return [
        tuple(sorted({one.decode() for _ in players for one in next(rows)}))
        for _, players in parties
    ]


def _place(text: str) -> tuple[int, int]:
    seat, _, seats = text.partition("/")
    return int(seat), int(seats)


def seated(
    match_id: str, people: Sequence[str], seats: int, past: Mapping[str, Sequence[tuple[int, int]]]
) -> list[str | None]:
    """Who sits where, by a chance that follows from the match's id: None is a bot."""
    chance = Chance(hashlib.sha256(match_id.encode()).digest())
    return seat_order(chance, "seat", people, seats, past)
