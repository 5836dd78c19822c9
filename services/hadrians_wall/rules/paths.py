"""One of two cards becomes a path, the other a prospect: secret until all have chosen (2.2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from msgspec.structs import replace

from services.gamekit.chance import Chance
from services.gamekit.game import Action, IllegalAction, NatureMove, Seat
from services.hadrians_wall.cards import PlayerCard
from services.hadrians_wall.state import Phase, Sheet, State, with_sheet


class ChoosePath(Action[State], frozen=True):
    """Put a card down as a path; the other is this year's prospect. Only the seat sees which."""

    card: PlayerCard | None

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        return (cls(card) for card in state.sheets[seat].hand)

    def check(self, state: State, seat: Seat) -> None:
        if self.card is None or self.card not in state.sheets[seat].hand:
            raise IllegalAction("not_in_hand", card=self.card or "")

    def apply(self, state: State, seat: Seat) -> State:
        return with_sheet(state, seat, replace(state.sheets[seat], choice=self.card))

    def shown(self, actor: Seat, viewer: Seat | None) -> ChoosePath:
        return self if viewer == actor else ChoosePath(None)


def prospect(sheet: Sheet) -> PlayerCard:
    """The card of the hand that was not chosen as a path."""
    (card,) = (card for card in sheet.hand if card != sheet.choice)
    return card


class RevealProspects(NatureMove[State], frozen=True):
    """All have chosen: everyone's prospect is turned up, the paths stay face down."""

    prospects: tuple[PlayerCard, ...]
    """In seat order."""

    @classmethod
    def resolve(cls, state: State, chance: Chance) -> Self:
        return cls(tuple(prospect(sheet) for sheet in state.sheets))

    def check(self, state: State, seat: Seat) -> None:
        if self.prospects != tuple(prospect(sheet) for sheet in state.sheets):
            raise IllegalAction("wrong_prospects")

    def apply(self, state: State, seat: Seat) -> State:
        sheets = tuple(revealed(sheet) for sheet in state.sheets)
        return replace(state, sheets=sheets, phase=Phase.NEUTRAL)


def revealed(sheet: Sheet) -> Sheet:
    """A sheet whose hand has become a path and a prospect."""
    assert sheet.choice is not None
    return replace(
        sheet,
        path=(*sheet.path, sheet.choice),
        prospects=(*sheet.prospects, prospect(sheet)),
        hand=(),
        choice=None,
    )
