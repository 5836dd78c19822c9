"""Tables as the contract's messages."""

from __future__ import annotations

from services.matchmaking.lobby.store import Stored
from services.matchmaking.lobby.table import Place, Table
from services.matchmaking.times import moment
from vallum.matchmaking.v1 import lobby_pb2 as lb


def table_message(stored: Stored, *, with_code: bool) -> lb.Table:
    """A table; its invite code only where the reader may have it."""
    table = stored.table
    return lb.Table(
        name=f"tables/{table.id}",
        game=table.queue.game,
        options_json=table.queue.options_json,
        mode=table.queue.mode_message(),
        clock=table.queue.clock_message(),
        host=table.host,
        seats=[place_message(one, table) for one in table.places],
        keep_seats=table.keep_seats,
        visibility=lb.VISIBILITY_PUBLIC if table.public else lb.VISIBILITY_PRIVATE,
        invite_code=table.code if with_code else "",
        state=lb.TableState.Value(f"TABLE_STATE_{table.state.upper()}"),
        reason=table.reason,
        match=f"matches/{table.match}" if table.match else "",
        rematch_of=f"matches/{table.rematch_of}" if table.rematch_of else "",
        create_time=moment(table.created),
        expire_time=moment(table.expires),
        version=stored.version,
    )


def place_message(place: Place, table: Table) -> lb.TableSeat:
    """One seat."""
    ready = place.ready or bool(place.bot) or bool(place.player and place.player == table.host)
    if place.player:
        return lb.TableSeat(player=place.player, ready=ready)
    if place.kept_for:
        return lb.TableSeat(kept_for=place.kept_for)
    return lb.TableSeat(bot=place.bot, ready=ready) if place.bot else lb.TableSeat()


def place_of(seat: lb.TableSeat | lb.SetSeatRequest, sits: str) -> Place:
    """A seat as it is asked for: `sits` is there, other players are yet to come."""
    holder = seat.WhichOneof("holder")
    if holder == "bot":
        return Place(bot=seat.bot)
    if holder is None:
        return Place()
    player = str(getattr(seat, holder))
    return Place(player=player) if player == sits else Place(kept_for=player)
