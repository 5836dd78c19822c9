"""How one match moves ratings: openskill's Plackett-Luce, and what we add to it. Pure.

docs/ratings.md says why. Whatever changes a number here takes a new FORMULA.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import groupby, permutations, product
from statistics import fmean

from openskill.models import PlackettLuce

from services.gamekit.game import Record
from services.scoring.ladders import seasons_between

FORMULA = "pl-1"
BEST = "best-1"
"""The formula of solo ladders: the best score counts."""

MU, SIGMA = 25.0, 25.0 / 3.0
BETA, KAPPA, TAU = 25.0 / 6.0, 1e-4, 25.0 / 300.0
MODEL = PlackettLuce(mu=MU, sigma=SIGMA, beta=BETA, kappa=KAPPA, tau=TAU)

DAY_MS = 86_400_000
PATIENCE_DAYS = 14
"""Days of absence that change nothing."""
DAILY = SIGMA**2 / 730
"""What each further day adds to the variance: two years make a player as good as unknown."""
RETURN = 0.25
"""The part of the way back to the start that a new season takes everybody."""


class Belief(Record, frozen=True):
    """What is believed of somebody's strength."""

    mu: float = MU
    sigma: float = SIGMA

    @property
    def score(self) -> float:
        """What leaderboards order by: he is this strong, almost for certain."""
        return self.mu - 3 * self.sigma


class Finish(Record, frozen=True):
    """How somebody finished a match: his place, or that he left it."""

    place: int
    left: bool = False


def moved(finishes: Sequence[Finish], before: Sequence[Belief]) -> list[Belief]:
    """Everybody's belief after a match. Who left is last, and he alone pays: he cannot gain, and
    those who stayed cannot lose."""
    after = compared(ranks(finishes), before)
    if not any(one.left for one in finishes):
        return after
    rows = zip(finishes, before, after, strict=True)
    return [settled(finish, old, new) for finish, old, new in rows]


def ranks(finishes: Sequence[Finish]) -> list[int]:
    """Places as numbers to compare: all who left share the last."""
    last = 1 + max((one.place for one in finishes), default=0)
    return [last if one.left else one.place for one in finishes]


def settled(finish: Finish, old: Belief, new: Belief) -> Belief:
    """A belief after a match that somebody left."""
    if finish.left:
        return Belief(min(old.mu, new.mu), new.sigma)
    return new if new.mu >= old.mu else old


def compared(places: Sequence[int], before: Sequence[Belief]) -> list[Belief]:
    """Openskill's answer; for shared places the mean of its answers to every order that they
    allow, because its own lets those behind a shared first place gain as much as the winners."""
    if not places:
        return []
    answers = [rated(order, before) for order in orders(places)]
    if len(answers) == 1:
        return answers[0]
    return [
        Belief(fmean(one.mu for one in seat), fmean(one.sigma for one in seat))
        for seat in zip(*answers, strict=True)
    ]


def orders(places: Sequence[int]) -> Iterator[list[int]]:
    """Every strict order that `places` allow, as a rank for each."""
    best_first = sorted(range(len(places)), key=places.__getitem__)
    groups = [list(group) for _, group in groupby(best_first, key=places.__getitem__)]
    for arranged in product(*(permutations(group) for group in groups)):
        order = [0] * len(places)
        for rank, index in enumerate(index for group in arranged for index in group):
            order[index] = rank + 1
        yield order


def rated(order: Sequence[int], before: Sequence[Belief]) -> list[Belief]:
    """Openskill's own answer to a strict order, 1 being best."""
    teams = [[MODEL.rating(mu=one.mu, sigma=one.sigma)] for one in before]
    answer = MODEL.rate(teams, ranks=[float(rank) for rank in order])
    return [Belief(team[0].mu, team[0].sigma) for team in answer]


def aged(belief: Belief, idle_ms: int) -> Belief:
    """A belief after `idle_ms` without a match: it grows uncertain, by whole days."""
    days = idle_ms // DAY_MS - PATIENCE_DAYS
    if days <= 0 or belief.sigma >= SIGMA:
        return belief
    return Belief(belief.mu, min(SIGMA, math.sqrt(belief.sigma**2 + days * DAILY)))


def reset(belief: Belief, before: str, season: str) -> Belief:
    """A belief in a later season: a quarter of the way back to the start for each that began."""
    kept = (1.0 - RETURN) ** max(0, seasons_between(before, season))
    if kept == 1.0:
        return belief
    variance = SIGMA**2 + kept * (belief.sigma**2 - SIGMA**2)
    return Belief(MU + kept * (belief.mu - MU), math.sqrt(variance))
