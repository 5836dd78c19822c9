"""Face-down piles as multisets: there is no order to hide (13.1, 6.4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import add
from typing import TypeVar

from msgspec.structs import replace

from services.altarion.cards import EXPLORATION, MINING, ExplorationCard, MiningCard
from services.gamekit.game import Record

Card = TypeVar("Card", MiningCard, ExplorationCard)

PLACE: Mapping[MiningCard | ExplorationCard, int] = {
    **{card: place for place, card in enumerate(MiningCard)},
    **{card: place for place, card in enumerate(ExplorationCard)},
}
"""The place of a card's count in its pile."""


class Pile(Record, frozen=True, array_like=True):
    """How many of each card are left and how many lie discarded; `drawn` counts all draws ever."""

    left: tuple[int, ...]
    used: tuple[int, ...]
    drawn: int = 0

    def stocked(self) -> Pile:
        """Refilled from the discard if nothing is left."""
        if any(self.left):
            return self
        return Pile(self.used, (0,) * len(self.used), self.drawn)

    def holds(self, card: MiningCard | ExplorationCard) -> bool:
        """Whether the card can be drawn now."""
        return self.left[PLACE[card]] > 0

    def less(self, card: MiningCard | ExplorationCard) -> Pile:
        """After one card was drawn; it is in play until it is `discarded`."""
        place = PLACE[card]
        left = (*self.left[:place], self.left[place] - 1, *self.left[place + 1 :])
        return Pile(left, self.used, self.drawn + 1)

    def discarded(self, cards: Iterable[MiningCard | ExplorationCard]) -> Pile:
        """After an action is over: its cards go to the discard."""
        used = [0] * len(self.used)
        for card in cards:
            used[PLACE[card]] += 1
        return replace(self, used=tuple(map(add, self.used, used)))

    def label(self, name: str) -> str:
        """What the next draw is called."""
        return f"{name}/{self.drawn}"

    def of(self, deck: tuple[Card, ...]) -> dict[Card, int]:
        """What can be drawn: card -> how many."""
        return dict(zip(deck, self.left, strict=True))


def fresh(counts: Iterable[int]) -> Pile:
    """A whole pile."""
    left = tuple(counts)
    return Pile(left, (0,) * len(left))


MINING_CARDS, EXPLORATION_CARDS = tuple(MiningCard), tuple(ExplorationCard)
MINING_PILE = fresh(MINING[card].copies for card in MINING_CARDS)
EXPLORATION_PILE = fresh(EXPLORATION[card].copies for card in EXPLORATION_CARDS)
