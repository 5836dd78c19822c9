"""How many: printed numbers, and numbers that are counted."""

from __future__ import annotations

from enum import StrEnum

from services.gamekit.game import Record


class Counter(StrEnum):
    """What an amount may count."""

    SUPPORT = "support"
    SUPPORT_PAIRS = "support_pairs"
    TRACK_ECONOMY = "track_economy"
    TRACK_ATTACK_ORDER = "track_attack_order"
    CLERKS_HERE = "clerks_here"
    HUMANS_ABOVE = "humans_above"
    EACH = "each"
    ARCHER_SECTIONS = "archer_sections"
    ARCHERS_ON_HIGHEST_WALLS = "archers_on_highest_walls"
    REST_SECTIONS = "rest_sections"
    OVERSEER_LEVELS = "overseer_levels"
    CLEAN_HORDES = "clean_hordes"
    ADVISORS = "advisors"
    ADVISORS_PLUS_HIRED_CLERKS = "advisors_plus_hired_clerks"
    RESOURCE_PAIRS = "resource_pairs"


class Amount(Record, frozen=True):
    """`plus` + `times` x the product of the counters, at most `most`."""

    plus: int = 0
    per: tuple[Counter, ...] = ()
    times: int = 1
    most: int | None = None


def n(count: int) -> Amount:
    """A printed number."""
    return Amount(plus=count)


def per(*counters: Counter, times: int = 1, plus: int = 0, most: int | None = None) -> Amount:
    """A counted number."""
    return Amount(plus, counters, times, most)


NONE = n(0)


ALL = n(99)
"""More than there ever is of anything."""
