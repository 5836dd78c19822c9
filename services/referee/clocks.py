"""Time control: how long a seat may take, and what is left of it. Pure: time comes with the log.

A seat's clock runs while it has a question open and its own player answers for it. Questions that
follow one another by the seat's own moves are one stretch of thought.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

from msgspec.structs import replace

from services.gamekit.game import Record, Seat

Expiry = Literal["substitute", "forfeit"]

RETURN_SHARE = 10
"""Who returns to a seat whose bank has run out finds this part of the bank (1/10) in it."""


class TimeControl(Record, frozen=True):
    """Either a bank with an increment for each stretch of thought, or `per_question_ms` for each
    question. `expiry` says what becomes of a seat that runs out."""

    expiry: Expiry
    bank_ms: int = 0
    increment_ms: int = 0
    per_question_ms: int = 0


class Clocks(Record, frozen=True):
    """What each seat has left in its bank, and since when its clock runs (0: it stands).
    `outage_end` is the end of the last outage that was taken out of the running clocks."""

    left: tuple[int, ...]
    since: tuple[int, ...]
    outage_end: int = 0


def wound(control: TimeControl, seats: int) -> Clocks:
    """The clocks before the first question."""
    return Clocks((control.bank_ms,) * seats, (0,) * seats)


def deadline(control: TimeControl, clocks: Clocks, seat: Seat) -> int | None:
    """When a running clock runs out, in milliseconds since 1970."""
    since = clocks.since[seat]
    if not since:
        return None
    return since + (control.per_question_ms or clocks.left[seat])


def ticked(
    control: TimeControl, clocks: Clocks, runs: Callable[[int], bool], mover: Seat | None, now: int
) -> Clocks:
    """The clocks after an entry at `now`: `runs` tells which run from here on, `mover` whose
    move it was."""
    seats = range(len(clocks.left))
    steps = [one_ticked(control, clocks, seat, runs(seat), seat == mover, now) for seat in seats]
    return replace(
        clocks, left=tuple(left for left, _ in steps), since=tuple(since for _, since in steps)
    )


def one_ticked(
    control: TimeControl, clocks: Clocks, seat: int, runs: bool, moved: bool, now: int
) -> tuple[int, int]:
    """(left, since) of one seat."""
    left, since = clocks.left[seat], clocks.since[seat]
    if not since:
        return left, now if runs else 0
    if runs:
        return left, now if moved and control.per_question_ms else since
    return max(0, left - (now - since)) + (control.increment_ms if moved else 0), 0


def stretched(clocks: Clocks, start: int, end: int) -> Clocks:
    """The clocks with an outage taken out: what ran meanwhile began that much later."""
    since = tuple(one + max(0, end - max(start, one)) if one else 0 for one in clocks.since)
    return replace(clocks, since=since, outage_end=end)


def refilled(control: TimeControl, clocks: Clocks, seat: Seat) -> Clocks:
    """The clocks for a player who returns to his seat."""
    least = control.bank_ms // RETURN_SHARE
    left = tuple(max(one, least) if index == seat else one for index, one in enumerate(clocks.left))
    return replace(clocks, left=left)


def running(clocks: Clocks) -> Iterator[Seat]:
    """The seats whose clock runs."""
    return (Seat(seat) for seat, since in enumerate(clocks.since) if since)
