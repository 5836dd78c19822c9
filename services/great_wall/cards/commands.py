"""Command cards: the six of every clan, the neutral clan's one, and the automated general's six."""

from __future__ import annotations

from enum import StrEnum

from services.gamekit.game import Record
from services.great_wall.amounts import ALL, Counter, n, per
from services.great_wall.effects import (
    AdvancedActivation,
    Attack,
    Build,
    Choose,
    CopyCard,
    Donate,
    DrawTactics,
    Effects,
    Gain,
    MoveClerks,
    MoveTea,
    OverseerIncome,
    Reach,
    Recruit,
    Site,
    UpgradeOverseer,
)
from services.great_wall.goods import Resource, Soldier, Work, Zone


class Command(StrEnum):
    """The name of a command card."""

    DESPOTISM = "despotism"
    WORK_HARDER = "work_harder"
    ECONOMY = "economy"
    ATTACK_ORDER = "attack_order"
    BETRAYAL = "betrayal"
    RAISE_BANNERS = "raise_banners"
    REED_STIRRING = "reed_stirring"


class CommandCard(Record, frozen=True):
    """The owner's part above, everybody else's in the frame, the owner's part below."""

    top: Effects
    others: Effects
    bottom: Effects


def move(count: int, to: Reach = Reach.ANY) -> MoveClerks:
    """Up to `count` clerks are moved."""
    return MoveClerks(n(count), to)


TWO_APART = (move(2, Reach.DISTINCT),)
SHOOT_ALL = Attack(ALL, (Zone.FIRING,), (Soldier.ARCHER,), mandatory=True)
CLERK_OR_ATTACK = Choose(((move(1),), (Attack(n(2), (Zone.REST,)),)))

COMMANDS = {
    Command.DESPOTISM: CommandCard(
        top=(MoveClerks(per(Counter.TRACK_ECONOMY, times=2, plus=4)),),
        others=TWO_APART,
        bottom=(AdvancedActivation(n(1)),),
    ),
    Command.WORK_HARDER: CommandCard(
        top=(MoveClerks(ALL),),
        others=TWO_APART,
        bottom=(AdvancedActivation(per(Counter.TRACK_ATTACK_ORDER)),),
    ),
    Command.ECONOMY: CommandCard(
        top=(move(3),),
        others=TWO_APART,
        bottom=(UpgradeOverseer(n(1), discount=1), OverseerIncome(n(1))),
    ),
    Command.ATTACK_ORDER: CommandCard(
        top=(SHOOT_ALL,),
        others=(CLERK_OR_ATTACK,),
        bottom=(Attack(ALL, (Zone.REST,), mandatory=True),),
    ),
    Command.BETRAYAL: CommandCard(
        top=(Choose(((CopyCard(),), (move(2),))),),
        others=(move(1),),
        bottom=(),
    ),
    Command.RAISE_BANNERS: CommandCard(
        top=(move(2),),
        others=TWO_APART,
        bottom=(Choose(((Recruit(n(2), discount=1),), (Gain(wild=n(2)),), (DrawTactics(n(2)),))),),
    ),
}
"""The same six for every clan."""

REED_CARD = CommandCard(
    top=TWO_APART,
    others=(MoveClerks(per(Counter.HUMANS_ABOVE, plus=2), Reach.DISTINCT),),
    bottom=(Build(Work.BARRICADE, n(1), free=True),),
)
REED_SOLO_BOTTOM: Effects = (Build(Work.BARRICADE, n(2), free=True),)
"""The neutral clan builds more when a human is alone."""

LOWEST_TWO = (move(2, Reach.LOWEST_QIN),)
LOWEST_ONE = (move(1, Reach.LOWEST_QIN),)
FREE_BARRICADE = (Build(Work.BARRICADE, n(1), free=True, site=Site.INDICATED),)


def levy(soldier: Soldier, count: int) -> Recruit:
    """Soldiers recruited for nothing."""
    return Recruit(n(count), (soldier,), price=0)


SOLO = {
    Command.DESPOTISM: CommandCard(
        top=LOWEST_TWO,
        others=TWO_APART,
        bottom=(AdvancedActivation(n(1), lowest_qin=True),),
    ),
    Command.WORK_HARDER: CommandCard(
        top=LOWEST_TWO,
        others=TWO_APART,
        bottom=(Build(Work.WALL, n(1), site=Site.LOWEST_WALL),),
    ),
    Command.ECONOMY: CommandCard(top=LOWEST_TWO, others=TWO_APART, bottom=FREE_BARRICADE),
    Command.ATTACK_ORDER: CommandCard(
        top=(SHOOT_ALL,),
        others=(CLERK_OR_ATTACK,),
        bottom=(levy(Soldier.SPEARMAN, 2),),
    ),
    Command.BETRAYAL: CommandCard(top=LOWEST_ONE, others=(move(1),), bottom=FREE_BARRICADE),
    Command.RAISE_BANNERS: CommandCard(
        top=LOWEST_ONE,
        others=TWO_APART,
        bottom=(levy(Soldier.ARCHER, 1), levy(Soldier.SPEARMAN, 1)),
    ),
}
"""The automated general's card of each name."""

REED_VISIT: dict[str, Effects] = {
    "lumber_mill": (Donate(n(1), Resource.WOOD),),
    "quarry": (Donate(n(1), Resource.STONE),),
    "gold_mine": (Donate(n(1), Resource.GOLD),),
    "builders_encampment": (Build(Work.BARRICADE, n(1), free=True),),
    "barracks": (levy(Soldier.SPEARMAN, 1),),
    "tea_house": (MoveTea(1),),
}
"""What the neutral clan's clerk does at a location; the temple and the embassy have their own."""
