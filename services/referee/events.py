"""What happens to a table rather than in the game: people leave, bots take over, time runs out.

Logged with origin "host". Each class is one kind of event: its guards and its consequence.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from services.gamekit.game import Game, IllegalAction, snake
from services.referee.clocks import refilled, stretched
from services.referee.table import Chair, Happening, Table

FALLBACK_BOT = "easy"
"""Plays on for whoever left or ran out of time."""


class TableEvent(Happening, frozen=True, tag_field="kind", tag=snake):
    """An event of a kind that has a name."""

    @property
    def kind(self) -> str:
        """Its name in records and updates: "resign"."""
        return str(self.__struct_config__.tag)


class Resign(TableEvent, frozen=True):
    """The player leaves for good: the game retires the seat, or a bot plays on and the place
    is fixed."""

    def apply(self, game: Game[Any], table: Table, now: int) -> Table:
        """Codes: `already_resigned`, `game_over`."""
        if table.chairs[self.seat].retired:
            raise IllegalAction("already_resigned")
        return retired(game, in_play(table), self)


class HandOver(TableEvent, frozen=True):
    """The player lets a bot play for him until he returns."""

    def apply(self, game: Game[Any], table: Table, now: int) -> Table:
        """Codes: `bot_in_charge`, `game_over`."""
        return substituted(in_play(table), self)


class Return(TableEvent, frozen=True):
    """The player takes his seat back from the bot."""

    def apply(self, game: Game[Any], table: Table, now: int) -> Table:
        """Codes: `cannot_return` (gone for good, or no bot is in charge), `game_over`."""
        chair = in_play(table).chairs[self.seat]
        if chair.retired or not chair.bot or not chair.player:
            raise IllegalAction("cannot_return")
        table = table.with_chair(self.seat, replace(chair, bot=""))
        if table.control and table.clocks:
            table = replace(table, clocks=refilled(table.control, table.clocks, self.seat))
        return table


class ClockExpired(TableEvent, frozen=True):
    """A seat's time has run out: a bot takes over, or the seat forfeits, by the time control."""

    def apply(self, game: Game[Any], table: Table, now: int) -> Table:
        """Code: `clock_runs` while there is time left, or no clock runs at all."""
        until = table.deadline(self.seat)
        if until is None or now < until or table.control is None:
            raise IllegalAction("clock_runs")
        if table.control.expiry == "forfeit":
            return retired(game, table, self)
        return substituted(table, self)


class Outage(TableEvent, frozen=True):
    """Nobody could move from `start` to `end` (milliseconds since 1970): it counts for no clock.
    Of the whole table; `seat` is -1."""

    start: int
    end: int

    def apply(self, game: Game[Any], table: Table, now: int) -> Table:
        """Code: `outage_counted` for one that was taken out before."""
        clocks = table.clocks
        if clocks is None or self.end <= clocks.outage_end:
            raise IllegalAction("outage_counted")
        start = max(self.start, clocks.outage_end)
        return replace(table, clocks=stretched(clocks, start, self.end))


class TakeOver(TableEvent, frozen=True):
    """Another player takes the seat that its own has left to a bot, and with it whatever has
    become of it."""

    player: str

    def apply(self, game: Game[Any], table: Table, now: int) -> Table:
        """Codes: `seat_not_left` (its player is there, it was always a bot's, or the game has
        retired it), `seated_already`, `game_over`."""
        chair = in_play(table).chairs[self.seat]
        if not chair.bot or not chair.player or (chair.retired and game.meta.retires):
            raise IllegalAction("seat_not_left")
        if any(one.player == self.player for one in table.chairs):
            raise IllegalAction("seated_already")
        table = table.with_chair(self.seat, Chair(player=self.player))
        table = replace(table, left=tuple(seat for seat in table.left if seat != self.seat))
        if table.control and table.clocks:
            table = replace(table, clocks=refilled(table.control, table.clocks, self.seat))
        return table


EVENTS: tuple[type[TableEvent], ...] = (Resign, HandOver, Return, TakeOver, ClockExpired, Outage)


def in_play(table: Table) -> Table:
    """`table`, unless the match is over."""
    if not table.open:
        raise IllegalAction("game_over")
    return table


def retired(game: Game[Any], table: Table, event: TableEvent) -> Table:
    """The seat is out: by the game's own rule, or a bot plays on and the place is fixed."""
    chair = table.chairs[event.seat]
    state, bot = table.state, chair.bot or FALLBACK_BOT
    if game.meta.retires:
        state, bot = game.advance(game.retire(table.state, event.seat)), chair.bot
    table = table.with_chair(event.seat, replace(chair, bot=bot, retired=True))
    return replace(table, state=state, left=(*table.left, event.seat))


def substituted(table: Table, event: TableEvent) -> Table:
    """A bot plays the seat until its player returns."""
    chair = table.chairs[event.seat]
    if chair.bot:
        raise IllegalAction("bot_in_charge")
    return table.with_chair(event.seat, replace(chair, bot=FALLBACK_BOT))
