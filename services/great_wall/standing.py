"""How a seat stands against the others, for bots that compare positions in which a turn is over.

`evaluate` says what to do next, and so makes much of what is under way: goods, clerks at work. What
these come to in the end is another question. The shares answer it: of the parts of a seat's and its
rivals' prospects at the ends of turns, by least squares against the honour by which the seat was
ahead in the end, in some 900 matches of two, greedy bots and bots that look ahead
(`tools/weigh_great_wall.py`).
"""

from __future__ import annotations

from math import fsum
from operator import mul
from statistics import fmean

from services.gamekit.game import Seat
from services.great_wall.endgame import sheet
from services.great_wall.evaluate import Parts, evaluate, parts
from services.great_wall.state import State
from services.great_wall.tasks.task import Phase
from services.great_wall.weights import WEIGHTS

SHARES = Parts(
    honour=1.0,
    frozen=-5.0,
    coming=-0.5,
    stores=0.1,
    engine=0.6,
    work=0.2,
    cards=0.0,
    intended=0.0,
    promised=1.5,
    garrison=0.8,
    above=-0.05,
    claimed=1.35,
    treasures=0.4,
    conquests=1.9,
)
"""Honour in the end for each of a part."""


def standing(state: State, seat: Seat) -> float:
    """By how much honour a seat will probably be ahead of its rivals' mean; alone, its
    prospects."""
    if state.seats == 1:
        return evaluate(state, seat)
    reckoned = [reckoning(state, one) for one in range(state.seats)]
    own = reckoned.pop(seat)
    return own - fmean(reckoned)


def reckoning(state: State, seat: int) -> float:
    """The honour that a seat will probably have, but for what all have alike."""
    if state.phase is Phase.OVER:
        return sheet(state, Seat(seat)).total
    return fsum(map(mul, SHARES, parts(state, seat, WEIGHTS[state.seats])))
