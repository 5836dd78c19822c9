"""What the weights of the Hadrian's Wall bots should be, learnt by playing alone.

    python tools/learn_hadrians_wall.py build/weights.json --generations 50 --games 24 --width 12

An evolution strategy (CMA-ES with a diagonal covariance). Each generation tries random changes of
all weights of `services/hadrians_wall/weights.py`, plays the same games with each of them, and
moves towards those that score best. After each generation the file holds the weights reached, in
the form of `Weights`; a run that finds the file goes on from there. It prints the mean score of the
candidates: they are worse than the weights between them, and games differ, so that only the trend
says something.

The weights in the repository came from this search with a copy of the solo rules in C++, which is
a hundred times as fast: 3 generations of 24 candidates and 40 games at width 20, then 70 of 16
candidates and 24 games at width 12. The mean rose from 67.6 (100 games) to 74.4 (200 games).
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from math import exp, log, sqrt
from multiprocessing import Pool
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any, NamedTuple

import msgspec

from services.bots.arena import match
from services.bots.search import Search
from services.gamekit.game import Seat
from services.hadrians_wall.evaluate import appraise
from services.hadrians_wall.game import HadriansWall
from services.hadrians_wall.scales import Mind
from services.hadrians_wall.state import State
from services.hadrians_wall.weights import WEIGHTS, Weights

NODES = 1_000_000
"""More than a turn takes: the width alone bounds the search."""

LEAST = 0.06
"""A weight is changed by at least so much."""

PART = 0.3
"""Or by this part of its size."""

Vector = list[float]


class Trial(HadriansWall):
    """The game, judged by other weights."""

    def __init__(self, weights: Weights) -> None:
        self.mind = Mind(weights)

    def evaluate(self, state: State, seat: Seat) -> float:
        return appraise(self.mind, state, seat)


def flat(value: object) -> Iterator[float]:
    """Every number of some weights, in order."""
    if isinstance(value, float):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from flat(one)
    elif isinstance(value, tuple | list):
        for one in value:
            yield from flat(one)


def shaped(like: object, numbers: Iterator[float]) -> object:
    """The same thing with other numbers."""
    if isinstance(like, dict):
        return {key: shaped(one, numbers) for key, one in like.items()}
    if isinstance(like, tuple):
        values: list[Any] = [shaped(one, numbers) for one in like]
        return type(like)(*values) if hasattr(like, "_fields") else tuple(values)
    return next(numbers)


def weights_of(vector: Sequence[float]) -> Weights:
    """Weights of these numbers. Cohorts do not shrink."""
    found = shaped(WEIGHTS, iter(vector))
    assert isinstance(found, Weights)
    return found._replace(nerve=found.nerve._replace(growth=max(0.0, found.nerve.growth)))


def mean_score(games: range, width: int, vector: Vector) -> float:
    """The mean of some games alone, the same for every candidate."""
    game, bot = Trial(weights_of(vector)), Search(nodes=NODES, width=width)
    ends = (match(game, game.Options(), [bot], f"learn/{number}").state for number in games)
    return fmean(game.score(end)[0].total for end in ends)


class Rates(NamedTuple):
    """How fast the strategy learns, from the number of weights and of candidates."""

    shares: Vector
    spread: float
    path: float
    damping: float
    rank_one: float
    rank_many: float

    @classmethod
    def of(cls, size: int, candidates: int) -> Rates:
        """The usual values; a diagonal is learnt faster than a full matrix."""
        raw = [log((candidates + 1) / 2) - log(rank) for rank in range(1, candidates // 2 + 1)]
        shares = [one / sum(raw) for one in raw]
        mass = 1 / sum(one * one for one in shares)
        path = (mass + 2) / (size + mass + 5)
        faster = (size + 2) / 3
        one = 2 / ((size + 1.3) ** 2 + mass) * faster
        many = 2 * (mass - 2 + 1 / mass) / ((size + 2) ** 2 + mass) * faster
        return cls(shares, mass, path, 1 + path, one, min(1 - one, many))


class Strategy:
    """Where the search is, and how far it looks in every direction."""

    def __init__(self, start: Vector, candidates: int, step: float) -> None:
        size = len(start)
        self.mean = start
        self.scale = [max(LEAST, PART * abs(one)) for one in start]
        self.variance = [1.0] * size
        self.step = step
        self.rates = Rates.of(size, candidates)
        self.stride = [0.0] * size
        self.drift = [0.0] * size

    def candidate(self, draw: Sequence[float]) -> Vector:
        """The weights that a draw stands for."""
        return [
            mean + self.step * scale * sqrt(variance) * one
            for mean, scale, variance, one in zip(
                self.mean, self.scale, self.variance, draw, strict=True
            )
        ]

    def move(self, best: Sequence[Vector]) -> None:
        """Go towards the better half of the draws, the best one first."""
        r, size = self.rates, len(self.mean)
        pull = [
            sum(share * draw[spot] for share, draw in zip(r.shares, best, strict=True))
            for spot in range(size)
        ]
        self.mean = self.candidate(pull)
        along = 4 / (size + 4)
        for spot, one in enumerate(pull):
            deviation = sqrt(self.variance[spot])
            grown = sqrt(r.path * (2 - r.path) * r.spread)
            self.stride[spot] = (1 - r.path) * self.stride[spot] + grown * one
            drawn = sqrt(along * (2 - along) * r.spread)
            self.drift[spot] = (1 - along) * self.drift[spot] + drawn * deviation * one
            spread = sum(
                share * self.variance[spot] * draw[spot] ** 2
                for share, draw in zip(r.shares, best, strict=True)
            )
            self.variance[spot] = (
                (1 - r.rank_one - r.rank_many) * self.variance[spot]
                + r.rank_one * self.drift[spot] ** 2
                + r.rank_many * spread
            )
        length = sqrt(sum(one * one for one in self.stride) / size)
        self.step *= exp(min(0.3, r.path / r.damping * (length - 1)))


def draws(rng: Random, size: int, count: int) -> Iterator[Vector]:
    """Random draws, each followed by its opposite."""
    while count > 0:
        draw = [rng.gauss(0, 1) for _ in range(size)]
        yield draw
        yield [-one for one in draw]
        count -= 2


def learn(asked: Namespace) -> None:
    """Search, and keep what was found in the file."""
    start = WEIGHTS
    if asked.file.exists():
        start = msgspec.json.decode(asked.file.read_bytes(), type=Weights)
    strategy = Strategy(list(flat(tuple(start))), asked.candidates, asked.step)
    rng = Random(asked.seed)  # noqa: S311  # play, not secrecy
    with Pool(asked.jobs) as pool:
        for generation in range(asked.generations):
            first = (asked.seed * asked.generations + generation) * asked.games
            games = range(first, first + asked.games)
            drawn = list(islice(draws(rng, len(strategy.mean), asked.candidates), asked.candidates))
            tried = [strategy.candidate(draw) for draw in drawn]
            scores = pool.map(partial(mean_score, games, asked.width), tried, chunksize=1)
            order = sorted(range(asked.candidates), key=lambda one: -scores[one])
            strategy.move([drawn[one] for one in order[: asked.candidates // 2]])
            asked.file.write_bytes(
                msgspec.json.format(msgspec.json.encode(weights_of(strategy.mean)))
            )
            sys.stdout.write(f"{generation}: mean {fmean(scores):.2f}, step {strategy.step:.3f}\n")
            sys.stdout.flush()


def main() -> None:
    """Read the command line."""
    parser = ArgumentParser(description="Learn the weights of the Hadrian's Wall bots.")
    parser.add_argument("file", type=Path)
    parser.add_argument("--generations", type=int, default=50)
    parser.add_argument("--candidates", type=int, default=16, help="of each generation; even")
    parser.add_argument("--games", type=int, default=24, help="that each candidate plays")
    parser.add_argument("--width", type=int, default=12, help="of the beam")
    parser.add_argument("--step", type=float, default=0.3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    learn(parser.parse_args())


if __name__ == "__main__":
    main()
