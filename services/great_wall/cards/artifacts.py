"""The five artifacts, three of which are in play; they score at the end."""

from __future__ import annotations

from enum import StrEnum

from services.great_wall.amounts import Amount, Counter, per
from services.great_wall.effects import Ability, Gain
from services.great_wall.triggers import Trigger


class Artifact(StrEnum):
    """An artifact."""

    HOU_YI_BOW = "hou_yi_bow"
    JADE_SEAL = "jade_seal"
    BRONZE_TRIPOD = "bronze_tripod"
    ROLL_OF_OFFICIALS = "roll_of_officials"
    SEALED_GRANARY = "sealed_granary"


ARTIFACTS: dict[Artifact, Amount] = {
    Artifact.HOU_YI_BOW: per(Counter.ARCHERS_ON_HIGHEST_WALLS, times=4),
    Artifact.JADE_SEAL: per(Counter.OVERSEER_LEVELS, most=12),
    Artifact.BRONZE_TRIPOD: per(Counter.CLEAN_HORDES, times=2, most=16),
    Artifact.ROLL_OF_OFFICIALS: per(Counter.ADVISORS_PLUS_HIRED_CLERKS, times=2, most=20),
    Artifact.SEALED_GRANARY: per(Counter.RESOURCE_PAIRS, most=15),
}

SECRET = (Artifact.SEALED_GRANARY,)
"""What counts hidden resources is shown only at the end."""

ABILITIES = {
    artifact: Ability(Trigger.GAME_END, (Gain(honour=amount),))
    for artifact, amount in ARTIFACTS.items()
}
