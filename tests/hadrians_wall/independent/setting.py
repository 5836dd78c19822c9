"""Positions to start a test from: a year's actions, with a sheet as the test wants it."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from services.hadrians_wall.cards import PlayerCard
from services.hadrians_wall.state import HadriansWallOptions, Phase, Sheet, State

BLANK = Sheet(prospects=(PlayerCard.PLANNER,))
"""A sheet with nothing on it, and a prospect that matters to nobody."""


def given(**fields: Any) -> State:
    """The actions of a year: seat 0 has `fields` on its sheet, the others are blank. Not of the
    sheet, but of the table: `seats`, `year`, `options` and the `neutral` cards."""
    seats, year = fields.pop("seats", 1), fields.pop("year", 1)
    options = fields.pop("options", None) or HadriansWallOptions()
    neutral = fields.pop("neutral", (PlayerCard.FIGHTER, PlayerCard.MERCHANT))[: 3 - seats]
    sheets = (replace(BLANK, **fields), *(BLANK,) * (seats - 1))
    return State(options, sheets, year=year, phase=Phase.ACTIONS, neutral=neutral)


def seated(state: State, seat: int, /, **fields: Any) -> State:
    """The same position with other fields on the sheet of `seat`."""
    sheets = list(state.sheets)
    sheets[seat] = replace(sheets[seat], **fields)
    return replace(state, sheets=tuple(sheets))
