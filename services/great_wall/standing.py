"""How a seat stands against the others, for bots that compare positions in which a turn is over.

`evaluate` says what to do next, and so makes much of what is under way: goods, clerks at work. What
these come to in the end is another question, asked of the parts of a seat's and its rivals'
prospects at the ends of turns by least squares, against the honour by which the seat was ahead in
the end, in some 900 matches of two greedy bots or bots that look ahead
(`tools/weigh_great_wall.py`). Goods came to a tenth there; but whoever makes nothing of them
gathers none. So the shares are about halfway between what matches came to and what `evaluate` has.

Who is first wins, so a seat stands by what it has more than the others, in the mean: with more than
two seats as well, though whatever is taken from one of them helps the others. Alone there is nobody
to compare with: there the prospects decide.
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
    coming=-2.5,
    stores=0.5,
    engine=0.8,
    work=0.6,
    cards=0.5,
    intended=0.5,
    promised=1.2,
    garrison=0.9,
    above=-0.5,
    claimed=1.2,
    treasures=0.7,
    conquests=1.5,
)
"""Honour in the end for each of a part."""


def standing(state: State, seat: Seat) -> float:
    """By how much honour a seat will probably be ahead of the mean of the others; its prospects,
    where there are none."""
    if state.seats == 1:
        return evaluate(state, seat)
    had = [reckoning(state, one) for one in range(state.seats)]
    mine = had.pop(seat)
    return mine - fmean(had)


def reckoning(state: State, seat: int) -> float:
    """The honour that a seat will probably have, but for what all have alike."""
    if state.phase is Phase.OVER:
        return sheet(state, Seat(seat)).total
    return fsum(map(mul, SHARES, parts(state, seat, WEIGHTS[state.seats])))
