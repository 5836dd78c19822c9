"""Chapter 12: score sheets, and places by the ranking keys."""

from __future__ import annotations

from collections.abc import Callable

from services.altarion.state import Phase, Sheet, State
from services.gamekit.game import Result, ScoreLine, ScoreSheet, Seat
from services.gamekit.ranking import ranked

KEYS: dict[str, Callable[[Sheet], int]] = {
    "score": lambda sheet: len(sheet.specials),
    "mines": lambda sheet: sheet.mine_count(),
    "minerals": lambda sheet: sheet.stock.total(),
    "crowns": lambda sheet: sheet.crowns,
}
"""The ranking keys, more is better (12.4). The score is the number of special buildings."""


def score(state: State) -> tuple[ScoreSheet, ...]:
    """Special buildings count; the other ranking keys are told for what they are."""
    return tuple(sheet_of(Seat(seat), sheet) for seat, sheet in enumerate(state.sheets))


def sheet_of(seat: Seat, sheet: Sheet) -> ScoreSheet:
    """One player's score sheet."""
    total = len(sheet.specials)
    return ScoreSheet(
        seat,
        (
            ScoreLine("special_buildings", total, ", ".join(sheet.specials)),
            ScoreLine("mines", 0, str(sheet.mine_count())),
            ScoreLine("minerals", 0, str(sheet.stock.total())),
            ScoreLine("crowns", 0, str(sheet.crowns)),
        ),
        total,
    )


def result(state: State) -> Result | None:
    """The places (12.5): living players by the ranking keys, then the dead, the later death
    first and deaths at once by the same keys. Who built the fifth special building leads by it."""
    if state.phase is not Phase.OVER:
        return None
    standings = {
        Seat(seat): {"survival": survival(state, sheet)}
        | {key: count(sheet) for key, count in KEYS.items()}
        for seat, sheet in enumerate(state.sheets)
    }
    return Result(ranked(standings), outcome=state.ending or "")


def survival(state: State, sheet: Sheet) -> int:
    """Higher is better: the living stand before the dead, a later death before an earlier."""
    return sheet.died or state.deaths + 1
