"""A table and what people do at it. Pure: each deed gives the table after it, or is refused."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from services.gamekit.record import Record
from services.matchmaking.asked import Queue
from services.runtime.errors import Forbidden, NotFound, Refused

OPEN, STARTED, CLOSED = "open", "started", "closed"


class Place(Record, frozen=True):
    """One seat: a player's, kept for one, a bot's, or open where nothing is set."""

    player: str = ""
    kept_for: str = ""
    bot: str = ""
    ready: bool = False

    @property
    def taken(self) -> bool:
        """Whether the match could begin with it."""
        return bool(self.player or self.bot)

    @property
    def open(self) -> bool:
        """Whether anybody may take it."""
        return not (self.player or self.bot or self.kept_for)


class Table(Record, frozen=True):
    """A table. `created` and `expires` are milliseconds since 1970."""

    id: str
    queue: Queue
    places: tuple[Place, ...]
    host: str = ""
    keep_seats: bool = False
    public: bool = False
    code: str = ""
    state: str = OPEN
    reason: str = ""
    match: str = ""
    rematch_of: str = ""
    created: int = 0
    expires: int = 0

    def people(self) -> list[str]:
        """Who sits there, in the order of the seats."""
        return [one.player for one in self.places if one.player]

    def kept(self) -> list[str]:
        """For whom a seat is kept."""
        return [one.kept_for for one in self.places if one.kept_for]

    def with_place(self, seat: int, place: Place) -> Table:
        """Another holder of a seat."""
        return replace(self, places=self.places[:seat] + (place,) + self.places[seat + 1 :])


def visible(table: Table, player: str) -> bool:
    """Whether a player may know of a table."""
    return (
        player in table.people() or player in table.kept() or (table.public and table.state == OPEN)
    )


def join(table: Table, player: str, code: str) -> Table:
    """Take the seat that is kept for the player, or an open one. Raises NotFound where he may not
    know of it, Refused `table_over`, `table_full`."""
    if not visible(table, player) and code.upper() != table.code:
        raise NotFound("table_not_found")
    in_play(table)
    if player in table.people():
        return table
    places = table.places
    found = next(
        (seat for seat, one in enumerate(places) if one.kept_for == player),
        next((seat for seat, one in enumerate(places) if one.open), None),
    )
    if found is None:
        raise Refused("table_full", "no seat is open")
    table = table.with_place(found, Place(player=player))
    return table if table.host else replace(table, host=player)


def leave(table: Table, player: str) -> Table:
    """Give the seat up, or the one that is kept for the player; the next player is host in the
    host's place, and the last one closes the table. Raises Refused `table_over`, `not_seated`."""
    in_play(table)
    if player in table.kept():
        return table.with_place([one.kept_for for one in table.places].index(player), Place())
    if player not in table.people():
        raise Refused("not_seated", "the caller has no seat at this table")
    seat = next(seat for seat, one in enumerate(table.places) if one.player == player)
    table = table.with_place(seat, Place())
    if not table.people():
        return close(replace(table, host=""), "left")
    return replace(table, host=heir(table, seat)) if table.host == player else table


def heir(table: Table, seat: int) -> str:
    """The next player round the table from a seat."""
    round_ = table.places[seat:] + table.places[:seat]
    return next(one.player for one in round_ if one.player)


def set_ready(table: Table, player: str, ready: bool) -> Table:
    """Raises Refused `table_over`, `not_seated`."""
    in_play(table)
    for seat, one in enumerate(table.places):
        if one.player == player:
            return table.with_place(seat, replace(one, ready=ready))
    raise Refused("not_seated", "the caller has no seat at this table")


def set_place(table: Table, actor: str, seat: int, place: Place) -> Table:
    """Say whose a seat is; everybody must be ready anew. `actor` is "" for the tenant. Raises
    Forbidden `host_only`, Refused `table_over`, `no_such_seat`, `host_stays`, `seated_already`."""
    in_play(table)
    host_only(table, actor)
    if seat >= len(table.places):
        raise Refused("no_such_seat", "the table has fewer seats", seats=len(table.places))
    if actor and table.places[seat].player == actor:
        raise Refused("host_stays", "leave the table to give your own seat up")
    others = table.people() + table.kept()
    if place.kept_for and place.kept_for in others:
        raise Refused("seated_already", "this player has a seat here")
    shown_out = table.places[seat].player
    places = tuple(replace(one, ready=False) for one in table.with_place(seat, place).places)
    table = replace(table, places=places)
    if not table.people() and shown_out:
        return close(replace(table, host=""), "left")
    return replace(table, host=heir(table, seat)) if table.host == shown_out != "" else table


def may_start(table: Table, actor: str) -> None:
    """Raises Forbidden `host_only`, Refused `table_over`, `seats_open`, `not_ready`."""
    in_play(table)
    host_only(table, actor)
    if not all(one.taken for one in table.places) or not table.people():
        raise Refused("seats_open", "every seat needs a player or a bot")
    waiting = [one for one in table.places if one.player not in ("", table.host) and not one.ready]
    if waiting:
        raise Refused("not_ready", "not everybody is ready", player=waiting[0].player)


def started(table: Table, match: str) -> Table:
    """Its match has begun."""
    return replace(table, state=STARTED, match=match)


def close(table: Table, reason: str) -> Table:
    """Nothing comes of it."""
    return replace(table, state=CLOSED, reason=reason)


def seat_order(table: Table, drawn: Sequence[str | None]) -> list[Place]:
    """The places in the order of the match: as they stand, or people as they are `drawn` and the
    bots between them in theirs."""
    if table.keep_seats:
        return list(table.places)
    bots = iter([one for one in table.places if one.bot])
    return [Place(player=one) if one else next(bots) for one in drawn]


def in_play(table: Table) -> None:
    """Raises Refused `table_over`."""
    if table.state != OPEN:
        raise Refused("table_over", "the table has started or closed", state=table.state)


def host_only(table: Table, actor: str) -> None:
    """Raises Forbidden `host_only` unless the host or the tenant acts."""
    if actor not in ("", table.host):
        raise Forbidden("host_only", "only the host may do this")
