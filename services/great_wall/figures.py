"""What many matches come to: the figures of the rules' chapter 19."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from statistics import fmean, quantiles
from typing import Any

from services.gamekit.game import Record, Seat
from services.great_wall.cards.board import SETUPS
from services.great_wall.cards.generals import GENERALS, General
from services.great_wall.endgame import general_score, result, score
from services.great_wall.field import finished_walls
from services.great_wall.state import State

ENDINGS = ("shame", "walls", "years")
FEW = 20
"""Matches without which a general's share of wins says nothing."""


class Tale(Record, frozen=True):
    """What is kept of a finished match. `tea`: where each seat was in the first tea order."""

    year: int
    ending: str
    breaches: int
    walls: bool
    """Whether as many walls stand as end a match."""
    empty: bool
    """Whether the shame pool is empty."""
    scores: tuple[int, ...]
    generals: tuple[General | None, ...]
    tea: tuple[int, ...]
    won: Seat | None
    """Alone against the automated general: the seat, or nobody."""
    rival: int | None = None
    """The automated general's score."""


def tale(state: State) -> Tale:
    """What there is to keep of a match that is over."""
    ended = result(state)
    assert ended is not None
    generals = tuple(clan.general for clan in state.clans[: state.seats])
    order = sorted(range(state.seats), key=lambda seat: -GENERALS[known(generals[seat])].tea)
    alone = state.seats == 1
    lost = alone and not ended.outcome.startswith("won")
    return Tale(
        state.year,
        state.ending,
        state.breaches,
        finished_walls(state) >= state.setup.walls_to_end,
        state.shame_pool == 0,
        tuple(sheet.total for sheet in score(state)),
        generals,
        tuple(order.index(seat) for seat in range(state.seats)),
        None if lost else ended.places[0].seat,
        general_score(state) if alone else None,
    )


def known(general: General | None) -> General:
    """A general that was kept."""
    assert general is not None
    return general


def figures(tales: Sequence[Tale]) -> dict[str, Any]:
    """Honour, endings and breaches; wins divided by the fair share, by place in the first tea
    order and by general. Alone: how often the automated general is beaten."""
    if not tales:
        return {}
    found: dict[str, Any] = {
        "winner": spread([max(one.scores) for one in tales]),
        "mean_of_all": mean([score for one in tales for score in one.scores]),
        "last_year": share(one.year == len(SETUPS[len(one.scores)].years) for one in tales),
        "walls_complete": share(one.walls for one in tales),
        "shame_pool_empty": share(one.empty for one in tales),
        "ended_by_shame": share(ended_early(one) for one in tales),
        "breaches": mean([one.breaches for one in tales]),
        "endings": shares(Counter(one.ending for one in tales), len(tales)),
    }
    rivals = [one.rival for one in tales if one.rival is not None]
    if rivals:
        return found | {"automated_general": mean(rivals), "wins": share(beaten(tales))}
    generals = fairness(by_general(tales), least=FEW)
    return found | {
        "tea_x_fair": fairness(by_tea(tales)),
        "generals_x_fair": generals,
    }


def ended_early(one: Tale) -> bool:
    """Whether an empty shame pool ended a match before its last year."""
    return one.ending == "shame" and one.year < len(SETUPS[len(one.scores)].years)


def beaten(tales: Iterable[Tale]) -> Iterator[bool]:
    """Whether the automated general lost each match."""
    return (one.won is not None for one in tales)


def by_tea(tales: Iterable[Tale]) -> Iterator[tuple[str, bool, int]]:
    """(place in the first tea order, whether it won, of how many) of every seat."""
    for one in tales:
        for seat, place in enumerate(one.tea):
            yield str(place + 1), seat == one.won, len(one.tea)


def by_general(tales: Iterable[Tale]) -> Iterator[tuple[str, bool, int]]:
    """(general, whether it won, of how many) of every seat."""
    for one in tales:
        for seat, general in enumerate(one.generals):
            yield known(general).value, seat == one.won, len(one.tea)


def fairness(entries: Iterable[tuple[str, bool, int]], least: int = 1) -> dict[str, float]:
    """Wins divided by the fair share, which is one in as many as play; 1.0 is fair. What was
    seen fewer times than `least` is left out."""
    wins: dict[str, int] = defaultdict(int)
    fair: dict[str, float] = defaultdict(float)
    seen: Counter[str] = Counter()
    for name, won, seats in entries:
        wins[name] += won
        fair[name] += 1 / seats
        seen[name] += 1
    return {name: round(wins[name] / fair[name], 3) for name in sorted(fair) if seen[name] >= least}


def shares(counts: Counter[str], games: int) -> dict[str, float]:
    """The share of each ending; none is left out."""
    return {ending: round(counts[ending] / games, 4) for ending in ENDINGS}


def share(flags: Iterable[bool]) -> float:
    """How many of these are so."""
    return round(fmean(flags), 4)


def mean(values: Sequence[int]) -> float:
    """The mean, with a decimal place."""
    return round(fmean(values), 1)


def spread(values: Sequence[int]) -> dict[str, float]:
    """The mean with the tenths at both ends."""
    if len(values) < 2:
        return dict.fromkeys(("p10", "mean", "p90"), float(sum(values)))
    tenths = quantiles(values, n=10, method="inclusive")
    return {"p10": tenths[0], "mean": mean(values), "p90": tenths[-1]}
