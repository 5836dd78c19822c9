"""The closed vocabulary of what cards do: the 24 primitives. See also `triggers`, `amounts`.

The names and their meaning are those of the house set; `resolve` carries them out, `text` words
them. Those that only change what is printed are in `passives`.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TypeAlias, Union

from services.gamekit.game import Record
from services.great_wall.amounts import NONE, Amount
from services.great_wall.goods import (
    NO_GOODS,
    RESOURCES,
    SOLDIERS,
    Goods,
    Location,
    Resource,
    Soldier,
    Work,
    Zone,
)
from services.great_wall.passives import Forbid, ModifyCost, ModifyValue
from services.great_wall.triggers import ALWAYS, Trigger, When


class Gain(Record, frozen=True):
    """Take resources and honour from the supply; `wild` units are picked among `kinds`."""

    goods: Goods = NO_GOODS
    honour: Amount = NONE
    wild: Amount = NONE
    kinds: tuple[Resource, ...] = RESOURCES
    different: bool = False


class Pay(Record, frozen=True):
    """Give up resources; otherwise the rest of the list is skipped."""

    goods: Goods


class Lose(Record, frozen=True):
    """Give up resources of one's own choice, as many as there are; never optional."""

    count: Amount


class Reach(StrEnum):
    """Where the clerks of one effect may go."""

    ANY = "any"
    DISTINCT = "distinct"
    LOWEST_QIN = "lowest_qin"


class MoveClerks(Record, frozen=True):
    """Move up to `count` own clerks, each once."""

    count: Amount
    to: Reach = Reach.ANY


class AdvancedActivation(Record, frozen=True):
    """Activate locations that hold a clerk, full or not, without the shame icon."""

    count: Amount
    lowest_qin: bool = False


class Recruit(Record, frozen=True):
    """Recruit up to `count` soldiers; `price` units of any kinds replace the cost where set."""

    count: Amount
    types: tuple[Soldier, ...] = SOLDIERS
    discount: int = 0
    price: int | None = None


class Attack(Record, frozen=True):
    """An attack step with own soldiers that stand in `zones`."""

    count: Amount
    zones: tuple[Zone, ...]
    types: tuple[Soldier, ...] = SOLDIERS
    per_section: int = 99
    mandatory: bool = False


class Where(StrEnum):
    """Which hordes take a wound."""

    ATTACKED = "attacked"
    EVENT_SECTION = "event_section"
    OWN_ARCHER_SECTION = "own_archer_section"


class Wound(Record, frozen=True):
    """Place up to `count` wounds on free spots."""

    count: Amount
    where: Where


class UpgradeOverseer(Record, frozen=True):
    """Place or upgrade up to `count` different overseers by a level."""

    count: Amount
    where: Location | None = None
    discount: int = 0


class OverseerIncome(Record, frozen=True):
    """Take the summer income of up to `count` own overseers."""

    count: Amount


class DrawTactics(Record, frozen=True):
    """Draw tactic cards, then discard down to the hand limit."""

    count: Amount


class DiscardShame(Record, frozen=True):
    """Return up to `count` own shame to the pool, free of charge."""

    count: Amount


class Site(StrEnum):
    """In which section something is built."""

    ANY = "any"
    LOWEST_WALL = "lowest_wall"
    INDICATED = "indicated"


class Build(Record, frozen=True):
    """Build up to `count` barricades or wall levels."""

    what: Work
    count: Amount
    free: bool = False
    site: Site = Site.ANY


class SaveSoldier(Record, frozen=True):
    """Save up to `count` of the own soldiers that die in this event, without paying."""

    count: Amount


class Hire(Record, frozen=True):
    """Hire up to `count` clerks or advisors."""

    what: Work
    count: Amount


class MoveSoldiers(Record, frozen=True):
    """Perform up to `count` logistics moves."""

    count: Amount


class Donate(Record, frozen=True):
    """Put up to `count` of a resource into the warehouse."""

    count: Amount
    of: Resource


class MoveTea(Record, frozen=True):
    """Move the own tea marker up by `steps`; 0: to the top."""

    steps: int


class Reclaim(Record, frozen=True):
    """Take up to `count` own discarded command cards back to hand."""

    count: Amount


class CopyCard(Record, frozen=True):
    """Resolve the owner parts of another player's command card on the track."""


class Choose(Record, frozen=True):
    """Pick exactly one of these lists of steps."""

    options: tuple[tuple[Effect, ...], ...]


Effect: TypeAlias = Union[  # noqa: UP007  # a lazy alias, it names itself through Choose
    Gain,
    Pay,
    Lose,
    MoveClerks,
    AdvancedActivation,
    Recruit,
    Attack,
    Wound,
    UpgradeOverseer,
    OverseerIncome,
    DrawTactics,
    DiscardShame,
    Build,
    SaveSoldier,
    Hire,
    MoveSoldiers,
    Donate,
    MoveTea,
    Reclaim,
    CopyCard,
    Choose,
    ModifyCost,
    ModifyValue,
    Forbid,
]
"""Every primitive."""

Effects: TypeAlias = tuple[Effect, ...]


class Ability(Record, frozen=True):
    """What a card does at its trigger; `must`: its owner may not decline."""

    trigger: Trigger
    do: Effects
    when: When = ALWAYS
    must: bool = False
