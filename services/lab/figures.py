"""What many games come to: means, spreads and shares, each with its 95 % confidence interval."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from math import sqrt
from statistics import fmean, stdev
from typing import Any

from services.lab.simulate import Outcome

Z = 1.959964
"""The normal distribution's 97.5 % point."""

Figures = dict[str, Any]


def summary(outcomes: Sequence[Outcome], seconds: float) -> Figures:
    """Scores, places and lengths of the games that came to their end."""
    finished = [one for one in outcomes if not one.error]
    moves = sum(one.moves for one in finished)
    return {
        "games": len(outcomes),
        "finished": len(finished),
        "moves": moves,
        "seconds": round(seconds, 3),
        "moves_per_second": round(moves / seconds, 1),
        "scores": scores(finished),
        "lengths": spread([one.moves for one in finished]),
        "bots": bots(finished),
        "outcomes": dict(Counter(one.ending for one in finished if one.ending).most_common()),
        "failures": [{"game": one.number, "error": one.error} for one in outcomes if one.error],
    }


def scores(finished: Sequence[Outcome]) -> Figures:
    """Of all seats together, and of each."""
    by_seat: dict[int, list[int]] = defaultdict(list)
    for one in finished:
        for place in one.places:
            by_seat[place.seat].append(place.score)
    every = [score for seat in by_seat.values() for score in seat]
    seats = [{"seat": seat, **spread(by_seat[seat])} for seat in sorted(by_seat)]
    return {**spread(every), "seats": seats}


def bots(finished: Sequence[Outcome]) -> dict[str, Figures]:
    """How each policy did: its scores, and its share of first places. A shared first place
    counts in part."""
    points: dict[str, list[int]] = defaultdict(list)
    firsts: dict[str, list[float]] = defaultdict(list)
    for one in finished:
        winners = sum(place.place == 1 for place in one.places)
        for place in one.places:
            bot = one.bots[place.seat]
            points[bot].append(place.score)
            firsts[bot].append((place.place == 1) / winners)
    return {
        bot: {"seats": len(points[bot]), "score": spread(points[bot]), "firsts": share(firsts[bot])}
        for bot in sorted(points)
    }


def spread(values: Sequence[float]) -> Figures:
    """Mean with its interval, least and greatest."""
    if not values:
        return {"mean": None, "ci95": None, "min": None, "max": None}
    mean = fmean(values)
    half = Z * stdev(values) / sqrt(len(values)) if len(values) > 1 else 0.0
    return {
        "mean": round(mean, 3),
        "ci95": [round(mean - half, 3), round(mean + half, 3)],
        "min": min(values),
        "max": max(values),
    }


def share(values: Sequence[float]) -> Figures:
    """A share of what there was, with Wilson's interval: it holds near 0 and 1 too."""
    count, part = len(values), fmean(values)
    middle = (part + Z * Z / (2 * count)) / (1 + Z * Z / count)
    half = Z / (1 + Z * Z / count) * sqrt(part * (1 - part) / count + Z * Z / (4 * count**2))
    return {
        "mean": round(part, 4),
        "ci95": [round(max(0.0, middle - half), 4), round(min(1.0, middle + half), 4)],
    }
