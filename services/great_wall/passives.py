"""The passive primitives: while they hold, a cost or a printed number is another."""

from __future__ import annotations

from enum import StrEnum

from services.gamekit.game import Record
from services.great_wall.amounts import NONE, Amount
from services.great_wall.goods import Resource, Soldier


class Cost(StrEnum):
    """What costs something."""

    WALL = "wall"
    BARRICADE = "barricade"
    SPEARMAN = "spearman"
    ARCHER = "archer"
    HORSEMAN = "horseman"
    SAVE = "save"
    ADVISOR = "advisor"


class ModifyCost(Record, frozen=True):
    """Passive: the cost of `what` changes by `by`; no resource: any of the payer's choice."""

    what: Cost
    by: int
    of: Resource | None = None


class Printed(StrEnum):
    """A printed number that a passive ability changes."""

    SECTION_DEFENCE = "section_defence"
    BARRICADE_DEFENCE_IN_SECTION = "barricade_defence_in_section"
    OWN_POWER = "own_power"
    OWN_LETHALITY = "own_lethality"
    POWER_OF_OTHER_HORDES_IN_SECTION = "power_of_other_hordes_in_section"
    CLERKS_PER_OWN_OVERSEER = "clerks_per_own_overseer_in_activating_location"


class Change(StrEnum):
    """How a printed number changes."""

    SET = "set"
    ADD = "add"
    HALVE_DOWN = "halve_down"


class ModifyValue(Record, frozen=True):
    """Passive: a printed number changes."""

    what: Printed
    op: Change
    by: Amount = NONE


class Forbid(Record, frozen=True):
    """Passive: this type of soldier may not cover spots of the upper row."""

    type: Soldier
