"""Drawing from a pile without an order; its discards are the new pile when it runs out."""

from __future__ import annotations

from services.gamekit.chance import Chance
from services.great_wall.state import Card, without


def drawn(
    chance: Chance, label: str, deck: tuple[Card, ...], discard: tuple[Card, ...], count: int
) -> list[Card]:
    """Up to `count` cards; the draws are labelled `label/0`, `label/1`..."""
    cards: list[Card] = []
    for number in range(count):
        if not deck:
            deck, discard = discard, ()
        if not deck:
            break
        card = chance.draw(f"{label}/{number}", deck)
        deck = without(deck, card)
        cards.append(card)
    return cards


def dealt(
    deck: tuple[Card, ...], discard: tuple[Card, ...], cards: tuple[Card, ...]
) -> tuple[tuple[Card, ...], tuple[Card, ...]] | None:
    """Both piles after these cards were drawn, in any order; None if they could not have been."""
    left = list(cards)
    if len(cards) > len(deck):
        if any(card not in left for card in deck):
            return None
        for card in deck:
            left.remove(card)
        deck, discard = discard, ()
    pile = list(deck)
    for card in left:
        if card not in pile:
            return None
        pile.remove(card)
    return tuple(pile), discard
