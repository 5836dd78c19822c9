"""Matching: what one tick costs, straight into the model, and how good its tables are.

Times are CPU seconds of one process (one core), from tickets as the service holds them to tables.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean, median

from msgspec.structs import replace

from services.matchmaking.greedy import greedy
from services.matchmaking.matching import form
from services.matchmaking.model import Group, Waiting, objective, people
from services.matchmaking.policy import CASUAL, RANKED
from tests.bench.figures import Figure
from tests.matchmaking.crowds import NOW, by_id, crowd
from tests.matchmaking.exact import best_groups

RUNS = 5
CURVE = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000)
PLOT = Path("build/matchmaking_cost.png")
SMALL, SMALLS = 14, 12
PATIENT = replace(RANKED, bound_s=1e6)
"""Nobody is overdue: what counts is the worth of tables alone."""


def ticked(waiting: Sequence[Waiting]) -> tuple[float, list[Group]]:
    """Seconds of CPU of one tick of a casual queue, and its tables."""
    gc.collect()
    began = time.process_time()
    groups = form(waiting, CASUAL, NOW)
    return time.process_time() - began, groups


def tick(count: int, met: int = 2) -> tuple[list[float], list[Waiting], list[Group]]:
    """The same crowd several times: seconds, the crowd, its tables."""
    waiting = crowd(count, 1, met=met)
    runs = [ticked(waiting) for _ in range(RUNS)]
    return [took for took, _ in runs], waiting, runs[0][1]


def gain(waiting: Sequence[Waiting], ours: Sequence[Group]) -> float:
    """How much the worth of the tables is above that of the plain way, in percent."""
    known, plain = by_id(waiting), greedy(waiting, CASUAL, NOW)
    return 100 * (objective(ours, known, CASUAL, NOW) / objective(plain, known, CASUAL, NOW) - 1.0)


def told(waiting: Sequence[Waiting], groups: Sequence[Group]) -> str:
    """A tick in words."""
    seated = sum(one.seats - one.bots for one in groups)
    spread = fmean(one.spread for one in groups)
    quality = fmean(one.quality for one in groups)
    return f"{seated / people(waiting):.2%} seated, spread {spread:.2f}, quality {quality:.3f}"


def against_the_best() -> tuple[list[float], list[float], list[float]]:
    """Of small crowds: worth and spread of ours by that of the best tables, and how much ours is
    above the plain way in percent."""
    worths, spreads, gains = [], [], []
    for seed in range(SMALLS):
        waiting = crowd(SMALL, seed, spread=4.0)
        known = by_id(waiting)
        ours, best, plain = (way(waiting, PATIENT, NOW) for way in (form, best_groups, greedy))
        if not plain:
            continue
        worth, top, low = (objective(one, known, PATIENT, NOW) for one in (ours, best, plain))
        worths.append(worth / top)
        gains.append(100 * (worth / low - 1.0))
        wide = [fmean(one.spread for one in groups) for groups in (ours, best)]
        if wide[1]:
            spreads.append(wide[0] / wide[1])
    return worths, spreads, gains


def curve() -> list[tuple[int, float]]:
    """Seconds of a tick for ever larger crowds."""
    points = []
    for count in CURVE:
        waiting = crowd(count, 1)
        took = median(ticked(waiting)[0] for _ in range(3 if count <= 100_000 else 1))
        print(f"  {count:>9,} tickets: {took:.3f} s", file=sys.stderr, flush=True)
        points.append((count, took))
    return points


def draw(points: Sequence[tuple[int, float]], path: Path) -> None:
    """The curve as a picture."""
    from matplotlib.figure import Figure as Picture  # noqa: PLC0415 # an extra, slow to import

    picture = Picture(figsize=(8, 5), layout="constrained")
    axes = picture.subplots()
    counts, seconds = zip(*points, strict=True)
    axes.loglog(counts, seconds, "o-", label="one tick")
    least = min(second / count for count, second in points)
    axes.loglog(counts, [least * one for one in counts], "--", label="linear")
    axes.axhline(1.0, linewidth=0.8, color="grey")
    axes.set(title="One tick of a queue", xlabel="tickets", ylabel="CPU seconds, one core")
    axes.grid(visible=True, which="both", alpha=0.3)
    axes.legend()
    path.parent.mkdir(exist_ok=True)
    picture.savefig(path, format="png", dpi=100)


def run() -> list[Figure]:
    """Every figure of the model, and the picture."""
    figures = []
    for name, count in (("10k", 10_000), ("100k", 100_000)):
        took, waiting, groups = tick(count)
        figures.append(Figure(f"matchmaking_tick_{name}_s", "s", took, told(waiting, groups)))
        above = [gain(waiting, groups)]
        figures.append(
            Figure(f"matchmaking_gain_over_greedy_{name}_percent", "%", above, "worth of tables")
        )
    worths, spreads, gains = against_the_best()
    small = f"crowds of {SMALL}, ranked"
    figures += [
        Figure("matchmaking_worth_of_optimum", "part", worths, f"{small}; least {min(worths):.3f}"),
        Figure("matchmaking_spread_of_optimum", "ratio", spreads, f"{small}; mean spreads"),
        Figure("matchmaking_gain_over_greedy_small_percent", "%", gains, small),
    ]
    draw(curve(), PLOT)
    return figures
