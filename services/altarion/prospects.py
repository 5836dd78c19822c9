"""How long a player still needs to the fifth special building: for bots."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import NamedTuple

from msgspec.structs import astuple

from services.altarion.cards import SPECIALS, Special
from services.altarion.tracks import GOAL, SPECIAL_CROWNS

FARTHEST = 20.0
"""Rounds after which nobody plans: farther ones count ever less."""


class Economy(NamedTuple):
    """What a player has and may expect. Minerals are counted in pieces of choice."""

    crowns: int
    income: int
    stock: tuple[int, ...]
    specials: tuple[Special, ...]
    flexible: float
    """Pieces that this round may still bring."""
    growth: float
    """Pieces a round from mines and heroes that are there."""
    wait: int
    """Rounds until the next special building may be built, 0 for this round."""


@lru_cache(maxsize=4096)
def rounds_left(economy: Economy) -> float:
    """Rounds to the fifth special building, building one in each of the last rounds.

    What is not the bottleneck counts a little too.
    """
    missing = GOAL - len(economy.specials)
    soonest = economy.wait + missing - 1
    money = (SPECIAL_CROWNS * missing - economy.crowns) / max(1, economy.income)
    goods = until_stocked(economy, float(max(0, soonest)))
    return max(soonest, money, goods) + 0.1 * max(0.0, money) + 0.2 * max(0.0, goods)


def until_stocked(economy: Economy, soonest: float) -> float:
    """Rounds until the minerals suffice for all tributes and buildings.

    What is lacking falls ever more slowly: a kind that was plenty runs short in time. So each
    step along the slope of the moment comes nearer and never too far.
    """
    needs, rise = demand(economy.specials), 1 + len(economy.specials)
    rounds = soonest
    while rounds < FARTHEST:
        lacking, slope = -economy.flexible, -economy.growth
        for need, have in zip(needs, economy.stock, strict=True):
            if need + rise * rounds > have:
                lacking += need - have
                slope += rise
        short = lacking + slope * rounds
        if short <= 0.001:
            return rounds + max(short, -30.0) / 60
        if slope >= 0:
            return 2 * FARTHEST + short / 20
        rounds = -lacking / slope
    return FARTHEST * (2 - FARTHEST / rounds)


@cache
def demand(specials: tuple[Special, ...]) -> tuple[float, ...]:
    """Pieces of each kind for all buildings that are missing, the cheapest choice unknown, and
    for the tribute that they add while they are built one a round."""
    missing = GOAL - len(specials)
    left = [astuple(price) for building, price in SPECIALS.items() if building not in specials]
    added = missing * (missing - 1) // 2
    return tuple(added + sum(pieces) * missing / len(left) for pieces in zip(*left, strict=True))
