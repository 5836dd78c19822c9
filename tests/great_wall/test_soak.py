"""A thousand matches of competent bots at each number of seats: they end, and what they come to.

The figures stand beside those of the rules document, chapter 19; `services/great_wall/README.md`
says why some differ. Competent is who beats random play by far at every number of seats: `greedy`
does, and it is the cheapest that does. It takes a quarter of an hour or more of a core, the levels
some hours.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from multiprocessing import get_context
from typing import NamedTuple

import pytest

from services.bots.arena import match
from services.bots.policies import POLICIES
from services.great_wall.figures import Tale
from services.great_wall.game import GAME
from services.lab.figures import spread
from services.lab.simulate import Plan, play_one
from tests.bots.sequential import first_places, verdict

pytestmark = [pytest.mark.soak, pytest.mark.timeout(4 * 3600)]

KEY = "great_wall"
GAMES = 1000
COMPETENT = "greedy"
LEVELS = ("random", "greedy", "easy", "medium", "hard")
STEPS = tuple(zip(LEVELS[1:], LEVELS, strict=False))
MOST = 400
"""Games after which the mean decides."""
ALONE = 40
"""Solo games of a level."""
SEATS = range(1, 5)
REPORTS = 100
"""Matches after which something is said."""


class Limits(NamedTuple):
    """Least and most that a mean may come to, about what the rules document has, if it has it."""

    honour: tuple[float, float]
    breaches: tuple[float, float]
    tea: tuple[float, float] = (0, 9)
    """Wins by place in the first tea order, 1.0 is fair."""


LIMITS = {
    1: Limits((85, 140), (2, 6.5)),  # 113
    2: Limits((85, 130), (1, 4.5), (0.8, 1.25)),  # 108, 2.2, .85 to 1.15
    3: Limits((85, 130), (1, 4), (0.75, 1.3)),  # 97, 2.3, .93 to 1.11
    4: Limits((85, 135), (1, 4), (0.7, 1.35)),  # 96, 2.2, .86 to 1.30
}

Record = Callable[[str, object], None]
"""Keeps a figure in the report of the run."""


def say(text: str) -> None:
    """A line for whoever watches."""
    sys.stderr.write(f"{text}\n")


def told(bots: Sequence[str], number: int) -> Tale:
    """One match; the bots move on by a seat each time."""
    shift = number % len(bots)
    seated = [POLICIES[bot] for bot in (*bots[shift:], *bots[:shift])]
    return GAME.tale(match(GAME, GAME.Options(), seated, f"soak/{len(bots)}/{number}").state)


@cache
def tales(seats: int) -> list[Tale]:
    """The matches of competent bots, on all cores."""
    done: list[Tale] = []
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        work = partial(told, (COMPETENT,) * seats)
        for one in pool.map(work, range(GAMES), chunksize=4):
            done.append(one)
            if len(done) % REPORTS == 0:
                say(f"{seats} seats: {len(done)} of {GAMES}")
    return done


@pytest.mark.parametrize("seats", SEATS)
def test_a_thousand_matches_end_as_the_rules_document_has_it(
    seats: int, record_property: Record
) -> None:
    played = tales(seats)
    found = GAME.figures(played)
    say(str(found))
    record_property("figures", found)
    assert len(played) == GAMES
    assert sum(found["endings"].values()) == pytest.approx(1, abs=0.001)
    limits = LIMITS[seats]
    assert limits.honour[0] <= found["mean_of_all"] <= limits.honour[1]
    assert limits.breaches[0] <= found["breaches"] <= limits.breaches[1]


@pytest.mark.parametrize("seats", SEATS[1:])
def test_no_place_in_the_tea_order_wins_or_loses_all(seats: int) -> None:
    shares = GAME.figures(tales(seats))["tea_x_fair"]
    assert set(shares) == {str(place + 1) for place in range(seats)}
    least, most = LIMITS[seats].tea
    assert least <= min(shares.values()) <= max(shares.values()) <= most


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize(("better", "worse"), STEPS)
def test_a_level_wins_against_the_one_below(
    seats: int, better: str, worse: str, record_property: Record
) -> None:
    found = verdict(first_places(KEY, seats, better, worse, MOST))
    say(f"{seats} seats, {better} against {worse}: {found}")
    record_property("verdict", found)
    assert found.more, found


def test_alone_a_better_level_earns_more_honour(record_property: Record) -> None:
    means = []
    for level in LEVELS:
        plan = Plan(game=KEY, seats=1, games=ALONE, bots=(level,), seed="alone")
        scores = [play_one(plan, number).places[0].score for number in range(ALONE)]
        found = spread(scores)
        say(f"alone, {level}: {found}")
        record_property(level, found)
        means.append(found["mean"])
    assert means == sorted(means)
