"""A thousand matches of competent bots at each number of seats: they end, and what they come to.

The figures stand beside those of the rules document, chapter 19; `services/great_wall/README.md`
says why some differ. It takes two hours or so of two cores.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from multiprocessing import get_context
from typing import Any

import pytest

from services.bots.arena import match
from services.bots.policies import POLICIES
from services.great_wall.figures import Tale
from services.great_wall.game import GAME

pytestmark = [pytest.mark.soak, pytest.mark.timeout(4 * 3600)]

GAMES = 1000
COMPETENT = "easy"
FEWER = 100
BETTER = "medium"
"""It plays as well as the bots of the rules document, and takes its time."""
LADDER = 200
SEATS = range(1, 5)
REPORTS = 100
"""Matches after which something is said."""

LIMITS = {1: (50, 150, 6), 2: (70, 170, 5), 3: (60, 150, 5), 4: (25, 140, 7)}
"""Mean honour of all seats, least and most, and most breaches."""

Record = Callable[[str, object], None]
"""Keeps a figure in the report of the run."""


@pytest.fixture(autouse=True)
def _aloud(capsys: pytest.CaptureFixture[str]) -> Any:
    """Progress is seen while it runs."""
    with capsys.disabled():
        yield


def say(text: str) -> None:
    """A line for whoever watches."""
    sys.stderr.write(f"{text}\n")


def told(bots: Sequence[str], number: int) -> Tale:
    """One match; the bots move on by a seat each time."""
    shift = number % len(bots)
    seated = [POLICIES[bot] for bot in (*bots[shift:], *bots[:shift])]
    return GAME.tale(match(GAME, GAME.Options(), seated, f"soak/{len(bots)}/{number}").state)


def winner(bots: Sequence[str], number: int) -> str:
    """Who won one match; nobody, if it was the automated general."""
    shift = number % len(bots)
    seated = (*bots[shift:], *bots[:shift])
    won = told(bots, number).won
    return "" if won is None else seated[won]


def spread(work: Any, games: int, what: str) -> list[Any]:
    """Many matches on all cores."""
    done = []
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        for one in pool.map(work, range(games), chunksize=4):
            done.append(one)
            if len(done) % REPORTS == 0:
                say(f"{what}: {len(done)} of {games}")
    return done


def share(better: str, *others: str) -> float:
    """How often a bot wins against others, divided by the fair share."""
    bots = (better, *others)
    won = spread(partial(winner, bots), LADDER, " v. ".join(bots))
    return won.count(better) * len(bots) / LADDER


@cache
def tales(seats: int, bot: str = COMPETENT, games: int = GAMES) -> list[Tale]:
    """The matches of a bot with its like."""
    return spread(partial(told, (bot,) * seats), games, f"{seats} seats, {bot}")


@pytest.mark.parametrize("seats", SEATS)
def test_a_thousand_matches_end(seats: int, record_property: Record) -> None:
    played = tales(seats)
    found = GAME.figures(played)
    say(str(found))
    record_property("figures", found)
    assert len(played) == GAMES
    assert sum(found["endings"].values()) == pytest.approx(1, abs=0.001)


@pytest.mark.parametrize("seats", SEATS)
def test_better_bots_come_near_the_figures_of_the_rules_document(
    seats: int, record_property: Record
) -> None:
    found = GAME.figures(tales(seats, BETTER, FEWER))
    say(str(found))
    record_property("figures", found)
    least, most, breaches = LIMITS[seats]
    assert least <= found["mean_of_all"] <= most
    assert found["breaches"] <= breaches


@pytest.mark.parametrize("seats", SEATS[1:])
def test_no_place_in_the_tea_order_is_far_from_fair(seats: int) -> None:
    found = GAME.figures(tales(seats))
    assert set(found["tea_x_fair"]) == {str(place + 1) for place in range(seats)}
    assert 0.6 <= min(found["tea_x_fair"].values()) <= max(found["tea_x_fair"].values()) <= 1.5


@pytest.mark.parametrize(
    ("better", "others", "least"),
    [
        ("greedy", ("random",), 1.8),
        ("greedy", ("random",) * 2, 1.3),
        ("greedy", ("random",) * 3, 1.3),
        ("easy", ("random",), 1.8),
        ("medium", ("easy",), 1.1),
        ("hard", ("medium",), 1.0),
    ],
)
def test_a_better_bot_wins_more_often(
    better: str, others: tuple[str, ...], least: float, record_property: Record
) -> None:
    found = share(better, *others)
    record_property("share", found)
    assert found >= least
