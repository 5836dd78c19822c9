"""The fate deck: drawn lazily, its discard shuffled in when it has run out (sections 2 and 5)."""

from __future__ import annotations

from msgspec.structs import replace

from services.gamekit.chance import Chance
from services.gamekit.game import IllegalAction
from services.hadrians_wall.state import State


def draw(state: State, chance: Chance, count: int = 1) -> tuple[int, ...]:
    """The next fate cards; fewer when pile and discard have no more."""
    pile, discard = list(state.pile), state.discard
    cards: list[int] = []
    for number in range(state.drawn, state.drawn + count):
        if not pile:
            pile, discard = sorted(discard), ()
        if not pile:
            break
        cards.append(chance.draw(f"fate/{number}", pile))
        pile.remove(cards[-1])
    return tuple(cards)


def without(state: State, cards: tuple[int, ...]) -> State:
    """The position with `cards` drawn, lying nowhere yet. Raises `not_in_pile`."""
    pile, discard = list(state.pile), state.discard
    for card in cards:
        if not pile:
            pile, discard = sorted(discard), ()
        if card not in pile:
            raise IllegalAction("not_in_pile", card=card)
        pile.remove(card)
    return replace(state, pile=tuple(pile), discard=discard, drawn=state.drawn + len(cards))


def discarded(state: State, cards: tuple[int, ...]) -> State:
    """The position with `cards` drawn and put on the discard."""
    state = without(state, cards)
    return replace(state, discard=state.discard + cards)
