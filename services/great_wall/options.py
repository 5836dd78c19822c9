"""The options of a match."""

from __future__ import annotations

from enum import StrEnum

from services.gamekit.game import IllegalOptions, Options


class Difficulty(StrEnum):
    """How strong the automated general is, for one seat."""

    EASY = "easy"
    NORMAL = "normal"
    HARD = "hard"
    VERY_HARD = "very_hard"


START_HONOUR = {
    Difficulty.EASY: (30, 0),
    Difficulty.NORMAL: (0, 0),
    Difficulty.HARD: (0, 50),
    Difficulty.VERY_HARD: (0, 100),
}
"""Honour of the human and of the automated general at the start."""


class GreatWallOptions(Options, frozen=True):
    """A match's options; only a solo match has a difficulty."""

    difficulty: Difficulty = Difficulty.NORMAL

    def check(self, seats: int) -> None:
        if seats > 1 and self.difficulty is not Difficulty.NORMAL:
            raise IllegalOptions("difficulty_needs_solo", field="difficulty", seats=seats)
