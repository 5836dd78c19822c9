"""What attacks will probably bring, when favours are spent where they help most.

The one that is due is computed from the pile; later ones as if the pile were even and the cohorts
grew steadily.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb
from typing import NamedTuple

from services.hadrians_wall.cards import FATE
from services.hadrians_wall.endgame import DISDAIN_LOSS
from services.hadrians_wall.forts import FORTS
from services.hadrians_wall.goods import EVERY_COHORT, Difficulty
from services.hadrians_wall.rules.attack import ATTACK_CARDS, POTENTIAL
from services.hadrians_wall.state import Board, Phase, State
from services.hadrians_wall.tracks import COHORT_BOXES, YEARS

Cohorts = tuple[int, int, int]

WORST = len(DISDAIN_LOSS) - 1
BEYOND = 0.5
"""Disdain above the worst step costs nothing at the end; before it, it is further from better."""

LAST_VALOUR = 1.03
"""Points of a valour in the last year: now and then it brings a mark of another attribute."""

FAR = (1000, 1000, 1000)
"""A pile so even and large that every card attacks each cohort alike."""


class Nerve(NamedTuple):
    """What attacks are reckoned by: points of a valour gained and of a disdain taken in years to
    come, and the boxes that all cohorts together are expected to gain each year."""

    valour: float
    disdain: float
    growth: float


def loss(disdain: int) -> float:
    """Points that disdain will cost, as it stands."""
    return DISDAIN_LOSS[min(WORST, disdain)] + BEYOND * max(0, disdain - WORST)


def directions(pile: tuple[int, ...]) -> Cohorts:
    """How many cards of a pile attack each cohort."""
    found = [FATE[card].direction for card in pile]
    left, centre, right = (found.count(cohort) for cohort in EVERY_COHORT)
    return left, centre, right


@lru_cache(maxsize=65536)
def through(pile: Cohorts, cards: int, cohorts: Cohorts) -> tuple[float, ...]:
    """The chance of each number of cards to get through, of so many drawn from a pile."""
    chances = [0.0] * (cards + 1)
    total = comb(sum(pile), cards)
    for one in range(min(cards, pile[0]) + 1):
        for two in range(max(0, cards - one - pile[2]), min(cards - one, pile[1]) + 1):
            three = cards - one - two
            ways = comb(pile[0], one) * comb(pile[1], two) * comb(pile[2], three)
            count = max(0, one - cohorts[0]) + max(0, two - cohorts[1]) + max(0, three - cohorts[2])
            chances[count] += ways / total
    return tuple(chances)


def grown(cohorts: Cohorts, boxes: int) -> Cohorts:
    """Cohorts with so many boxes more, the weakest first; in ascending order."""
    rows = sorted(cohorts)
    for _ in range(boxes):
        rows[0] = min(len(COHORT_BOXES), rows[0] + 1)
        rows.sort()
    one, two, three = rows
    return one, two, three


@lru_cache(maxsize=65536)
def after_growth(
    table: tuple[int, ...], year: int, cohorts: Cohorts, favours: int, nerve: Nerve
) -> float:
    """`to_come` of the next year, for cohorts that grow on average by `nerve.growth` boxes."""
    whole = int(nerve.growth)
    part = nerve.growth - whole
    few, more = grown(cohorts, whole), grown(cohorts, whole + 1)
    value = (1 - part) * to_come(table, year + 1, few, favours, nerve)
    return value + part * to_come(table, year + 1, more, favours, nerve)


@lru_cache(maxsize=65536)
def to_come(
    table: tuple[int, ...], year: int, cohorts: Cohorts, favours: int, nerve: Nerve
) -> float:
    """Points of all attacks from `year` on, of `table[year - 1]` cards each."""
    if year > YEARS:
        return 0.0
    potential = POTENTIAL[year - 1]
    chances = through(FAR, table[year - 1], cohorts)

    def faced(count: int, spent: int) -> float:
        left = min(potential, count - spent)
        kept = after_growth(table, year, cohorts, favours - spent, nerve)
        return nerve.valour * (potential - left) - nerve.disdain * left + kept

    return sum(
        chance * max(faced(count, spent) for spent in range(min(favours, count) + 1))
        for count, chance in enumerate(chances)
        if chance
    )


class Siege(NamedTuple):
    """An attack that is due: how many cards from what pile, and what follows after it."""

    year: int
    table: tuple[int, ...]
    cards: int
    pile: Cohorts
    nerve: Nerve


@lru_cache(maxsize=65536)
def due(siege: Siege, cohorts: Cohorts, favours: int, disdain: int) -> float:
    """Points of this year's attack and of those after it, disdain of before included."""
    return sum(
        chance * max(met(siege, cohorts, count, favours, spent, disdain)
                     for spent in range(min(favours, count) + 1))
        for count, chance in enumerate(through(siege.pile, siege.cards, cohorts))
        if chance
    )  # fmt: skip


@lru_cache(maxsize=65536)
def met(
    siege: Siege, cohorts: Cohorts, count: int, favours: int, spent: int, disdain: int
) -> float:
    """The same, once `count` cards have got through and `spent` favours have cancelled some."""
    potential = POTENTIAL[siege.year - 1]
    left = min(potential, count - spent)
    valour = LAST_VALOUR if siege.year == YEARS else siege.nerve.valour
    later = after_growth(siege.table, siege.year, cohorts, favours - spent, siege.nerve)
    return valour * (potential - left) - loss(disdain + left) + later


@lru_cache(maxsize=256)
def cards_of(difficulty: Difficulty, campaign: int) -> tuple[int, ...]:
    """The cards of each year's attack."""
    more = FORTS[campaign].attack_cards
    return tuple(cards + more for cards in ATTACK_CARDS[difficulty])


@lru_cache(maxsize=4096)
def siege(
    year: int, table: tuple[int, ...], more: int, piles: tuple[tuple[int, ...], ...], nerve: Nerve
) -> Siege:
    """The attack that is due with `more` cards than usual, from the first of the piles that has
    enough."""
    cards = table[year - 1] + more
    pile = next((pile for pile in piles if len(pile) >= cards), sum(piles, ()))
    return Siege(year, table, min(cards, len(pile)), directions(pile), nerve)


def besieged(state: State, board: Board, nerve: Nerve) -> Siege:
    """The attack that a seat has coming this year."""
    table = cards_of(state.options.difficulty, state.options.campaign)
    more = state.pieces + board.alarms
    pile = state.pile
    piles = (pile,) if len(pile) >= table[-1] + more else (pile, state.discard)
    return siege(state.year, table, more, piles, nerve)


def attacks(state: State, board: Board, nerve: Nerve) -> float:
    """Points of all attacks that a seat has coming, its disdain included."""
    cohorts = (board.cohort_left, board.cohort_centre, board.cohort_right)
    favours = board.favours + board.favours_left + board.favours_centre + board.favours_right
    if state.phase is Phase.ACTIONS or state.phase is Phase.ATTACK:
        return due(besieged(state, board, nerve), cohorts, favours, board.disdain)
    if state.phase is Phase.FAVOURS:
        siege = besieged(state, board, nerve)
        return met(siege, cohorts, sum(board.through), favours, 0, board.disdain)
    table = cards_of(state.options.difficulty, state.options.campaign)
    return to_come(table, state.year, cohorts, favours, nerve) - loss(board.disdain)
