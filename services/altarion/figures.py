"""What many matches come to: length, endings, and how fair seats and nations are (chapter 15)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from statistics import median, quantiles
from typing import Any

from services.altarion.cards import Nation
from services.altarion.endgame import result
from services.altarion.state import Ending, State
from services.gamekit.game import Record, Seat


class Tale(Record, frozen=True):
    """What is kept of a finished match. Seats `won` together where they share first place."""

    rounds: int
    ending: Ending
    nations: tuple[Nation | None, ...]
    won: tuple[Seat, ...]


def tale(state: State) -> Tale:
    """What there is to keep of a match that is over."""
    ended = result(state)
    assert ended is not None
    assert state.ending is not None
    return Tale(
        state.round,
        state.ending,
        tuple(sheet.nation for sheet in state.sheets),
        tuple(place.seat for place in ended.places if place.place == 1),
    )


def figures(tales: Sequence[Tale]) -> dict[str, Any]:
    """Rounds, the share of each ending, and wins divided by the fair share, by seat and nation."""
    seats = fairness((str(seat), one, seat) for one, seat in each_seat(tales))
    nations = fairness(
        (nation.value, one, seat) for one, seat in each_seat(tales) if (nation := one.nations[seat])
    )
    return {
        "rounds": spread([tale.rounds for tale in tales]),
        "endings": shares(Counter(tale.ending.value for tale in tales), len(tales)),
        "seats_x_fair": seats,
        "nations_x_fair": nations,
        "worst_seat": max(seats.values(), default=0.0),
        "worst_nation": max(nations.values(), default=0.0),
    }


def each_seat(tales: Iterable[Tale]) -> Iterator[tuple[Tale, Seat]]:
    """Every seat of every match."""
    for one in tales:
        for seat in range(len(one.nations)):
            yield one, Seat(seat)


def fairness(entries: Iterable[tuple[str, Tale, Seat]]) -> dict[str, float]:
    """Wins divided by the fair share, which is one in as many as play; 1.0 is fair."""
    wins: dict[str, float] = defaultdict(float)
    fair: dict[str, float] = defaultdict(float)
    for name, one, seat in entries:
        wins[name] += (seat in one.won) / len(one.won)
        fair[name] += 1 / len(one.nations)
    return {name: round(wins[name] / fair[name], 3) for name in sorted(fair)}


def shares(counts: Counter[str], games: int) -> dict[str, float]:
    """The share of each ending; none is left out."""
    return {ending.value: round(counts[ending.value] / max(1, games), 4) for ending in Ending}


def spread(values: Sequence[int]) -> dict[str, float]:
    """The median with the tenths at both ends."""
    if len(values) < 2:
        return dict.fromkeys(("p10", "median", "p90"), float(sum(values)))
    tenths = quantiles(values, n=10, method="inclusive")
    return {"p10": tenths[0], "median": float(median(values)), "p90": tenths[-1]}
