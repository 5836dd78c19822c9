"""What a seat cannot see, drawn anew: others' paths, hands, choices and decks."""

from __future__ import annotations

from msgspec.structs import replace

from services.gamekit.chance import Chance
from services.gamekit.game import Seat
from services.hadrians_wall.cards import PlayerCard
from services.hadrians_wall.state import Phase, Sheet, State, unseen


def imagine(state: State, seat: Seat | None, chance: Chance) -> State:
    """A position equal in all that `seat` sees. The piles' order is not part of a position."""
    if state.phase is Phase.OVER:
        return state
    return replace(
        state,
        sheets=tuple(
            sheet if other == seat else redealt(sheet, f"imagine/{other}", chance)
            for other, sheet in enumerate(state.sheets)
        ),
    )


def redealt(sheet: Sheet, label: str, chance: Chance) -> Sheet:
    """A sheet with other face-down cards, of those that were never seen as a prospect."""
    count, held = len(sheet.path), len(sheet.hand)
    if not count + held:
        return sheet
    cards: tuple[PlayerCard, ...] = chance.deal(label, unseen(sheet), count + held)
    hand = cards[count:]
    choice = None if sheet.choice is None else chance.draw(f"{label}/choice", hand)
    return replace(sheet, path=cards[:count], hand=hand, choice=choice)
