"""Every general has a test of its own ability."""

from __future__ import annotations

from typing import Any

from services.great_wall.cards.advisors import Advisor
from services.great_wall.cards.commands import Command
from services.great_wall.cards.generals import GENERALS, General
from services.great_wall.goods import Goods, Location, Resource, Work, Zone
from services.great_wall.rules.attacks import Strike
from services.great_wall.rules.choices import ReclaimCard
from services.great_wall.rules.recruiting import RecruitSoldier
from services.great_wall.rules.taking import TakeGood
from services.great_wall.state import State
from services.great_wall.tasks.locations import Gathering
from services.great_wall.tasks.task import Event
from services.great_wall.triggers import Trigger
from tests.great_wall.table import (
    ARCHER,
    HORSEMAN,
    LEFT,
    RIGHT,
    SPEARMAN,
    answered,
    answers,
    asked,
    clerks,
    facing,
    gained,
    offers,
    own,
    owning,
    refused,
    run,
    standing,
    table,
    used,
)

SUPPORT = (Advisor.JINSHI, Advisor.WARDEN)


def led_by(general: General, **changes: Any) -> State:
    """Seat 0 has this general and two supporting advisors."""
    return owning(table(), general=general, **({"supporting": SUPPORT} | changes))


def test_every_general_has_its_test() -> None:
    assert not [general for general in General if f"test_{general}" not in globals()]


def test_all_generals_bring_sixteen_goods_and_differ_in_tea() -> None:
    assert {card.goods.total() for card in GENERALS.values()} == {16}
    assert len({card.tea for card in GENERALS.values()}) == 13


def test_liang_hongyu() -> None:
    state = led_by(General.LIANG_HONGYU)
    after = used(state, Trigger.ON_KILL, General.LIANG_HONGYU, Event(each=3))
    assert gained(state, after) == (Goods(), 12)


def test_yang_miaozhen() -> None:
    state = led_by(General.YANG_MIAOZHEN, goods=Goods(gold=4))
    state = used(state, Trigger.ON_RECRUIT, General.YANG_MIAOZHEN, Event(each=1))
    price = Goods(gold=2)
    state = answered(state, *[RecruitSoldier(SPEARMAN, LEFT, False, price)] * 2)
    assert own(state).rest[0] == 2
    assert not own(state).goods
    assert asked(state) == []


def test_yang_miaozhen_recruits_nobody_but_spearmen() -> None:
    state = led_by(General.YANG_MIAOZHEN, goods=Goods(gold=4))
    state = used(state, Trigger.ON_RECRUIT, General.YANG_MIAOZHEN, Event(each=1))
    assert refused(state, RecruitSoldier(ARCHER, LEFT, False, Goods(gold=2))) == "wrong_soldier"


def test_yang_ye() -> None:
    state = led_by(General.YANG_YE)
    assert gained(state, used(state, Trigger.ON_YOU_DEFEAT, General.YANG_YE)) == (Goods(), 4)


def test_song_ci() -> None:
    state = led_by(General.SONG_CI)
    after = used(state, Trigger.ON_OVERSEER_UPGRADE, General.SONG_CI, Event(each=2))
    assert gained(state, after) == (Goods(), 8)


def test_zhou_tong() -> None:
    state = standing(led_by(General.ZHOU_TONG), 0, LEFT, firing=2)
    state = standing(state, 0, RIGHT, firing=1)
    assert gained(state, used(state, Trigger.INCOME, General.ZHOU_TONG)) == (Goods(), 8)


def test_cai_xiang() -> None:
    state = clerks(led_by(General.CAI_XIANG), 0, war_academy=2, temple=2)
    event = Event(location=Location.WAR_ACADEMY)
    after = used(state, Trigger.ON_LOCATION_ACTIVATED, General.CAI_XIANG, event)
    after = answered(after, *[TakeGood(Resource.GOLD)] * 4)
    assert gained(state, after) == (Goods(gold=4), 0)
    regular = Event(location=Location.TEMPLE)
    assert not offers(state, Trigger.ON_LOCATION_ACTIVATED, General.CAI_XIANG, regular)
    lone = clerks(led_by(General.CAI_XIANG), 0, war_academy=1)
    assert not offers(lone, Trigger.ON_LOCATION_ACTIVATED, General.CAI_XIANG, event)


def test_qin_hui() -> None:
    """His overseer counts as two more clerks; with no clerk there, or no overseer, it does not."""
    state = clerks(led_by(General.QIN_HUI, overseers=(0, 3, 0, 0)), 0, quarry=1, gold_mine=1)
    after = run(state, Gathering(Location.QUARRY, (0,)))
    assert gained(state, after) == (Goods(stone=1 + 2 + 3), 0)
    after = run(state, Gathering(Location.GOLD_MINE, (0,)))
    assert gained(state, after) == (Goods(gold=1), 0)


def test_qin_hui_counts_two_at_most() -> None:
    many = (*SUPPORT, Advisor.HERALD)
    state = led_by(General.QIN_HUI, overseers=(0, 1, 0, 0), supporting=many)
    state = clerks(state, 0, quarry=1)
    after = run(state, Gathering(Location.QUARRY, (0,)))
    assert gained(state, after) == (Goods(stone=4), 0)


def test_tong_guan() -> None:
    state = standing(led_by(General.TONG_GUAN), 0, LEFT, spearman=3)
    state = facing(state, LEFT, "outriders_left")
    state = used(state, Trigger.AFTER_ACTIVATION_STEP, General.TONG_GUAN)
    strikes = [Strike(Zone.REST, SPEARMAN, LEFT, 0, (cell,)) for cell in (7, 8)]
    state = answered(state, *strikes)
    assert own(state).rest[0] == 1
    assert asked(state) == []


def test_xin_qiji() -> None:
    state = standing(led_by(General.XIN_QIJI), 0, LEFT, horseman=1, spearman=1, firing=1)
    state = facing(state, LEFT, "outriders_left")
    state = used(state, Trigger.ON_RECRUIT, General.XIN_QIJI, Event(each=1))
    able = {move.soldier for move in answers(state) if isinstance(move, Strike)}
    assert able == {ARCHER, HORSEMAN}
    state = answered(state, Strike(Zone.REST, HORSEMAN, LEFT, 0, (1, 7)))
    assert own(state).goods == Goods(wood=1, gold=1)


def test_di_qing() -> None:
    state = led_by(General.DI_QING, discard=(Command.ECONOMY,), commands=(Command.BETRAYAL,))
    after = used(state, Trigger.ON_BUILD, General.DI_QING, Event(what=Work.WALL))
    after = answered(after, ReclaimCard(Command.ECONOMY))
    assert own(after).commands == (Command.BETRAYAL, Command.ECONOMY)
    assert gained(state, after) == (Goods(), 4)
    assert not offers(state, Trigger.ON_BUILD, General.DI_QING, Event(what=Work.BARRICADE))


def test_wan_yi() -> None:
    state = led_by(General.WAN_YI)
    after = used(state, Trigger.INCOME, General.WAN_YI)
    after = answered(after, TakeGood(Resource.CHI))
    assert refused(after, TakeGood(Resource.CHI)) == "not_offered"
    after = answered(after, TakeGood(Resource.WOOD))
    assert gained(state, after) == (Goods(wood=1, chi=1), 0)


def test_lu_anshi() -> None:
    state = led_by(General.LU_ANSHI)
    after = used(state, Trigger.ON_DONATE, General.LU_ANSHI, Event(each=1))
    assert gained(state, after) == (Goods(), 2)


def test_qiao_wenyuan() -> None:
    state = led_by(General.QIAO_WENYUAN)
    after = used(state, Trigger.ON_BUILD, General.QIAO_WENYUAN, Event(what=Work.BARRICADE))
    assert gained(state, after) == (Goods(), 2)
    assert not offers(state, Trigger.ON_BUILD, General.QIAO_WENYUAN, Event(what=Work.WALL))


def test_without_supporting_advisors_what_they_multiply_is_not_offered() -> None:
    state = led_by(General.YANG_YE, supporting=())
    assert not offers(state, Trigger.ON_YOU_DEFEAT, General.YANG_YE)
