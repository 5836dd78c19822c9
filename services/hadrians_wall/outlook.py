"""What attacks that are still to come will probably bring: exact for one, a guess for the rest."""

from __future__ import annotations

from functools import lru_cache
from math import comb

from services.hadrians_wall.endgame import DISDAIN_LOSS
from services.hadrians_wall.forts import FORTS
from services.hadrians_wall.rules.attack import ATTACK_CARDS, POTENTIAL
from services.hadrians_wall.state import Board, State
from services.hadrians_wall.tracks import COHORT_BOXES, YEARS

GROWTH = 3.0
"""Boxes that all cohorts together are expected to gain from one year to the next."""


@lru_cache(maxsize=65536)
def expected(
    cards: int, potential: int, cohorts: tuple[int, int, int], favours: int
) -> tuple[float, float]:
    """Mean (disdain, valour) of an attack whose cards fall on three equally likely cohorts."""
    left, centre, right = cohorts
    disdain = valour = 0.0
    for one in range(cards + 1):
        for two in range(cards - one + 1):
            chance = comb(cards, one) * comb(cards - one, two)
            three = cards - one - two
            through = max(0, one - left) + max(0, two - centre) + max(0, three - right)
            through = max(0, through - favours)
            disdain += chance * min(through, potential)
            valour += chance * max(0, potential - through)
    total = 3**cards
    return disdain / total, valour / total


def grown(cohorts: tuple[int, int, int], boxes: int) -> tuple[int, int, int]:
    """Cohorts with so many boxes more, the weakest first."""
    rows = list(cohorts)
    for _ in range(boxes):
        weakest = rows.index(min(rows))
        rows[weakest] = min(len(COHORT_BOXES), rows[weakest] + 1)
    one, two, three = sorted(rows)
    return one, two, three


@lru_cache(maxsize=65536)
def campaigning(
    table: tuple[int, ...], year: int, cohorts: tuple[int, int, int], favours: int
) -> tuple[float, float]:
    """Mean (disdain, valour) of all attacks from `year` on, of `table[year - 1]` cards each.

    Favours are kept for the last one.
    """
    disdain = valour = 0.0
    for coming in range(year, YEARS + 1):
        held = grown(cohorts, int(GROWTH * (coming - year)))
        spent = favours if coming == YEARS else 0
        more, brave = expected(table[coming - 1], POTENTIAL[coming - 1], held, spent)
        disdain, valour = disdain + more, valour + brave
    return disdain, valour


def to_come(state: State, board: Board, year: int) -> tuple[float, float]:
    """Mean (disdain, valour) that a seat has coming in `year` and after it."""
    extra = FORTS[state.options.campaign].attack_cards
    table: tuple[int, ...] = ATTACK_CARDS[state.options.difficulty]
    if extra or ((state.pieces or board.alarms) and year == state.year):
        now = state.pieces + board.alarms
        table = tuple(
            cards + extra + (now if number == state.year else 0)
            for number, cards in enumerate(table, 1)
        )
    left, centre, right = sorted((board.cohort_left, board.cohort_centre, board.cohort_right))
    favours = board.favours + board.favours_left + board.favours_centre + board.favours_right
    return campaigning(table, year, (left, centre, right), favours)


def loss(disdain: float) -> float:
    """Points lost by a mean of disdain, between the steps of the table."""
    last = len(DISDAIN_LOSS) - 1
    if disdain >= last:
        return float(DISDAIN_LOSS[last])
    below = int(disdain)
    return DISDAIN_LOSS[below] + (disdain - below) * (DISDAIN_LOSS[below + 1] - DISDAIN_LOSS[below])
