"""A group becomes a match: who sits where, and the fact that says so."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from services.matchmaking.asked import Queue
from services.matchmaking.storage import Corner
from services.matchmaking.times import moment
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


async def opponents(corner: Corner, game: str, players: Sequence[str]) -> tuple[str, ...]:
    """Whom some players met recently in a game."""
    pipeline = corner.redis.pipeline(transaction=False)
    for player in players:
        pipeline.lrange(corner.key("met", game, player), 0, -1)
    return tuple(sorted({one.decode() for found in await pipeline.execute() for one in found}))


def _place(text: str) -> tuple[int, int]:
    seat, _, seats = text.partition("/")
    return int(seat), int(seats)


def seated(
    match_id: str, people: Sequence[str], seats: int, past: Mapping[str, Sequence[tuple[int, int]]]
) -> list[str | None]:
    """Seats by keyed chance; None: a bot's."""
    order: list[str | None] = [*people, *([None] * (seats - len(people)))]
    keyed = sorted(range(seats), key=lambda n: hashlib.sha256(f"{match_id}/{n}".encode()).digest())
    return [order[n] for n in keyed]
