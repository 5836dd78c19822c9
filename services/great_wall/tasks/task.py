"""What a task is, and what triggers are about."""

from __future__ import annotations

from enum import StrEnum

from services.gamekit.game import Record, snake
from services.great_wall.cards.hordes import HordeCard
from services.great_wall.goods import Location, Section, Soldier, Work


class Phase(StrEnum):
    """The seasons, and what is before and after them."""

    SETUP = "setup"
    SPRING = "spring"
    SUMMER = "summer"
    FALL = "fall"
    WINTER = "winter"
    OVER = "over"


class Event(Record, frozen=True, array_like=True):
    """What a trigger is about: all that filters and amounts may ask."""

    location: Location | None = None
    types: tuple[Soldier, ...] = ()
    sections: tuple[Section, ...] = ()
    hordes: tuple[HordeCard, ...] = ()
    each: int = 0
    what: Work | None = None


NOTHING = Event()


class Task(Record, frozen=True, array_like=True, tag=snake):
    """Something left to do."""
