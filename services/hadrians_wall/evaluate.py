"""How well a seat stands, for bots: the points that it will probably have at the end."""

from __future__ import annotations

from typing import NamedTuple

from services.gamekit.game import Seat
from services.hadrians_wall.cards import FACES, PlayerCard
from services.hadrians_wall.endgame import COUNTS, DISDAIN_LOSS, path_points
from services.hadrians_wall.outlook import loss, to_come
from services.hadrians_wall.rules.attack import outcome
from services.hadrians_wall.state import Phase, Sheet, State
from services.hadrians_wall.tracks import BATHS, BATHS_PER_YEAR, YEARS


class Weights(NamedTuple):
    """Points that things are worth: a good in hand; a circle or level of what pays every year, for
    each year that it still pays; a box or building, for each year that it can still be used in.

    Found by playing alone with weights at random and fitting the final scores.
    """

    soldier: float = 0.65
    builder: float = 0.7
    servant: float = 0.67
    civilian: float = 1.07
    resource: float = 0.84
    production: float = 0.45
    hotel: float = 0.9
    workshop: float = 0.6
    road: float = 1.1
    theatre: float = 0.4
    courthouse: float = 0.2
    ludus: float = 0.4
    medium_granary: float = 1.8
    large_granary: float = 1.1
    fort: float = 0.28
    wall: float = 0.28
    guard: float = 0.3
    mining: float = 0.16
    citizens: float = 0.04
    market: float = 0.5
    gladiators: float = 0.1
    temples: float = 0.3
    paths: float = 0.6
    valour: float = 1.1


WEIGHTS = Weights()

WORST = len(DISDAIN_LOSS) - 1
BEYOND = 0.5
"""Disdain above the worst step costs nothing at the end; before it, it is further from better."""


def evaluate(state: State, seat: Seat) -> float:
    """The points that a seat will probably have, its own paths included."""
    return appraise(state, state.sheets[seat], WEIGHTS)


def appraise(state: State, sheet: Sheet, w: Weights) -> float:
    """The points of a sheet under some weights."""
    marked = float(sheet.renown + sheet.piety + sheet.valour + sheet.discipline)
    if state.phase is Phase.OVER:
        paths = sum(path_points(card, sheet) for card in sheet.path)
        return marked + paths - loss(sheet.disdain)
    years = YEARS - state.year
    incomes = years + (sheet.choice is not None or bool(sheet.hand))
    return (
        marked
        + attacked(state, sheet, w)
        + on_the_way(sheet, years, w)
        + in_hand(sheet, w)
        + incomes * yearly(sheet, w)
        + years * lasting(sheet, w)
    )


def attacked(state: State, sheet: Sheet, w: Weights) -> float:
    """What the attacks to come and the disdain of those before will cost and bring."""
    year, disdain, valour = state.year, 0.0, 0.0
    if state.phase is Phase.FAVOURS:
        disdain, valour = outcome(year, sum(sheet.through))
        year += 1
    more, brave = to_come(state, sheet, year)
    disdain += sheet.disdain + more
    if sheet.baths:
        free = sum(1 for pool, year in zip(BATHS, sheet.pools, strict=True)
                   if not year and sheet.apparitores >= pool.level)  # fmt: skip
        disdain = max(more / 2, disdain - 0.7 * min(free, BATHS_PER_YEAR * (YEARS - state.year)))
    return w.valour * (valour + brave) - loss(disdain) - BEYOND * max(0.0, disdain - WORST)


def on_the_way(sheet: Sheet, years: int, w: Weights) -> float:
    """What the seat's paths are worth, and what is under way to their next steps."""
    value = 0.0
    for card in sheet.path:
        if card is PlayerCard.ARISTOCRAT:
            value += max(0.0, 1.5 - sheet.disdain / 3)
            continue
        count, steps = COUNTS[card](sheet), FACES[card].steps
        below = 0
        for step in steps:
            if count >= step:
                value += 1
                below = step
            else:
                value += w.paths * years / YEARS * (count - below) / (step - below)
                break
    return value


def in_hand(sheet: Sheet, w: Weights) -> float:
    """What may still be made of the goods in hand."""
    if sheet.passed:
        return 0.0
    return (
        w.soldier * sheet.soldier
        + w.builder * sheet.builder
        + w.servant * sheet.servant
        + w.civilian * sheet.civilian
        + w.resource * sheet.resource
    )


def yearly(sheet: Sheet, w: Weights) -> float:
    """What comes in every year."""
    return (
        w.production * sheet.production
        + w.hotel * sheet.hotel
        + w.workshop * sheet.workshop
        + w.road * sheet.road
    )


def lasting(sheet: Sheet, w: Weights) -> float:
    """What each year to come can be made of what is built and begun."""
    citizens = (
        sheet.traders + sheet.performers + sheet.priests + sheet.apparitores + sheet.patricians
    )
    value = (
        w.fort * sheet.fort
        + w.wall * sheet.wall
        + w.guard * sheet.guard
        + w.mining * sheet.mining
        + (w.medium_granary if sheet.granary else 0.0)
        + (w.large_granary if sheet.granary > 1 else 0.0)
        + w.citizens * citizens
        + w.temples * sheet.temples
    )
    if sheet.theatre:
        value += w.theatre
    if sheet.courthouse:
        value += w.courthouse
    if sheet.market:
        value += w.market
    if sheet.ludus:
        value += w.ludus + w.gladiators * (
            sheet.red - sheet.red_wounds + sheet.blue - sheet.blue_wounds
        )
    return value
