"""Places from standings: shared where nothing decides, and each told what decided it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from services.gamekit.game import Place, Seat

SHARED = "shared"


def ranked(standings: Mapping[Seat, Mapping[str, int]]) -> tuple[Place, ...]:
    """Every seat once, best first; places are shared as in 1, 1, 3.

    A standing names what counts in order of weight, more is better: `{"score": 41, "coins": 3}`.
    "score" must be among them. `decided_by` is the last of these names that was needed to set a
    seat apart from its neighbours, "shared" where none did.
    """
    order = sorted(standings, key=lambda seat: (*(-n for n in standings[seat].values()), seat))
    gaps = [gap(standings[one], standings[two]) for one, two in pairwise(order)]
    places: list[Place] = []
    for index, seat in enumerate(order):
        tied = index > 0 and gaps[index - 1] == SHARED
        place = places[-1].place if tied else index + 1
        decided_by = finest(standings[seat], gaps[max(0, index - 1) : index + 1])
        places.append(Place(seat, place, standings[seat]["score"], decided_by))
    return tuple(places)


def gap(one: Mapping[str, int], two: Mapping[str, int]) -> str:
    """What sets two neighbours apart."""
    return next((name for name in one if one[name] != two[name]), SHARED)


def finest(standing: Mapping[str, int], gaps: list[str]) -> str:
    """The gap that was hardest to find; a lone seat has none and stands by its score."""
    names = [*standing, SHARED]
    return max(gaps, key=names.index, default="score")
