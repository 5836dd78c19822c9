"""How long a player still needs to the fifth special building: for bots."""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import astuple

from services.altarion.cards import SPECIALS
from services.altarion.tracks import GOAL, SPECIAL_CROWNS

FARTHEST = 40
"""Rounds after which nobody plans."""

COSTS = {building: astuple(price) for building, price in SPECIALS.items()}


class Economy(NamedTuple):
    """What a player has and may expect. Minerals are counted in pieces of choice."""

    crowns: int
    income: int
    stock: tuple[int, ...]
    specials: tuple[str, ...]
    flexible: float
    """Pieces that this round may still bring."""
    growth: float
    """Pieces a round from mines and heroes that are there."""
    wait: int
    """Rounds until the next special building may be built, 0 for this round."""


def rounds_left(economy: Economy) -> float:
    """Rounds to the fifth special building, building one in each of the last rounds.

    What is not the bottleneck counts a little too.
    """
    missing = GOAL - len(economy.specials)
    soonest = economy.wait + missing - 1
    money = (SPECIAL_CROWNS * missing - economy.crowns) / max(1, economy.income)
    goods = until_stocked(economy, missing, max(0, soonest))
    return max(soonest, money, goods) + 0.1 * max(0.0, money) + 0.2 * max(0.0, goods)


def until_stocked(economy: Economy, missing: int, soonest: int) -> float:
    """Rounds until the minerals suffice for all tributes and buildings, in parts of a round."""
    needs = building_needs(economy, missing)
    short = lacking(economy, needs, missing, soonest)
    if short <= 0:
        return soonest + max(short, -30.0) / 60
    for rounds in range(soonest + 1, FARTHEST):
        before, short = short, lacking(economy, needs, missing, rounds)
        if short <= 0:
            return rounds - 1 + before / (before - short)
    return FARTHEST + short / 20


def building_needs(economy: Economy, missing: int) -> list[float]:
    """Pieces of each kind for as many buildings as are missing, the cheapest choice unknown."""
    left = [cost for building, cost in COSTS.items() if building not in economy.specials]
    share = missing / len(left)
    return [sum(pieces) * share for pieces in zip(*left, strict=True)]


def lacking(economy: Economy, needs: list[float], missing: int, rounds: int) -> float:
    """Pieces that are missing for the fifth building in so many rounds; negative: left over."""
    tribute = rounds * (1 + len(economy.specials)) + missing * (missing - 1) // 2
    short = 0.0
    for need, have in zip(needs, economy.stock, strict=True):
        if need + tribute > have:
            short += need + tribute - have
    return short - economy.flexible - economy.growth * rounds
