"""A table is a position with the people around it; folding the log over it is all that happens.

Pure: the same entries give the same table on every replica.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from services.gamekit.game import Action, Decision, Game, Place, Record, Result, Seat
from services.gamekit.play import check_answer
from services.referee import clocks as ticking
from services.referee.clocks import Clocks, TimeControl


class Chair(Record, frozen=True):
    """Who is responsible for a seat: its player, and the bot that plays it now, if any."""

    player: str = ""
    bot: str = ""
    retired: bool = False


class Table(Record, frozen=True):
    """A match at one version. `asked[seat + 1]` is the number of that seat's latest question;
    `left` lists who retired, first leaver first; `control` and `clocks` are None without a time
    limit."""

    state: Any
    chairs: tuple[Chair, ...]
    open: tuple[Decision, ...]
    asked: tuple[int, ...]
    left: tuple[Seat, ...] = ()
    control: TimeControl | None = None
    clocks: Clocks | None = None

    def decision(self, seat: Seat) -> Decision | None:
        """The open question of `seat`, if any."""
        return next((one for one in self.open if one.seat == seat), None)

    def decision_id(self, seat: Seat) -> int:
        """The number of the latest question put to `seat`; 0 before the first."""
        return self.asked[seat + 1]

    def automatic(self, seat: Seat) -> bool:
        """Whether nobody at a keyboard will answer for `seat`."""
        return seat < 0 or bool(self.chairs[seat].bot)

    def deadline(self, seat: Seat) -> int | None:
        """When the seat's clock runs out, in milliseconds since 1970; None while it stands."""
        if self.control is None or self.clocks is None or seat < 0:
            return None
        return ticking.deadline(self.control, self.clocks, seat)

    def with_chair(self, seat: Seat, chair: Chair) -> Table:
        """Another chair at `seat`."""
        return replace(self, chairs=self.chairs[:seat] + (chair,) + self.chairs[seat + 1 :])


class Happening(Record, frozen=True):
    """The base of what happens to a table rather than in the game (services/referee/events.py)."""

    seat: Seat

    def apply(self, game: Game[Any], table: Table, now: int) -> Table:
        """The table after it at `now`, questions not yet renumbered. Raises `IllegalAction`."""
        raise NotImplementedError


def laid(
    game: Game[Any], state: Any, chairs: tuple[Chair, ...], control: TimeControl | None, now: int
) -> Table:
    """The table before the first entry of the log."""
    blank = Table(
        state=game.advance(state),
        chairs=chairs,
        open=(),
        asked=(0,) * (len(chairs) + 1),
        control=control,
        clocks=ticking.wound(control, len(chairs)) if control else None,
    )
    return asked_anew(game, blank, blank, None, now)


def moved(
    game: Game[Any], table: Table, seat: Seat, move: Action[Any] | Happening, now: int
) -> Table:
    """The table after one entry at `now` (milliseconds since 1970). Raises `IllegalAction` where
    the rules refuse it."""
    if isinstance(move, Happening):
        return asked_anew(game, table, move.apply(game, table, now), None, now)
    check_answer(game, table.state, table.decision(seat), seat, move)
    state = game.advance(move.apply(table.state, seat))
    return asked_anew(game, table, replace(table, state=state), seat, now)


def asked_anew(game: Game[Any], before: Table, after: Table, mover: Seat | None, now: int) -> Table:
    """Number the open questions, and let the clocks run: a question stays the same while its seat
    has not moved and the prompt, and what it is about, have not changed. When somebody's leaving
    changed the position, every question is a new one: it may be the next of the same kind."""
    decisions = game.decisions(after.state)
    left = mover is None and after.state is not before.state
    known = {} if left else {one.seat: one for one in before.open}
    asked = list(before.asked)
    for one in decisions:
        if one.seat == mover or known.get(one.seat) != one:
            asked[one.seat + 1] += 1
    asked_table = replace(after, open=decisions, asked=tuple(asked))
    if after.control is None or after.clocks is None:
        return asked_table
    thinking = {one.seat for one in decisions if not after.automatic(one.seat)}
    clocks = ticking.ticked(after.control, after.clocks, thinking.__contains__, mover, now)
    return replace(asked_table, clocks=clocks)


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
