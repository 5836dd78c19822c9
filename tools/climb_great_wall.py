"""Better weights for The Great Wall's bots at a table of some size, climbed to step by step.

    python tools/climb_great_wall.py 4 build/great_wall_4.json --minutes 10

A round tries pairs: the weights of the moment times random factors, and divided by them. Greedy
bots play with them, on the same seeds: a whole table judging by either, then both at one table,
seat by seat, and once more with the seats changed. Each weight moves the way that brought more.
What a table has together says how well its wall is held; what some have more than others says what
is worth contending for, which is lost in the mean of a table. The file keeps where it has come to;
the averages of the latest rounds, printed at the end, are for `services/great_wall/weights.py`.
"""

from __future__ import annotations

import json
import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from functools import partial
from math import exp, log, sqrt
from pathlib import Path
from random import Random
from statistics import fmean, pstdev

import msgspec
from msgspec.structs import astuple

from services.bots.sequel import best_next
from services.gamekit.chance import Chance
from services.gamekit.play import settle, start
from services.great_wall.judged import Judged
from services.great_wall.weights import WEIGHTS, Weights

PAIRS = 16
"""Pairs of matches in a round."""

SPREAD = 0.3
"""How far the factors lie apart, as logarithms."""

STEP = 0.09
MOST = 0.25
"""How far a weight moves in a round at the usual slope, and at most, as logarithms."""

MEMORY, SQUARES, LATEST = 0.8, 0.9, 0.8
"""How much of a slope, of its square and of the average is kept from round to round."""

VICTORY, DISGRACE = 25.0, 15.0
"""Points for the first place, and, alone, for losing to an empty shame pool."""

Logs = Sequence[float]
"""Logarithms of weights."""

Contest = Callable[[Logs, Logs, str], tuple[float, float]]
"""What either of two come to on a seed."""


class Climb(msgspec.Struct):
    """Where a climb has come to: logarithms of weights, their slopes, and the latest average."""

    at: list[float]
    slopes: list[float]
    squares: list[float]
    average: list[float]
    rounds: int = 0


def climb_from(values: Sequence[float]) -> Climb:
    """A climb that begins here."""
    logs = [log(value) for value in values]
    return Climb(logs, [0.0] * len(logs), [0.0] * len(logs), list(logs))


def step(climb: Climb, contest: Contest, seed: str) -> list[float]:
    """Play a round and move; what its matches came to."""
    rng = Random(f"{seed}/{climb.rounds}")  # noqa: S311  # play, not secrecy
    tries: list[tuple[list[float], float]] = []
    found: list[float] = []
    for number in range(PAIRS):
        factors = [rng.gauss(0, SPREAD) for _ in climb.at]
        above, below = (
            [a + sign * f for a, f in zip(climb.at, factors, strict=True)] for sign in (1, -1)
        )
        up, down = contest(above, below, f"{seed}/{climb.rounds}/{number}")
        tries.append((factors, (up - down) / 2))
        found += [up, down]
    move(climb, tries, pstdev(found) or 1.0)
    return found


def move(climb: Climb, tries: list[tuple[list[float], float]], deviation: float) -> None:
    """Each weight goes up its slope, the further the surer the slope is."""
    climb.rounds += 1
    for at in range(len(climb.at)):
        slope = fmean(gain * factors[at] for factors, gain in tries) / deviation / SPREAD
        climb.slopes[at] = MEMORY * climb.slopes[at] + (1 - MEMORY) * slope
        climb.squares[at] = SQUARES * climb.squares[at] + (1 - SQUARES) * slope**2
        steep = climb.slopes[at] / (1 - MEMORY**climb.rounds)
        usual = sqrt(climb.squares[at] / (1 - SQUARES**climb.rounds))
        climb.at[at] += max(-MOST, min(MOST, STEP * steep / (0.6 * usual + 0.05)))
        climb.average[at] = LATEST * climb.average[at] + (1 - LATEST) * climb.at[at]


def points(weights: Sequence[Weights], seed: str) -> list[float]:
    """What each seat of a table of greedy bots comes to: honour, and more for the first place."""
    game, chance, seats = Judged(weights), Chance(seed.encode()), len(weights)
    state, _ = settle(game, start(game, seats, game.Options()), chance, deferred=True)
    while open_ := game.decisions(state):
        state = best_next(game, state, open_[0].seat)
        state, _ = settle(game, state, chance, deferred=True)
    tale = game.tale(state)
    lost = DISGRACE if seats == 1 and tale.empty else 0.0
    return [score + VICTORY * (tale.won == seat) - lost for seat, score in enumerate(tale.scores)]


def contested(seats: int, up: Logs, down: Logs, seed: str) -> tuple[float, float]:
    """What two judgements come to, each at a table of its own and both at one table, which counts
    twice."""
    both = [Weights(*map(exp, logs)) for logs in (up, down)]
    found = [fmean(points([one] * seats, seed)) for one in both]
    if seats > 1:
        for first in (0, 1):
            seated = [(first + seat) % 2 for seat in range(seats)]
            got = points([both[one] for one in seated], seed)
            for one in (0, 1):
                found[one] += fmean(p for p, who in zip(got, seated, strict=True) if who == one)
    return found[0], found[1]


def main() -> None:
    """See the module."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("seats", type=int)
    parser.add_argument("file", type=Path)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", default="climb")
    asked = parser.parse_args()
    climb = climb_from(astuple(WEIGHTS[asked.seats]))
    if asked.file.exists():
        climb = msgspec.json.decode(asked.file.read_bytes(), type=Climb)
    end = time.monotonic() + asked.minutes * 60
    while time.monotonic() < end:
        found = step(climb, partial(contested, asked.seats), asked.seed)
        asked.file.write_bytes(msgspec.json.encode(climb))
        sys.stdout.write(f"round {climb.rounds}: {fmean(found):.1f} +- {pstdev(found):.1f}\n")
        sys.stdout.flush()
    names = Weights.__struct_fields__
    weights = {name: round(exp(one), 3) for name, one in zip(names, climb.average, strict=True)}
    sys.stdout.write(json.dumps(weights, indent=1) + "\n")


if __name__ == "__main__":
    main()
