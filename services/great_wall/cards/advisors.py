"""The 44 advisors. Only an active advisor has its ability; a supporting one counts as `support`."""

from __future__ import annotations

from enum import StrEnum

from services.great_wall.amounts import ALL, Counter, n, per
from services.great_wall.effects import (
    Ability,
    Attack,
    DiscardShame,
    DrawTactics,
    Effect,
    Gain,
    MoveClerks,
    MoveTea,
    OverseerIncome,
    Pay,
    Recruit,
    SaveSoldier,
    UpgradeOverseer,
    Where,
    Wound,
)
from services.great_wall.goods import Goods, Location, Resource, Soldier, Work, Zone
from services.great_wall.passives import Cost, ModifyCost
from services.great_wall.triggers import ALWAYS, Trigger, When

EACH = Counter.EACH


class Advisor(StrEnum):
    """An advisor."""

    TASKMASTER = "taskmaster"
    WARDEN = "warden"
    MANUFACTURER = "manufacturer"
    ALCHEMIST = "alchemist"
    SPIRITUAL_LEADER = "spiritual_leader"
    STONE_MASON = "stone_mason"
    JINSHI = "jinshi"
    SMUGGLER = "smuggler"
    HERALD = "herald"
    SURVIVALIST = "survivalist"
    TACTICIAN_MONK = "tactician_monk"
    GLORY_STEALER = "glory_stealer"
    FOREST_GUIDE = "forest_guide"
    MASTER_MERCHANT = "master_merchant"
    GRAVEDIGGER = "gravedigger"
    ARCHER_COMMANDER = "archer_commander"
    TOLL_COLLECTOR = "toll_collector"
    TIMBER_STEWARD = "timber_steward"
    QUARRY_FOREMAN = "quarry_foreman"
    INCENSE_KEEPER = "incense_keeper"
    RAFT_CAPTAIN = "raft_captain"
    KILN_MASTER = "kiln_master"
    MINT_WARDEN = "mint_warden"
    BELL_RINGER = "bell_ringer"
    CHARITY_STEWARD = "charity_steward"
    MASTER_CARPENTER = "master_carpenter"
    DITCH_CAPTAIN = "ditch_captain"
    GATE_CAPTAIN = "gate_captain"
    FLETCHER = "fletcher"
    STABLE_MASTER = "stable_master"
    DRILL_SERGEANT = "drill_sergeant"
    FIELD_SURGEON = "field_surgeon"
    FIRE_LANCE_SERGEANT = "fire_lance_sergeant"
    NIGHT_WATCH = "night_watch"
    SPOILS_OFFICER = "spoils_officer"
    CHRONICLER = "chronicler"
    COURT_ENVOY = "court_envoy"
    EXAMINER = "examiner"
    TEA_MERCHANT = "tea_merchant"
    MAGISTRATE = "magistrate"
    QUARTERMASTER = "quartermaster"
    STRATEGIST = "strategist"
    RECRUITING_OFFICER = "recruiting_officer"
    VETERAN_RUNNER = "veteran_runner"


def on(trigger: Trigger, *do: Effect, when: When = ALWAYS) -> Ability:
    """An ability that its owner may use."""
    return Ability(trigger, do, when)


def cheaper(what: Cost, by: int, of: Resource | None = None) -> Ability:
    """A cost that is lower as long as the card is active."""
    return Ability(Trigger.PASSIVE, (ModifyCost(what, -by, of),), must=True)


def second(where: Location) -> Ability:
    """An upgrade that follows another one."""
    return on(Trigger.ON_OVERSEER_UPGRADE, UpgradeOverseer(n(1), where, discount=2))


def richer(where: Location, goods: Goods) -> Ability:
    """A better harvest at one location."""
    return on(Trigger.ON_GATHER, Gain(goods), when=When(location=where))


def honour(count: int) -> Gain:
    """Some honour."""
    return Gain(honour=n(count))


ADVISORS = {
    Advisor.TASKMASTER: on(Trigger.AFTER_ACTIVATION_STEP, OverseerIncome(n(1))),
    Advisor.WARDEN: on(
        Trigger.AFTER_ACTIVATION_STEP, Attack(ALL, (Zone.REST, Zone.FIRING), per_section=1)
    ),
    Advisor.MANUFACTURER: second(Location.LUMBER_MILL),
    Advisor.ALCHEMIST: second(Location.GOLD_MINE),
    Advisor.SPIRITUAL_LEADER: second(Location.TEMPLE),
    Advisor.STONE_MASON: second(Location.QUARRY),
    Advisor.JINSHI: on(Trigger.AFTER_COMMAND_STEP, MoveClerks(n(1))),
    Advisor.SMUGGLER: on(Trigger.ON_FRAME_MOVE, MoveClerks(n(1))),
    Advisor.HERALD: cheaper(Cost.SPEARMAN, 1, Resource.STONE),
    Advisor.SURVIVALIST: on(Trigger.ON_WOULD_KILL, SaveSoldier(n(1))),
    Advisor.TACTICIAN_MONK: on(Trigger.ON_LAST_WOUND, DrawTactics(per(EACH, times=2))),
    Advisor.GLORY_STEALER: on(Trigger.ON_LAST_WOUND, DiscardShame(per(EACH))),
    Advisor.FOREST_GUIDE: on(Trigger.ON_PLAY_TACTIC, DiscardShame(n(1))),
    Advisor.MASTER_MERCHANT: on(
        Trigger.AFTER_ACTIVATION_STEP,
        Pay(Goods(gold=1)),
        Gain(wild=n(3), kinds=(Resource.WOOD, Resource.STONE, Resource.CHI)),
    ),
    Advisor.GRAVEDIGGER: on(Trigger.ON_KILL, Gain(honour=per(EACH, times=2))),
    Advisor.ARCHER_COMMANDER: on(
        Trigger.AFTER_COMMAND_STEP, Attack(ALL, (Zone.FIRING,), (Soldier.ARCHER,))
    ),
    Advisor.TOLL_COLLECTOR: on(Trigger.INCOME, Gain(Goods(gold=2))),
    Advisor.TIMBER_STEWARD: on(Trigger.INCOME, Gain(Goods(wood=2))),
    Advisor.QUARRY_FOREMAN: on(Trigger.INCOME, Gain(Goods(stone=2))),
    Advisor.INCENSE_KEEPER: on(Trigger.INCOME, Gain(Goods(chi=1), n(1))),
    Advisor.RAFT_CAPTAIN: richer(Location.LUMBER_MILL, Goods(wood=1)),
    Advisor.KILN_MASTER: richer(Location.QUARRY, Goods(stone=1)),
    Advisor.MINT_WARDEN: richer(Location.GOLD_MINE, Goods(gold=1)),
    Advisor.BELL_RINGER: richer(Location.TEMPLE, Goods(chi=1)),
    Advisor.CHARITY_STEWARD: on(Trigger.ON_DONATE, honour(1)),
    Advisor.MASTER_CARPENTER: cheaper(Cost.WALL, 2),
    Advisor.DITCH_CAPTAIN: cheaper(Cost.BARRICADE, 1),
    Advisor.GATE_CAPTAIN: on(Trigger.ON_BUILD, Gain(wild=n(2)), when=When(what=Work.WALL)),
    Advisor.FLETCHER: cheaper(Cost.ARCHER, 1, Resource.CHI),
    Advisor.STABLE_MASTER: cheaper(Cost.HORSEMAN, 1, Resource.GOLD),
    Advisor.DRILL_SERGEANT: on(Trigger.ON_RECRUIT, Gain(honour=per(EACH))),
    Advisor.FIELD_SURGEON: cheaper(Cost.SAVE, 1, Resource.CHI),
    Advisor.FIRE_LANCE_SERGEANT: on(
        Trigger.ON_ATTACK, Wound(n(1), Where.ATTACKED), when=When(type=Soldier.SPEARMAN)
    ),
    Advisor.NIGHT_WATCH: on(Trigger.WINTER_START, Wound(n(2), Where.OWN_ARCHER_SECTION)),
    Advisor.SPOILS_OFFICER: on(Trigger.ON_YOU_DEFEAT, Gain(wild=n(3))),
    Advisor.CHRONICLER: on(Trigger.ON_HORDE_DEFEATED, honour(2), when=When(on_card=tuple(Soldier))),
    Advisor.COURT_ENVOY: on(Trigger.ON_HIRE, honour(2)),
    Advisor.EXAMINER: cheaper(Cost.ADVISOR, 2, Resource.GOLD),
    Advisor.TEA_MERCHANT: on(Trigger.AFTER_COMMAND_STEP, Pay(Goods(gold=1)), MoveTea(1), honour(2)),
    Advisor.MAGISTRATE: on(Trigger.INCOME, DiscardShame(n(1))),
    Advisor.QUARTERMASTER: on(Trigger.INCOME, Gain(wild=per(Counter.REST_SECTIONS, plus=1))),
    Advisor.STRATEGIST: on(Trigger.AFTER_ACTIVATION_STEP, DrawTactics(n(1))),
    Advisor.RECRUITING_OFFICER: on(
        Trigger.ON_LOCATION_ACTIVATED,
        Recruit(n(1)),
        when=When(location=Location.BARRACKS, min_clerks=1),
    ),
    Advisor.VETERAN_RUNNER: on(Trigger.ON_RECLAIM_HONOUR, honour(2)),
}
