"""What a filled box gives: a closed set of effects, each a small value.

`resolve.py` carries them out.
"""

from __future__ import annotations

from enum import StrEnum

from services.gamekit.game import Record, snake
from services.hadrians_wall.goods import Attribute, Citizen, Good


class Choice(StrEnum):
    """A follow-up that a seat still has to decide: an entry of its agenda, and a prompt."""

    COHORT = "cohort"
    SMALL_ROAD = "small_road"
    LARGE_ROAD = "large_road"
    ROAD_INCOME = "road_income"


class Take(Record, frozen=True, tag_field="kind", tag=snake):
    """Take a worker or resource from the supply."""

    good: Good


class Mark(Record, frozen=True, tag_field="kind", tag=snake):
    """Mark the next box of an attribute."""

    attribute: Attribute


class Join(Record, frozen=True, tag_field="kind", tag=snake):
    """A citizen joins: fill the next box of a track without paying."""

    citizen: Citizen


class Produce(Record, frozen=True, tag_field="kind", tag=snake):
    """The hammer: fill the next circle of Resource Production."""


class Guard(Record, frozen=True, tag_field="kind", tag=snake):
    """The sword: fill the next box of the Wall Guard without paying."""


class Favour(Record, frozen=True, tag_field="kind", tag=snake):
    """A temple's favour: it may later cancel any one card of an attack."""


class Choose(Record, frozen=True, tag_field="kind", tag=snake):
    """Something to decide at once."""

    choice: Choice


Effect = Take | Mark | Join | Produce | Guard | Favour | Choose

SOLDIER = Take(Good.SOLDIER)
BUILDER = Take(Good.BUILDER)
SERVANT = Take(Good.SERVANT)
CIVILIAN = Take(Good.CIVILIAN)
RESOURCE = Take(Good.RESOURCE)

RENOWN = Mark(Attribute.RENOWN)
PIETY = Mark(Attribute.PIETY)
VALOUR = Mark(Attribute.VALOUR)
DISCIPLINE = Mark(Attribute.DISCIPLINE)

TRADER = Join(Citizen.TRADERS)
PERFORMER = Join(Citizen.PERFORMERS)
PRIEST = Join(Citizen.PRIESTS)
APPARITOR = Join(Citizen.APPARITORES)
PATRICIAN = Join(Citizen.PATRICIANS)

COHORT = Choose(Choice.COHORT)
PIETY_OR_DISCIPLINE = Choose(Choice.SMALL_ROAD)
RENOWN_OR_VALOUR = Choose(Choice.LARGE_ROAD)

PRODUCTION = Produce()
SWORD = Guard()
FAVOUR = Favour()
