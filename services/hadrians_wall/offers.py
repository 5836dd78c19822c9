"""What an offer of the sheets says, and the names of their areas."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from services.gamekit.game import Action, IllegalAction, Record, Seat
from services.hadrians_wall.buildings import Building
from services.hadrians_wall.effects import Effect
from services.hadrians_wall.goods import Price
from services.hadrians_wall.state import State


class Area(StrEnum):
    """An area of the two sheets."""

    COHORT_LEFT = "cohort_left"
    COHORT_CENTRE = "cohort_centre"
    COHORT_RIGHT = "cohort_right"
    MINING = "mining"
    GUARD = "guard"
    CIPPI = "cippi"
    WALL = "wall"
    FORT = "fort"
    GRANARY = "granary"
    PRODUCTION = "production"
    TRAINING = "training"
    HOTEL = "hotel"
    WORKSHOP = "workshop"
    ROAD = "road"
    FORUM = "forum"
    ARCHWAY = "archway"
    MONOLITH = "monolith"
    COLUMN = "column"
    STATUE = "statue"
    RENOWN = "renown"
    PIETY = "piety"
    VALOUR = "valour"
    DISCIPLINE = "discipline"
    TRADERS = "traders"
    PERFORMERS = "performers"
    PRIESTS = "priests"
    APPARITORES = "apparitores"
    PATRICIANS = "patricians"
    PRECINCT = "precinct"
    MARKET = "market"
    THEATRE = "theatre"
    LUDUS = "ludus"
    RED = "red"
    BLUE = "blue"
    RED_BATTLES = "red_battles"
    BLUE_BATTLES = "blue_battles"
    GARDENS = "gardens"
    TEMPLES = "temples"
    BATHS = "baths"
    COURTHOUSE = "courthouse"
    DIPLOMATS = "diplomats"
    SCOUTS = "scouts"


class Deal(Record, frozen=True):
    """A price and what it buys at once."""

    price: Price
    gain: tuple[Effect, ...]


class Need(Record, frozen=True):
    """A level that a track of the sheet must have reached."""

    track: Area
    level: int


class Offer(Record, frozen=True):
    """The next box of an area, or one of several that are free.

    `deals` are alternatives; of a battle they are life and death. `refused` is the code that a
    move there would be refused with now, or "". Boxes `by_icon` alone cannot be paid for.
    """

    area: Area
    box: int
    deals: tuple[Deal, ...]
    needs: tuple[Need, ...] = ()
    refused: str = ""
    building: Building | None = None
    by_icon: bool = False


def refusal(state: State, seat: Seat, actions: Iterable[Action[State]]) -> str:
    """Why none of these moves is allowed: the first one's code; "" when one is."""
    code = ""
    for action in actions:
        try:
            action.check(state, seat)
        except IllegalAction as refused:
            code = code or refused.code
        else:
            return ""
    return code
