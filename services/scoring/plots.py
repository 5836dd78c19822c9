"""Statistics as a picture: scores, the balance of seats, what the lines of the sheets bring."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from vallum.scoring.v1 import scoring_pb2 as sc

LINES = 30
"""Lines of the score sheets that are drawn, the most frequent ones."""


def draw(figures: sc.GetStatisticsResponse, title: str, path: Path) -> None:
    """Write a PNG. Raises ModuleNotFoundError without matplotlib (the extra `plots`)."""
    from matplotlib.figure import Figure  # noqa: PLC0415 # an extra, and slow to import

    picture = Figure(figsize=(12, 10), layout="constrained")
    picture.suptitle(f"{title}: {figures.matches} matches")
    (scores, seats), (balance, lines) = picture.subplots(2, 2)
    draw_scores(scores, figures)
    draw_seats(seats, figures)
    draw_balance(balance, figures)
    draw_lines(lines, figures)
    picture.savefig(path, format="png", dpi=100)


def draw_scores(axes: Any, figures: sc.GetStatisticsResponse) -> None:
    """How often each score comes."""
    found = figures.scores
    starts = [found.least + number * found.bin_width for number in range(len(found.bins))]
    axes.bar(starts, list(found.bins), width=found.bin_width, align="edge")
    axes.set(title="Scores", xlabel="points", ylabel="seats")


def draw_seats(axes: Any, figures: sc.GetStatisticsResponse) -> None:
    """Each seat's mean score, with its standard deviation."""
    seats = [one.seat for one in figures.seats]
    means = [one.scores.mean for one in figures.seats]
    axes.bar(seats, means, yerr=[one.scores.deviation for one in figures.seats], capsize=4)
    axes.set(title="Score by seat", xlabel="seat", ylabel="points", xticks=seats)


def draw_balance(axes: Any, figures: sc.GetStatisticsResponse) -> None:
    """Each seat's part of the first places, with its interval, beside a fair part."""
    seats = [one.seat for one in figures.seats]
    firsts = [one.firsts for one in figures.seats]
    below = [max(0.0, one.firsts - one.firsts_low) for one in figures.seats]
    above = [max(0.0, one.firsts_high - one.firsts) for one in figures.seats]
    axes.errorbar(seats, firsts, yerr=[below, above], fmt="o", capsize=4)
    axes.plot(seats, [one.firsts_fair for one in figures.seats], "--", label="fair")
    axes.set(title="First places by seat (95 %)", xlabel="seat", ylabel="part", xticks=seats)
    axes.legend()


def draw_lines(axes: Any, figures: sc.GetStatisticsResponse) -> None:
    """The mean points of each line of the sheets."""
    common = sorted(figures.lines, key=lambda one: -one.count)[:LINES]
    common.sort(key=lambda one: one.mean)
    axes.barh([one.key for one in common], [one.mean for one in common])
    axes.set(title="Points by line of the sheet", xlabel="points")
