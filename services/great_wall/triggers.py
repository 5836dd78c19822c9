"""When cards act: the 23 triggers, and filters on what triggered them."""

from __future__ import annotations

from enum import StrEnum

from services.gamekit.game import Record
from services.great_wall.goods import Location, Soldier, Work


class Trigger(StrEnum):
    """When an ability may be used or a tactic card played."""

    PASSIVE = "passive"
    INCOME = "income"
    ON_RECLAIM_HONOUR = "on_reclaim_honour"
    AFTER_COMMAND_STEP = "after_command_step"
    ON_FRAME_MOVE = "on_frame_move"
    ON_LOCATION_ACTIVATED = "on_location_activated"
    ON_GATHER = "on_gather"
    ON_DONATE = "on_donate"
    ON_OVERSEER_UPGRADE = "on_overseer_upgrade"
    ON_RECRUIT = "on_recruit"
    ON_ATTACK = "on_attack"
    ON_LAST_WOUND = "on_last_wound"
    ON_HORDE_DEFEATED = "on_horde_defeated"
    ON_YOU_DEFEAT = "on_you_defeat"
    ON_WOULD_KILL = "on_would_kill"
    ON_KILL = "on_kill"
    ON_BUILD = "on_build"
    ON_HIRE = "on_hire"
    ON_PLAY_TACTIC = "on_play_tactic"
    AFTER_ACTIVATION_STEP = "after_activation_step"
    WINTER_START = "winter_start"
    ASSAULT_START = "assault_start"
    GAME_END = "game_end"


class When(Record, frozen=True):
    """Filters on the event or the position; all that are set must hold."""

    location: Location | None = None
    special: bool = False
    min_clerks: int = 0
    type: Soldier | None = None
    on_card: tuple[Soldier, ...] = ()
    in_firing: bool = False
    what: Work | None = None
    horde_row: int = 0
    no_soldier_on_card: bool = False


ALWAYS = When()
