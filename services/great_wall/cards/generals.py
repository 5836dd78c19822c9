"""The 13 generals."""

from __future__ import annotations

from enum import StrEnum

from services.gamekit.game import Record
from services.great_wall.amounts import Counter, n, per
from services.great_wall.effects import Ability, Attack, Effect, Gain, Reclaim, Recruit
from services.great_wall.goods import Goods, Soldier, Work, Zone
from services.great_wall.passives import Change, ModifyValue, Printed
from services.great_wall.triggers import ALWAYS, Trigger, When

SUPPORT, EACH = Counter.SUPPORT, Counter.EACH


class General(StrEnum):
    """A general of the empire."""

    LIANG_HONGYU = "liang_hongyu"
    YANG_MIAOZHEN = "yang_miaozhen"
    YANG_YE = "yang_ye"
    SONG_CI = "song_ci"
    ZHOU_TONG = "zhou_tong"
    CAI_XIANG = "cai_xiang"
    QIN_HUI = "qin_hui"
    TONG_GUAN = "tong_guan"
    XIN_QIJI = "xin_qiji"
    DI_QING = "di_qing"
    WAN_YI = "wan_yi"
    LU_ANSHI = "lu_anshi"
    QIAO_WENYUAN = "qiao_wenyuan"


class GeneralCard(Record, frozen=True):
    """What a general brings, the value of the tea marker, and the ability."""

    goods: Goods
    tactics: int
    tea: int
    ability: Ability


def card(
    setup: tuple[int, int, int, int, int, int],
    trigger: Trigger,
    *do: Effect,
    when: When = ALWAYS,
    must: bool = False,
) -> GeneralCard:
    """One general: wood, stone, gold, chi, tactic cards, tea value."""
    *goods, tactics, tea = setup
    return GeneralCard(Goods(*goods), tactics, tea, Ability(trigger, do, when, must))


def honour(*counters: Counter, times: int = 1) -> Gain:
    """Honour that is counted."""
    return Gain(honour=per(*counters, times=times))


GENERALS = {
    General.LIANG_HONGYU: card(
        (5, 3, 3, 5, 2, 65), Trigger.ON_KILL, honour(SUPPORT, EACH, times=2)
    ),
    General.YANG_MIAOZHEN: card(
        (3, 6, 3, 4, 2, 20),
        Trigger.ON_RECRUIT,
        Recruit(per(SUPPORT), (Soldier.SPEARMAN,), price=2),
    ),
    General.YANG_YE: card((2, 4, 3, 7, 2, 55), Trigger.ON_YOU_DEFEAT, honour(SUPPORT, times=2)),
    General.SONG_CI: card(
        (4, 3, 5, 4, 1, 75), Trigger.ON_OVERSEER_UPGRADE, honour(SUPPORT, EACH, times=2)
    ),
    General.ZHOU_TONG: card(
        (4, 4, 2, 6, 2, 92), Trigger.INCOME, honour(SUPPORT, Counter.ARCHER_SECTIONS, times=2)
    ),
    General.CAI_XIANG: card(
        (5, 4, 5, 2, 1, 88),
        Trigger.ON_LOCATION_ACTIVATED,
        Gain(wild=per(SUPPORT, times=2)),
        when=When(special=True, min_clerks=2),
    ),
    General.QIN_HUI: card(
        (3, 4, 6, 3, 1, 25),
        Trigger.PASSIVE,
        ModifyValue(Printed.CLERKS_PER_OWN_OVERSEER, Change.ADD, per(SUPPORT, most=2)),
        must=True,
    ),
    General.TONG_GUAN: card(
        (4, 5, 3, 4, 2, 80),
        Trigger.AFTER_ACTIVATION_STEP,
        Attack(per(SUPPORT), (Zone.REST, Zone.FIRING)),
    ),
    General.XIN_QIJI: card(
        (4, 3, 3, 6, 2, 40),
        Trigger.ON_RECRUIT,
        Attack(per(SUPPORT, plus=1), (Zone.REST, Zone.FIRING), (Soldier.ARCHER, Soldier.HORSEMAN)),
    ),
    General.DI_QING: card(
        (5, 5, 4, 2, 1, 95),
        Trigger.ON_BUILD,
        Reclaim(n(1)),
        honour(SUPPORT, times=2),
        when=When(what=Work.WALL),
    ),
    General.WAN_YI: card(
        (4, 4, 4, 4, 1, 35), Trigger.INCOME, Gain(wild=per(SUPPORT, most=4), different=True)
    ),
    General.LU_ANSHI: card((6, 5, 3, 2, 1, 45), Trigger.ON_DONATE, honour(SUPPORT)),
    General.QIAO_WENYUAN: card(
        (6, 4, 4, 2, 2, 72),
        Trigger.ON_BUILD,
        honour(SUPPORT),
        when=When(what=Work.BARRICADE),
    ),
}
