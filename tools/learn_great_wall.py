"""What the weights of The Great Wall's bots should be, learned from matches between them.

    python tools/learn_great_wall.py play build/great_wall.jsonl --minutes 10
    python tools/learn_great_wall.py fit build/great_wall.jsonl

`play` lets bots play each other and random ones. Every seat has weights of its own: those of
`services/great_wall/weights.py`, each multiplied by a random factor. `fit` prints

- by how much a seat does better, in standard deviations, for each unit of a factor's logarithm:
  a weight with a slope well above its error is too low, one well below is too high;
- what each thing that a seat has at the start of a fall adds to the points that it still gains,
  by year: what the weights of lasting things should come to.

Both are linear fits of noisy figures: of a few hundred matches only the greatest are to be trusted.
"""

from __future__ import annotations

import json
import sys
import time
from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Iterator, Sequence
from math import exp, sqrt
from pathlib import Path
from random import Random
from statistics import fmean, pstdev
from typing import Any, NamedTuple

import numpy as np
from msgspec.structs import astuple

from services.bots.arena import chosen
from services.bots.policy import Policy
from services.bots.simple import Chancer, Greedy
from services.gamekit.chance import Chance
from services.gamekit.play import play, settle, start
from services.great_wall.evaluate import claimed_honour
from services.great_wall.field import covered
from services.great_wall.fronts import survey
from services.great_wall.judged import Judged
from services.great_wall.state import State
from services.great_wall.tasks.seasons import Commanding
from services.great_wall.weights import WEIGHTS, Weights

TABLES = ((2, 1), (2, 0), (3, 2), (3, 0), (4, 3), (4, 0), (2, 0), (1, 0))
"""Seats, and how many of them play at random."""

NAMES = Weights.__struct_fields__

VICTORY = 25.0
"""Points that a first place counts for."""

APART = 40
"""A lead or a gap beyond which more says nothing."""

RIDGE = 20.0
"""How much the fit of possessions is held back, as so many observations of nothing."""

Row = dict[str, Any]


def trial(seats: int, at_random: int, seed: str, spread: float) -> Row:
    """One match: the logarithms of each seat's factors, what it had each fall, how it did."""
    rng = Random(seed)  # noqa: S311  # play, not secrecy
    logs = [[rng.gauss(0, spread) for _ in NAMES] for _ in range(seats)]
    trying = Judged(
        [
            Weights(*(w * exp(one) for w, one in zip(astuple(WEIGHTS[seats]), own, strict=True)))
            for own in logs
        ]
    )
    chancers = rng.sample(range(seats), at_random)
    bots: list[Policy] = [Chancer() if seat in chancers else Greedy() for seat in range(seats)]
    falls: list[Row] = []
    state = played(trying, bots, seed, falls)
    result = trying.result(state)
    assert result is not None
    scores = [sheet.total for sheet in trying.score(state)]
    rival = trying.tale(state).rival
    return {
        "table": [seats, at_random],
        "learning": [seat for seat in range(seats) if isinstance(bots[seat], Greedy)],
        "logs": logs,
        "falls": falls,
        "scores": scores,
        "success": [
            success(seat, scores, rival, won=result.places[0].seat == seat) for seat in range(seats)
        ],
    }


def played(trying: Judged, bots: Sequence[Policy], seed: str, falls: list[Row]) -> State:
    """The end of a match; what everybody has when a fall begins goes to `falls`."""
    chance = Chance(seed.encode())
    state, _ = settle(trying, start(trying, len(bots), trying.Options()), chance, deferred=True)
    turn = 0
    while open_ := trying.decisions(state):
        if isinstance(state.stack[-1], Commanding) and len(falls) < state.year:
            falls.append({"year": state.year, "has": [has(state, one) for one in range(len(bots))]})
        turn += 1
        seat = open_[0].seat
        for action in chosen(trying, state, bots[seat], seat, seed, turn):
            state = play(trying, state, seat, action)
        state, _ = settle(trying, state, chance, deferred=True)
    return state


def success(seat: int, scores: Sequence[int], rival: int | None, *, won: bool) -> float:
    """How well a seat did, in points."""
    others = [score for one, score in enumerate(scores) if one != seat]
    best = max(others) if rival is None else rival
    lead = max(-APART, min(APART, scores[seat] - best))
    return lead + VICTORY * won + 0.2 * scores[seat]


def has(state: State, seat: int) -> dict[str, int]:
    """What a seat has, and what stands before the wall."""
    clan, goods = state.clans[seat], state.clans[seat].goods
    hordes = [horde for front in survey(state) for horde in front.rows]
    spots = [covered(horde, seat) for horde in hordes]
    return {
        "honour": clan.honour,
        "shame": sum(clan.frozen),
        "claimed": claimed_honour(clan),
        "wood": goods.wood,
        "stone": goods.stone,
        "gold": goods.gold,
        "chi": goods.chi,
        "overseers": sum(clan.overseers),
        "clerks": clan.clerks + sum(clan.desks),
        "active": len(clan.active),
        "supporting": len(clan.supporting),
        "tactics": len(clan.tactics),
        "firing": sum(clan.firing),
        "rest": sum(clan.rest),
        "spots": sum(spots),
        "cards": sum(1 for count in spots if count),
        "hordes": len(hordes),
        "walls": sum(state.walls),
    }


class Slope(NamedTuple):
    """What one more of something brings, and the error of that."""

    name: str
    value: float
    error: float


def slopes(rows: Sequence[Row]) -> list[Slope]:
    """How success follows each factor, in standard deviations; surest first."""
    by_table: dict[tuple[int, ...], list[float]] = defaultdict(list)
    for row in rows:
        by_table[tuple(row["table"])] += [row["success"][seat] for seat in row["learning"]]
    usual = {table: (fmean(all_), pstdev(all_) or 1.0) for table, all_ in by_table.items()}
    logs: list[list[float]] = []
    done: list[float] = []
    for row in rows:
        mean, deviation = usual[tuple(row["table"])]
        for seat in row["learning"]:
            logs.append(row["logs"][seat])
            done.append((row["success"][seat] - mean) / deviation)
    found = []
    for number, name in enumerate(NAMES):
        own = [one[number] for one in logs]
        square = sum(x * x for x in own)
        value = sum(x * y for x, y in zip(own, done, strict=True)) / square
        found.append(Slope(name, value, 1 / sqrt(square)))
    return sorted(found, key=lambda one: -abs(one.value / one.error))


def possessions(rows: Sequence[Row], year: int) -> dict[str, float]:
    """What each thing had at the start of a year's fall adds to the points gained after it."""
    had: list[list[float]] = []
    gained: list[float] = []
    names: list[str] = []
    for row in rows:
        for fall in (one for one in row["falls"] if one["year"] == year):
            for seat in row["learning"]:
                names = list(fall["has"][seat])
                had.append([float(count) for count in fall["has"][seat].values()])
                gained.append(row["scores"][seat] - fall["has"][seat]["honour"])
    if len(had) <= len(names):
        return {}
    return dict(zip(names, ridge(had, gained), strict=True))


def ridge(rows: list[list[float]], values: list[float]) -> list[float]:
    """Coefficients of a linear fit, each held back towards 0."""
    had, gained = np.array(rows), np.array(values)
    scales = had.std(axis=0)
    scales[scales == 0] = 1.0
    scaled = (had - had.mean(axis=0)) / scales
    square = scaled.T @ scaled + RIDGE * np.eye(scaled.shape[1])
    found = np.linalg.solve(square, scaled.T @ (gained - gained.mean())) / scales
    return [float(one) for one in found]


def report(rows: Sequence[Row]) -> Iterator[str]:
    """Both fits, for people."""
    yield f"{len(rows)} matches"
    yield from (f"{name:16} {value:+.2f} +- {error:.2f}" for name, value, error in slopes(rows))
    for year in range(2, 6):
        found = possessions([row for row in rows if not row["table"][1]], year)
        yield f"fall {year}: " + " ".join(f"{name} {value:+.1f}" for name, value in found.items())


def main() -> None:
    """See the module."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("work", choices=("play", "fit"))
    parser.add_argument("file", type=Path)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--spread", type=float, default=0.45)
    parser.add_argument("--seed", default="learn")
    asked = parser.parse_args()
    if asked.work == "fit":
        rows = [json.loads(line) for line in asked.file.read_text().splitlines()]
        sys.stdout.writelines(f"{line}\n" for line in report(rows))
        return
    end, number = time.monotonic() + asked.minutes * 60, 0
    with asked.file.open("a") as kept:
        while time.monotonic() < end:
            seats, at_random = TABLES[number % len(TABLES)]
            row = trial(seats, at_random, f"{asked.seed}/{number}", asked.spread)
            kept.write(json.dumps(row) + "\n")
            kept.flush()
            number += 1


if __name__ == "__main__":
    main()
