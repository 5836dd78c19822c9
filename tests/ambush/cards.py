"""What lies on the table of Ambush: towers, goods, cards and the horde."""

from __future__ import annotations

from enum import StrEnum

from services.gamekit.bag import Bag


class Tower(StrEnum):
    """One of the three towers of a camp."""

    NORTH = "north"
    GATE = "gate"
    SOUTH = "south"


class Card(StrEnum):
    """A card of the hand: ordered face down, or given as a reply."""

    RAID = "raid"
    FEINT = "feint"
    SHIELD = "shield"
    SCOUT = "scout"


class Reply(StrEnum):
    """What a seat does about an attack."""

    PASS = "pass"
    SHIELD = "shield"
    AMBUSH = "ambush"


class Back(StrEnum):
    """The back of a horde card: all that is known of the next one."""

    WOLF = "wolf"
    BEAR = "bear"


class Face(StrEnum):
    """A horde card."""

    PACK = "pack"
    RIDERS = "riders"
    HUNTERS = "hunters"
    RAM = "ram"
    GIANT = "giant"


class Goods(Bag, frozen=True):
    """What a camp owns in the open."""

    coins: int = 0
    renown: int = 0


class Garrison(Bag, frozen=True):
    """The guards of each tower."""

    north: int = 0
    gate: int = 0
    south: int = 0

    def at(self, tower: Tower) -> int:
        """The guards of one tower."""
        return int(getattr(self, tower))


def guard_of(tower: Tower) -> Garrison:
    """One guard on `tower`."""
    return Garrison(**{tower: 1})


ATTACKS = (Card.RAID, Card.FEINT)
"""Cards that are ordered against somebody."""

PRIORITY = (Card.SHIELD, Card.SCOUT, Card.FEINT, Card.RAID)
"""Revealed orders are carried out card by card in this order, seat by seat."""

NEEDS = {Reply.SHIELD: Card.SHIELD, Reply.AMBUSH: Card.FEINT}
"""The card that a reply takes from the hand."""

DECK = {Card.RAID: 2, Card.FEINT: 1, Card.SHIELD: 2, Card.SCOUT: 1}
"""Cards in the deck for each seat."""

HORDE = {
    Face.PACK: (Back.WOLF, 1),
    Face.RIDERS: (Back.WOLF, 3),
    Face.HUNTERS: (Back.WOLF, 2),
    Face.RAM: (Back.BEAR, 4),
    Face.GIANT: (Back.BEAR, 5),
}
"""Each horde card: its back and its strength. One is placed a round."""

TROPHY = {Card.RAID: 2, Card.FEINT: 1, Card.SHIELD: 1, Card.SCOUT: 0}
"""What a stolen card is worth at the end."""

HAND = 4
"""Hands are filled up to this at the start of a round."""

TALLEST = 3
"""Guards that fit on a tower."""
