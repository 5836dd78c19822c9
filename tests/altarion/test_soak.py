"""A thousand matches of competent bots at each number of seats: length, endings, fairness.

The limits are those of the rules document, chapter 15. It takes an hour or so of two cores.
How bots compare at two seats is tested game by game until it is clear.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from itertools import islice
from math import log
from multiprocessing import get_context
from typing import Any

import pytest

from services.altarion.figures import Tale
from services.altarion.game import GAME
from services.bots.arena import match
from services.bots.policies import POLICIES

pytestmark = [pytest.mark.soak, pytest.mark.timeout(4 * 3600)]

GAMES = 1000
SEATS = range(2, 7)
COMPETENT = "greedy"

Record = Callable[[str, object], None]
"""Keeps a figure in the report of the run."""


def told(bots: Sequence[str], number: int) -> Tale:
    """One match; the bots move on by a seat each time."""
    shift = number % len(bots)
    seated = [POLICIES[bot] for bot in (*bots[shift:], *bots[:shift])]
    return GAME.tale(match(GAME, GAME.Options(), seated, f"soak/{len(bots)}/{number}").state)


def winners(bots: Sequence[str], number: int) -> list[str]:
    """Who won one match."""
    shift = number % len(bots)
    seated = (*bots[shift:], *bots[:shift])
    return [seated[seat] for seat in told(bots, number).won]


def spread(work: Any, games: int) -> list[Any]:
    """Many matches on all cores."""
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        return list(pool.map(work, range(games), chunksize=8))


@cache
def tales(seats: int) -> list[Tale]:
    """The matches at one number of seats."""
    return spread(partial(told, (COMPETENT,) * seats), GAMES)


@pytest.mark.parametrize("seats", SEATS)
def test_matches_of_competent_bots_are_as_long_and_as_fair_as_they_should_be(
    seats: int, record_property: Record
) -> None:
    found = GAME.figures(tales(seats))
    record_property("figures", found)
    assert len(tales(seats)) == GAMES
    assert 12 <= found["rounds"]["median"] <= 22
    assert found["worst_seat"] <= 1.25
    assert found["worst_nation"] <= 1.25


def test_there_are_both_kinds_of_ending_over_all_numbers_of_seats() -> None:
    endings = [GAME.figures(tales(seats))["endings"] for seats in SEATS]
    means = {kind: sum(one[kind] for one in endings) / len(endings) for kind in endings[0]}
    assert means["special"] > 0.5
    assert means["elimination"] > 0.02
    assert means["limit"] < 0.02


DOUBT = 0.05
"""Shares so far below and above a limit are told apart, wrongly once in twenty times."""
MOST_GAMES = 600


def settled(points: Iterator[float], least: float) -> tuple[bool, int]:
    """Wald's sequential test of the share of games that are won: whether it lies above `least`
    rather than below, and after how many games that was clear."""
    ratio, won, games = 0.0, 0.0, 0
    for point in islice(points, MOST_GAMES):
        games, won = games + 1, won + point
        ratio += point * log((least + DOUBT) / (least - DOUBT))
        ratio += (1 - point) * log((1 - least - DOUBT) / (1 - least + DOUBT))
        if abs(ratio) > log(19):
            return ratio > 0, games
    return won / games >= least, games


@pytest.mark.parametrize(
    ("better", "worse", "least"), [("hard", "easy", 0.7), ("easy", "random", 0.9)]
)
def test_a_better_bot_wins_at_two_seats(
    better: str, worse: str, least: float, record_property: Record
) -> None:
    won = (winners((better, worse), number) for number in range(MOST_GAMES))
    holds, games = settled((names.count(better) / len(names) for names in won), least)
    record_property("games", games)
    assert holds
