"""What heroes may expect, by what is printed on the cards: for bots, never for the rules."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from statistics import fmean

from services.altarion.board import EXPLORATION_LIMIT, FIELDS, Kind
from services.altarion.cards import EXPLORATION, HEROES, MINING, Ability, HeroCard, Parameter, Trial
from services.altarion.rules.movement import walk
from services.altarion.tracks import CARDS_A_MINING, GAINS, STEPS

FACES = range(1, 7)

RANDOM_WORTH = 0.8
"""A random mineral against one of choice."""

DEPOSIT_WORTH = 0.8
"""The chance to found a mine, in minerals."""

DECK = sum(seam.copies for seam in MINING.values())
TRIALS = sum(trial.copies for trial in EXPLORATION.values())
DEPOSITS = sum(seam.copies for seam in MINING.values() if seam.deposit)


def reaching(least: int) -> Fraction:
    """The chance that a die shows at least so much."""
    return Fraction(sum(face >= least for face in FACES), len(FACES))


def mining(card: HeroCard, kind: Kind) -> float:
    """Minerals that a mining may yield, and what its deposits are worth."""
    easy = kind is Kind.OUTCROP or bool(card.bonus(Ability.SURE))
    positive = sum(
        seam.copies * (1 if easy else reaching(seam.least)) for seam in MINING.values()
    ) / Fraction(DECK)
    barren = (1 - Fraction(DEPOSITS, DECK)) ** CARDS_A_MINING
    pieces = card.mining + card.bonus(Ability.ORE)
    return float(positive**CARDS_A_MINING * pieces) + float(1 - barren) * DEPOSIT_WORTH


def passing(card: HeroCard, trial: Trial) -> Fraction:
    """The chance to pass a test."""
    parameters = {
        Parameter.STRENGTH: card.strength,
        Parameter.MINING: card.mining,
        Parameter.NOTHING: 0,
    }
    if not trial.least:
        return Fraction(1)
    return reaching(trial.least - parameters[trial.parameter] - card.bonus(Ability.LORE))


def exploring(card: HeroCard, draws: int) -> float:
    """Minerals that an exploration with so many draws left may yield, random ones worth less."""
    good = bad = Fraction(0)
    for trial in EXPLORATION.values():
        share = Fraction(trial.copies, TRIALS)
        good += share * passing(card, trial)
        bad += share * (1 - passing(card, trial)) * trial.losses
    one = float(good * GAINS - bad) * RANDOM_WORTH
    return sum(one * float(good) ** number for number in range(draws))


MOST_DRAWS = max(EXPLORATION_LIMIT.values()) + 1

MINING_WORTH = {kind: tuple(mining(card, kind) for card in HEROES) for kind in Kind}
"""By kind of field and hero card."""

EXPLORING_WORTH = tuple(
    tuple(exploring(card, draws) for draws in range(MOST_DRAWS + 1)) for card in HEROES
)
"""By hero card and draws left."""

HAUL = {
    kind: tuple(
        max(
            MINING_WORTH[kind][number],
            EXPLORING_WORTH[number][EXPLORATION_LIMIT[kind] + card.bonus(Ability.DEEP)],
        )
        for number, card in enumerate(HEROES)
    )
    for kind in Kind
}
"""What a hero's action is worth, by kind of field and hero card."""

NEXT_HAUL = tuple(
    tuple(
        fmean(
            max(HAUL[FIELDS[end].kind][number] for end in walk(field, steps, frozenset((field,))))
            for steps in STEPS.values()
        )
        for number in range(len(HEROES))
    )
    for field in range(len(FIELDS))
)
"""What its next action may be worth where a hero stands, by field and hero card: it walks to the
best field that the die allows."""

USUAL_HAUL = 2.4
"""The same for a hero that is yet to come."""


@cache
def winning(edge: int) -> tuple[float, float]:
    """The chances to win and to lose a dispute, the attacker's total being `edge` ahead."""
    won = sum(one + edge > other for one in FACES for other in FACES)
    lost = sum(one + edge < other for one in FACES for other in FACES)
    return won / 36, lost / 36
