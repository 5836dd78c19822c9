"""A table is a position with the people around it; folding the log over it is all that happens.

Pure: the same entries give the same table on every replica.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from services.gamekit.game import (
    Action,
    Decision,
    Game,
    IllegalAction,
    Place,
    Record,
    Result,
    Seat,
    snake,
)
from services.gamekit.play import check_answer

FALLBACK_BOT = "random"
"""Plays on for whoever left, unless the match names another policy."""


class Chair(Record, frozen=True):
    """Who is responsible for a seat: its player, and the bot that plays it now, if any."""

    player: str = ""
    bot: str = ""
    retired: bool = False


class Table(Record, frozen=True):
    """A match at one version. `asked[seat + 1]` is the number of that seat's latest question;
    `left` lists who retired, first leaver first."""

    state: Any
    chairs: tuple[Chair, ...]
    open: tuple[Decision, ...]
    asked: tuple[int, ...]
    left: tuple[Seat, ...] = ()

    def decision(self, seat: Seat) -> Decision | None:
        """The open question of `seat`, if any."""
        return next((one for one in self.open if one.seat == seat), None)

    def decision_id(self, seat: Seat) -> int:
        """The number of the latest question put to `seat`; 0 before the first."""
        return self.asked[seat + 1]

    def automatic(self, seat: Seat) -> bool:
        """Whether nobody at a keyboard will answer for `seat`."""
        return seat < 0 or bool(self.chairs[seat].bot)


class TableEvent(Record, frozen=True, tag_field="kind", tag=snake):
    """Something that happens to the table rather than in the game. Logged with origin "host"."""

    seat: Seat

    @property
    def kind(self) -> str:
        """The name of the event in records and updates: "resign"."""
        return str(self.__struct_config__.tag)

    def apply(self, game: Game[Any], table: Table) -> Table:
        """The table after it, questions not yet renumbered. Raises `IllegalAction`."""
        raise NotImplementedError


class Resign(TableEvent, frozen=True):
    """The player leaves for good: the game retires the seat, or a bot plays on and the place
    is fixed."""

    def apply(self, game: Game[Any], table: Table) -> Table:
        chair = table.chairs[self.seat]
        if chair.retired:
            raise IllegalAction("already_resigned")
        if not table.open:
            raise IllegalAction("game_over")
        if game.meta.retires:
            state, bot = game.advance(game.retire(table.state, self.seat)), chair.bot
        else:
            state, bot = table.state, chair.bot or FALLBACK_BOT
        return replace(
            table,
            state=state,
            chairs=seated(table.chairs, self.seat, replace(chair, bot=bot, retired=True)),
            left=(*table.left, self.seat),
        )


class Substitute(TableEvent, frozen=True):
    """A bot takes the seat over until its player returns."""

    bot: str

    def apply(self, game: Game[Any], table: Table) -> Table:
        chair = table.chairs[self.seat]
        if chair.bot:
            raise IllegalAction("bot_in_charge")
        return replace(table, chairs=seated(table.chairs, self.seat, replace(chair, bot=self.bot)))


class Return(TableEvent, frozen=True):
    """The player of a substituted seat takes it back."""

    def apply(self, game: Game[Any], table: Table) -> Table:
        chair = table.chairs[self.seat]
        if chair.retired or not chair.bot or not chair.player:
            raise IllegalAction("cannot_return")
        return replace(table, chairs=seated(table.chairs, self.seat, replace(chair, bot="")))


EVENTS: tuple[type[TableEvent], ...] = (Resign, Substitute, Return)


def seated(chairs: tuple[Chair, ...], seat: Seat, chair: Chair) -> tuple[Chair, ...]:
    """`chairs` with another one at `seat`."""
    return chairs[:seat] + (chair,) + chairs[seat + 1 :]


def laid(game: Game[Any], state: Any, chairs: tuple[Chair, ...]) -> Table:
    """The table before the first entry of the log."""
    state = game.advance(state)
    blank = Table(state=state, chairs=chairs, open=(), asked=(0,) * (len(chairs) + 1))
    return asked_anew(game, blank, blank, None)


def moved(game: Game[Any], table: Table, seat: Seat, move: Action[Any] | TableEvent) -> Table:
    """The table after one entry. Raises `IllegalAction` where the rules refuse it."""
    if isinstance(move, TableEvent):
        return asked_anew(game, table, move.apply(game, table), None)
    check_answer(game, table.state, table.decision(seat), seat, move)
    state = game.advance(move.apply(table.state, seat))
    return asked_anew(game, table, replace(table, state=state), seat)


def asked_anew(game: Game[Any], before: Table, after: Table, mover: Seat | None) -> Table:
    """Number the open questions: one stays the same while its seat has not moved and the
    prompt, and what it is about, have not changed."""
    decisions = game.decisions(after.state)
    known = {one.seat: one for one in before.open}
    asked = list(before.asked)
    for one in decisions:
        if one.seat == mover or known.get(one.seat) != one:
            asked[one.seat + 1] += 1
    return replace(after, open=decisions, asked=tuple(asked))


def newly_asked(before: Table, after: Table) -> list[Decision]:
    """The questions of `after` that were not open in `before`; so are all whose player changed."""
    return [
        one
        for one in after.open
        if after.decision_id(one.seat) != before.decision_id(one.seat)
        or after.automatic(one.seat) != before.automatic(one.seat)
    ]


def result_of(game: Game[Any], table: Table) -> Result | None:
    """The game's result, with those whose seat a bot played on placed behind all who stayed:
    the first to leave is last."""
    result = game.result(table.state)
    if result is None or not table.left or game.meta.retires:
        return result
    stayed = [one for one in result.places if one.seat not in table.left]
    gone = [
        Place(seat, len(table.chairs) - rank, one.score, decided_by="resigned")
        for rank, seat in enumerate(table.left)
        for one in result.places
        if one.seat == seat
    ]
    return replace(result, places=(*closed_up(stayed), *reversed(gone)))


def closed_up(places: list[Place]) -> list[Place]:
    """Places of a subset, renumbered from 1 with their ties kept."""
    ranks = [one.place for one in places]
    return [replace(one, place=1 + sum(rank < one.place for rank in ranks)) for one in places]
