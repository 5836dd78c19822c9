"""The six minerals on their wheel, and stocks of them (2.3)."""

from __future__ import annotations

from enum import StrEnum

from msgspec.structs import replace

from services.gamekit.bag import Bag


class Mineral(StrEnum):
    """A mineral, in wheel order."""

    CINDRITE = "cindrite"
    AURELIN = "aurelin"
    VERDANE = "verdane"
    LAZSPAR = "lazspar"
    UMBRINE = "umbrine"
    PALEGLASS = "paleglass"


WHEEL = tuple(Mineral)
"""After the last one the wheel goes on with the first; position + 1 is the face of a die."""


class Stock(Bag, frozen=True, array_like=True):
    """Pieces of each mineral."""

    cindrite: int = 0
    aurelin: int = 0
    verdane: int = 0
    lazspar: int = 0
    umbrine: int = 0
    paleglass: int = 0

    def of(self, mineral: Mineral) -> int:
        """The pieces of one mineral."""
        return int(getattr(self, mineral))

    def plus(self, mineral: Mineral, count: int = 1) -> Stock:
        """With `count` more of one mineral, or fewer where it is negative."""
        return replace(self, **{mineral: getattr(self, mineral) + count})

    def kinds(self) -> tuple[Mineral, ...]:
        """The minerals that are here, in wheel order."""
        return tuple(mineral for mineral in WHEEL if getattr(self, mineral))


NOTHING = Stock()


def each(count: int) -> Stock:
    """`count` of every mineral."""
    return Stock(*[count] * len(WHEEL))


def rolled(face: int) -> Mineral:
    """The mineral that a die shows (2.3)."""
    return WHEEL[face - 1]
