"""The 20 tactic cards, one of each."""

from __future__ import annotations

from enum import StrEnum

from services.gamekit.game import Record
from services.great_wall.amounts import ALL, Counter, n, per
from services.great_wall.effects import (
    AdvancedActivation,
    Attack,
    Build,
    DiscardShame,
    Effect,
    Effects,
    Gain,
    MoveClerks,
    MoveSoldiers,
    MoveTea,
    Reclaim,
    Recruit,
    SaveSoldier,
    UpgradeOverseer,
    Where,
    Wound,
)
from services.great_wall.goods import SOLDIERS, Goods, Soldier, Work, Zone
from services.great_wall.triggers import ALWAYS, Trigger, When

EACH = Counter.EACH


class Tactic(StrEnum):
    """A tactic card."""

    HEROIC_FIGHT = "heroic_fight"
    ROB_THE_DEAD = "rob_the_dead"
    WITHDRAWAL = "withdrawal"
    RESTLESS = "restless"
    FORCED_MARCH = "forced_march"
    NIGHT_SHIFT = "night_shift"
    IMPERIAL_DISPATCH = "imperial_dispatch"
    EMERGENCY_LEVY = "emergency_levy"
    STAKES_AND_PITS = "stakes_and_pits"
    TRIBUTE_TEA = "tribute_tea"
    VOLLEY = "volley"
    LOCKED_SHIELDS = "locked_shields"
    FLANK_RIDE = "flank_ride"
    TROPHY_BANNERS = "trophy_banners"
    RANSOM = "ransom"
    SHARED_HONOURS = "shared_honours"
    LAST_VOW = "last_vow"
    STRETCHER_BEARERS = "stretcher_bearers"
    COVERING_FIRE = "covering_fire"
    RALLY_POINT = "rally_point"


class TacticCard(Record, frozen=True):
    """The basic effect, or the boosted one once `boost` chi is paid."""

    window: Trigger
    basic: Effects
    boost: int
    boosted: Effects
    when: When = ALWAYS


def card(
    window: Trigger,
    basic: Effect | Effects,
    boost: int,
    boosted: Effect | Effects,
    when: When = ALWAYS,
) -> TacticCard:
    """One card; a lone effect needs no brackets."""
    return TacticCard(
        window,
        basic if isinstance(basic, tuple) else (basic,),
        boost,
        boosted if isinstance(boosted, tuple) else (boosted,),
        when,
    )


def honour(count: int) -> Gain:
    """Some honour."""
    return Gain(honour=n(count))


def wild(count: int) -> Gain:
    """Resources of choice."""
    return Gain(wild=n(count))


def wounds(count: int, where: Where) -> Wound:
    """Some wounds."""
    return Wound(n(count), where)


AFTER_COMMAND, ON_ATTACK = Trigger.AFTER_COMMAND_STEP, Trigger.ON_ATTACK
ATTACKED, EVENT_SECTION = Where.ATTACKED, Where.EVENT_SECTION
TWO_CLERKS = MoveClerks(n(2))

TACTICS = {
    Tactic.HEROIC_FIGHT: card(
        Trigger.ON_HORDE_DEFEATED,
        honour(4),
        2,
        honour(8),
        When(on_card=(Soldier.SPEARMAN,), in_firing=True),
    ),
    Tactic.ROB_THE_DEAD: card(Trigger.ON_LAST_WOUND, Gain(Goods(gold=2)), 2, Gain(Goods(gold=5))),
    Tactic.WITHDRAWAL: card(Trigger.ON_WOULD_KILL, SaveSoldier(n(1)), 2, SaveSoldier(ALL)),
    Tactic.RESTLESS: card(
        AFTER_COMMAND, UpgradeOverseer(n(1), discount=1), 2, UpgradeOverseer(n(2), discount=1)
    ),
    Tactic.FORCED_MARCH: card(
        AFTER_COMMAND,
        MoveSoldiers(n(1)),
        2,
        (MoveSoldiers(n(1)), Attack(n(3), (Zone.REST,))),
    ),
    Tactic.NIGHT_SHIFT: card(AFTER_COMMAND, TWO_CLERKS, 2, (TWO_CLERKS, AdvancedActivation(n(1)))),
    Tactic.IMPERIAL_DISPATCH: card(AFTER_COMMAND, wild(2), 1, (wild(2), Reclaim(n(1)))),
    Tactic.EMERGENCY_LEVY: card(
        AFTER_COMMAND, Recruit(n(1), discount=1), 1, Recruit(n(2), discount=1)
    ),
    Tactic.STAKES_AND_PITS: card(
        AFTER_COMMAND,
        Build(Work.BARRICADE, n(1), free=True),
        2,
        Build(Work.BARRICADE, n(2), free=True),
    ),
    Tactic.TRIBUTE_TEA: card(AFTER_COMMAND, (MoveTea(1), honour(1)), 1, (MoveTea(0), honour(3))),
    Tactic.VOLLEY: card(
        ON_ATTACK,
        wounds(1, EVENT_SECTION),
        2,
        wounds(3, EVENT_SECTION),
        When(type=Soldier.ARCHER),
    ),
    Tactic.LOCKED_SHIELDS: card(
        ON_ATTACK,
        honour(2),
        2,
        (honour(2), wounds(2, ATTACKED)),
        When(type=Soldier.SPEARMAN),
    ),
    Tactic.FLANK_RIDE: card(
        ON_ATTACK, wild(2), 1, (wild(2), wounds(2, ATTACKED)), When(type=Soldier.HORSEMAN)
    ),
    Tactic.TROPHY_BANNERS: card(Trigger.ON_YOU_DEFEAT, honour(2), 2, honour(5)),
    Tactic.RANSOM: card(Trigger.ON_YOU_DEFEAT, wild(3), 1, wild(5)),
    Tactic.SHARED_HONOURS: card(
        Trigger.ON_HORDE_DEFEATED,
        honour(2),
        1,
        (honour(2), DiscardShame(n(2))),
        When(on_card=SOLDIERS),
    ),
    Tactic.LAST_VOW: card(
        Trigger.ON_KILL,
        Gain(honour=per(EACH, times=2)),
        2,
        Gain(honour=per(EACH, times=4)),
    ),
    Tactic.STRETCHER_BEARERS: card(Trigger.ON_WOULD_KILL, SaveSoldier(n(1)), 1, SaveSoldier(n(2))),
    Tactic.COVERING_FIRE: card(
        Trigger.ON_RECRUIT,
        wounds(1, EVENT_SECTION),
        1,
        wounds(2, EVENT_SECTION),
        When(in_firing=True),
    ),
    Tactic.RALLY_POINT: card(
        Trigger.ON_RECRUIT,
        wild(1),
        2,
        Recruit(n(1), (Soldier.SPEARMAN,), price=0),
        When(type=Soldier.SPEARMAN),
    ),
}

IN_WINDOW: dict[Trigger, tuple[Tactic, ...]] = {
    window: tuple(tactic for tactic, one in TACTICS.items() if one.window is window)
    for window in {one.window for one in TACTICS.values()}
}
"""The cards of each window."""

HAND_LIMIT = 5
