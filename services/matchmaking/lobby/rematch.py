"""The table of a rematch, made from the fact that formed the match."""

from __future__ import annotations

from services.matchmaking.asked import CASUAL, Queue, queue_clock
from services.matchmaking.lobby.table import Place, Table
from services.runtime.errors import NotFound
from vallum.events.v1 import events_pb2 as ev


def rematch_table(event: bytes | None, player: str, table_id: str, now: int, code: str) -> Table:
    """The same people, bots, options and clock, casual, with seats drawn anew. Raises NotFound
    `match_not_found` for a match that was formed elsewhere or long ago, or without the player."""
    formed = ev.Event.FromString(event or b"").match_formed
    if player not in [one.player for one in formed.seats if one.player]:
        raise NotFound("match_not_found")
    places = tuple(
        Place(bot=one.bot)
        if one.bot
        else Place(player=player)
        if one.player == player
        else Place(kept_for=one.player)
        for one in formed.seats
    )
    clock = queue_clock(formed.clock if formed.HasField("clock") else None)
    return Table(
        id=table_id,
        queue=Queue(formed.game, CASUAL, formed.options_json, clock),
        places=places,
        host=player,
        code=code,
        rematch_of=formed.match_id,
        created=now,
    )
