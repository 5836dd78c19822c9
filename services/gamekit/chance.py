"""Keyed chance: a draw depends on the seed, its label and what could be drawn, on nothing else.

The format is specified for other languages in docs/fairness.md.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import TypeVar

from services.gamekit.record import Record

Card = TypeVar("Card", bound=int | str)
"""What is drawn: numbers, strings, or a game's own StrEnum. A pile holds one kind."""

WORD = 2**64
"""A round of the draw reads one 64-bit big-endian word of the HMAC."""


class Draw(Record, frozen=True):
    """One draw, as it is logged: `result` came from the multiset that `digest` commits to."""

    label: str
    digest: str
    result: int | str


def ordered(cards: Iterable[Card]) -> list[Card]:
    """The pile that a draw counts into: numbers by size, strings by code point."""
    return sorted(cards)


def digest(candidates: Iterable[int | str]) -> str:
    """SHA-256 (hex) of the sorted candidates, one a line, integers in decimal."""
    text = "\n".join(map(str, ordered(candidates)))
    return hashlib.sha256(text.encode()).hexdigest()


@lru_cache(maxsize=256)
def known_digest(pile: tuple[int | str, ...]) -> str:
    """`digest`, remembered: most draws are dice, and all dice are alike."""
    return digest(pile)


def commitment(seed: bytes) -> str:
    """SHA-256 (hex) of a match's seed, published when the match starts."""
    return hashlib.sha256(seed).hexdigest()


class Chance:
    """Draws from one seed. `drawn` collects what was drawn since it was last taken."""

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._drawn: list[tuple[str, tuple[int | str, ...], int | str]] = []

    def draw(self, label: str, candidates: Mapping[Card, int] | Iterable[Card]) -> Card:
        """One card of the multiset `candidates` (cards, or card -> how many), all equally likely.

        Raises ValueError when there is nothing to draw.
        """
        pile: list[Card]
        if isinstance(candidates, Mapping):
            pile = [card for card in ordered(candidates) for _ in range(candidates[card])]
        else:
            pile = ordered(candidates)
        if not pile:
            raise ValueError(f"nothing to draw for {label}")
        return self._take(label, tuple(pile))

    def deal(self, label: str, candidates: Iterable[Card], count: int) -> tuple[Card, ...]:
        """`count` cards without replacement, fewer if they run out.

        The draws are labelled `label/0`, `label/1`, …
        """
        pile = ordered(candidates)
        dealt = []
        for number in range(min(count, len(pile))):
            card = self.draw(f"{label}/{number}", pile)
            pile.remove(card)
            dealt.append(card)
        return tuple(dealt)

    def die(self, label: str, sides: int = 6) -> int:
        """A roll of 1…`sides`."""
        return self._take(label, faces(sides))

    def taken(self) -> tuple[Draw, ...]:
        """What was drawn since the last call, in order."""
        drawn, self._drawn = self._drawn, []
        return tuple(Draw(label, known_digest(pile), card) for label, pile, card in drawn)

    def _take(self, label: str, pile: tuple[Card, ...]) -> Card:
        card = self._pick(label, pile)
        self._drawn.append((label, pile, card))
        return card

    def _pick(self, label: str, pile: tuple[Card, ...]) -> Card:
        return pile[index(self._seed, label, len(pile))]


@cache
def faces(sides: int) -> tuple[int, ...]:
    """What a die shows."""
    return tuple(range(1, sides + 1))


def index(seed: bytes, label: str, count: int) -> int:
    """A uniform index below `count`: HMAC-SHA-256(seed, label "#" round), rejecting the tail."""
    fair = WORD - WORD % count
    attempt = 0
    while True:
        mac = hmac.digest(seed, f"{label}#{attempt}".encode(), "sha256")
        word = int.from_bytes(mac[:8], "big")
        if word < fair:
            return word % count
        attempt += 1


class Dealt(Chance):
    """Chance whose results are given: what a worker holds, who never sees the seed."""

    def __init__(self, results: Mapping[str, int | str]) -> None:
        super().__init__(b"")
        self._results = results

    def _pick(self, label: str, pile: tuple[Card, ...]) -> Card:
        result = str(self._results.get(label))  # on the wire a number is text
        for card in pile:
            if str(card) == result:
                return card
        raise ValueError(f"no result was given for {label}")
