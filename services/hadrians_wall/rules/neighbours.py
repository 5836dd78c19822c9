"""Whose prospect is used, and what becomes of the piece that pays for it (sections 4 and 7)."""

from __future__ import annotations

from enum import StrEnum

from msgspec.structs import replace

from services.gamekit.game import IllegalAction, Seat
from services.hadrians_wall.cards import PlayerCard
from services.hadrians_wall.goods import Good
from services.hadrians_wall.state import State, with_sheet


class Source(StrEnum):
    """Where a good or a pattern comes from.

    LEFT is the next seat, RIGHT the one before. With two seats RIGHT is the neutral card, alone
    they are the first and the second neutral card.
    """

    OWN = "own"
    LEFT = "left"
    RIGHT = "right"
    FATE = "fate"


def neighbour(state: State, seat: Seat, source: Source) -> Seat | None:
    """The seat beside, or None where no player sits."""
    seats = len(state.sheets)
    if seats > 2:
        return Seat((seat + (1 if source is Source.LEFT else -1)) % seats)
    return Seat(1 - seat) if seats == 2 and source is Source.LEFT else None


def prospect_of(state: State, seat: Seat, source: Source) -> PlayerCard:
    """The prospect at `source`. Raises `no_neighbour` where there is none."""
    if source is Source.OWN:
        return state.sheets[seat].prospects[-1]
    beside = neighbour(state, seat, source)
    if beside is not None:
        return state.sheets[beside].prospects[-1]
    spot = 1 if source is Source.RIGHT and len(state.sheets) == 1 else 0
    if spot >= len(state.neutral):
        raise IllegalAction("no_neighbour", source=source)
    return state.neutral[spot]


def passed_on(state: State, seat: Seat, source: Source, good: Good) -> State:
    """After a piece that `seat` has paid went to a neighbour, who may use it at once even if he
    had stopped, or onto a neutral card. Where nothing is passed, the payer has an attack coming."""
    if not state.options.resource_passing:
        payer = state.sheets[seat]
        return with_sheet(state, seat, replace(payer, alarms=payer.alarms + 1))
    beside = neighbour(state, seat, source)
    if beside is None:
        return replace(state, pieces=state.pieces + 1)
    sheet = state.sheets[beside]
    held = {good.value: getattr(sheet, good) + 1}
    return with_sheet(state, beside, replace(sheet, passed=False, **held))
