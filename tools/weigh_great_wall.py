"""What the parts of a clan's prospects come to in the end: the shares of
`services/great_wall/standing.py`.

    python tools/weigh_great_wall.py 2 --bot greedy --minutes 2

Bots play each other. When a turn begins, each seat's parts are noted, less those of its rivals'
mean; a ridge regression says what one more of each adds to the honour by which the seat is ahead in
the end. Positions of a match are not independent: of some hundred matches only the first figure of
a share is to be trusted.
"""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from services.bots.arena import match
from services.bots.policies import POLICIES
from services.bots.policy import Sequence as Plan
from services.bots.sequel import span_of
from services.gamekit.game import Game, Seat
from services.great_wall.endgame import sheet
from services.great_wall.evaluate import Parts, parts
from services.great_wall.game import GAME
from services.great_wall.state import State
from services.great_wall.weights import WEIGHTS

RIDGE = 0.002
"""How much the fit is held back, for each observation, where parts are told in deviations."""

Floats = NDArray[np.float64]


class Watcher:
    """A policy that sits on every seat, and notes what all have whenever another turn begins."""

    def __init__(self, bot: str) -> None:
        self.noted: list[Floats] = []
        self._bot = POLICIES[bot]
        self._span: object = None

    def choose(self, game: Game[Any], state: State, seat: Seat, rng: Random) -> Plan:
        """See Policy."""
        if (span := span_of(game, state)) != self._span:
            self._span = span
            w = WEIGHTS[state.seats]
            all_ = [parts(state, one, w) for one in range(state.seats)]
            self.noted.append(leads(np.array(all_, dtype=np.float64)))
        return self._bot.choose(game, state, seat, rng)


def leads(rows: Floats) -> Floats:
    """Each seat's less the mean of its rivals'."""
    seats = len(rows)
    found: Floats = rows - (rows.sum(axis=0) - rows) / (seats - 1)
    return found


def observed(bot: str, seats: int, seed: str) -> tuple[Floats, Floats]:
    """One match: the leads in each part by turn and seat, and what each seat's lead was in the
    end."""
    watcher = Watcher(bot)
    state = match(GAME, GAME.Options(), [watcher] * seats, seed).state
    totals = [[sheet(state, Seat(one)).total] for one in range(seats)]
    final = leads(np.array(totals, dtype=np.float64))[:, 0]
    return np.concatenate(watcher.noted), np.tile(final, len(watcher.noted))


def shares(had: Floats, came: Floats) -> Floats:
    """What one more of each part adds."""
    deviations = had.std(axis=0) + 1e-9
    scaled = had / deviations
    square = scaled.T @ scaled + RIDGE * len(scaled) * np.eye(scaled.shape[1])
    found: Floats = np.linalg.solve(square, scaled.T @ came) / deviations
    return found


def matches(bot: str, seats: int, seconds: float) -> Iterator[tuple[Floats, Floats]]:
    """Observations, match by match, for some time; one match at least."""
    end, number = time.monotonic() + seconds, 0
    while not number or time.monotonic() < end:
        yield observed(bot, seats, f"weigh/{number}")
        number += 1
        sys.stderr.write(f"\r{number} matches")
    sys.stderr.write("\n")


def main(arguments: Sequence[str] | None = None) -> None:
    """See the module."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("seats", type=int, choices=(2, 3, 4))
    parser.add_argument("--bot", choices=sorted(POLICIES), default="greedy")
    parser.add_argument("--minutes", type=float, default=2.0)
    asked = parser.parse_args(arguments)
    had, came = zip(*matches(asked.bot, asked.seats, 60 * asked.minutes), strict=True)
    every, ends = np.concatenate(had), np.concatenate(came)
    found = shares(every, ends)
    for name, share in zip(Parts._fields, found, strict=True):
        sys.stdout.write(f"{name:10} {share:6.2f}\n")
    left = 1 - float(((ends - every @ found) ** 2).mean() / ends.var())
    sys.stdout.write(f"explains {left:.0%} of the variance\n")


if __name__ == "__main__":
    main()
