"""Whether a bot wins often enough, asked with as few games as the answer needs."""

from __future__ import annotations

from collections.abc import Iterable
from math import log
from typing import NamedTuple

from services.lab.simulate import Plan, play_one

CLEARLY_LESS, CLEARLY_MORE = 0.6, 0.7
"""The shares that the test tells apart. A bot that wins 65 % passes it as often as not."""

ERROR = 0.05
"""How often it may be wrong on either side."""


class Verdict(NamedTuple):
    """What the games came to."""

    more: bool
    games: int
    share: float


def verdict(shares: Iterable[float]) -> Verdict:
    """Wald's sequential test of a bot's shares of first places: 1 a win, 0.5 a draw, 0 a loss.

    Where the games run out first, the mean decides.
    """
    bound, evidence, total, games = log((1 - ERROR) / ERROR), 0.0, 0.0, 0
    for games, share in enumerate(shares, 1):
        total += share
        evidence += share * log(CLEARLY_MORE / CLEARLY_LESS)
        evidence += (1 - share) * log((1 - CLEARLY_MORE) / (1 - CLEARLY_LESS))
        if abs(evidence) >= bound:
            return Verdict(evidence > 0, games, total / games)
    mean = total / games
    return Verdict(mean >= (CLEARLY_LESS + CLEARLY_MORE) / 2, games, mean)


def first_places(game: str, seats: int, better: str, worse: str, games: int) -> Iterable[float]:
    """The share of first places that `better` has in each game, half of the seats being its."""
    plan = Plan(game=game, seats=seats, games=games, bots=(better, worse), seed="levels")
    for number in range(games):
        outcome = play_one(plan, number)
        assert not outcome.error, outcome.error
        winners = [outcome.bots[place.seat] for place in outcome.places if place.place == 1]
        yield winners.count(better) / len(winners)
