"""Every advisor has a test of its own effect."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from services.great_wall.cards.advisors import ADVISORS, Advisor
from services.great_wall.cards.hordes import HordeCard
from services.great_wall.counting import lowered, recruit_prices
from services.great_wall.goods import AT, Goods, Location, Resource, Soldier, Work, Zone
from services.great_wall.passives import Cost
from services.great_wall.rules.attacks import Strike
from services.great_wall.rules.clerks import MoveClerk
from services.great_wall.rules.killing import SaveSoldier
from services.great_wall.rules.overseers import RaiseOverseer
from services.great_wall.rules.recruiting import RecruitSoldier
from services.great_wall.rules.shame import ReturnShame
from services.great_wall.rules.tactics import UseAbility
from services.great_wall.rules.taking import TakeGood
from services.great_wall.rules.wounds import PlaceWound
from services.great_wall.state import Doomed, State, Toll
from services.great_wall.tasks.task import Event
from services.great_wall.tasks.war import Saving
from services.great_wall.triggers import Trigger
from tests.great_wall.table import (
    CENTRE,
    LEFT,
    RICH,
    RIGHT,
    SPEARMAN,
    answered,
    answers,
    asked,
    clerks,
    done,
    facing,
    gained,
    offers,
    opened,
    own,
    owning,
    refused,
    run,
    standing,
    table,
    used,
)

SPEARS = Event(types=(SPEARMAN,), sections=(LEFT,), hordes=(HordeCard.OUTRIDERS_LEFT,))


def with_advisor(advisor: Advisor, **changes: Any) -> State:
    """Seat 0 has this active advisor."""
    return owning(table(), active=(advisor,), **changes)


def test_every_advisor_has_its_test() -> None:
    missing = [advisor for advisor in Advisor if f"test_{advisor}" not in globals()]
    assert not missing


def test_a_supporting_advisor_has_no_ability() -> None:
    state = owning(table(), supporting=(Advisor.TOLL_COLLECTOR,))
    assert not offers(state, Trigger.INCOME, Advisor.TOLL_COLLECTOR)


def test_taskmaster() -> None:
    state = with_advisor(Advisor.TASKMASTER, overseers=(0, 2, 0, 0))
    after = used(state, Trigger.AFTER_ACTIVATION_STEP, Advisor.TASKMASTER)
    assert gained(state, after) == (Goods(stone=2), 0)


def test_warden() -> None:
    state = with_advisor(Advisor.WARDEN)
    state = standing(standing(state, 0, LEFT, spearman=2), 0, RIGHT, spearman=1)
    state = facing(facing(state, LEFT, "outriders_left"), RIGHT, "ram_crew_left")
    state = used(state, Trigger.AFTER_ACTIVATION_STEP, Advisor.WARDEN)
    state = answered(state, Strike(Zone.REST, SPEARMAN, LEFT, 0, (7,)))
    assert {move.section for move in answers(state) if isinstance(move, Strike)} == {RIGHT}
    assert refused(state, Strike(Zone.REST, SPEARMAN, LEFT, 0, (8,))) == "cannot_attack"


@pytest.mark.parametrize(
    ("advisor", "location", "price"),
    [
        (Advisor.MANUFACTURER, Location.LUMBER_MILL, Goods(chi=1)),
        (Advisor.ALCHEMIST, Location.GOLD_MINE, Goods(stone=1)),
        (Advisor.SPIRITUAL_LEADER, Location.TEMPLE, Goods(gold=2)),
        (Advisor.STONE_MASON, Location.QUARRY, Goods(wood=1)),
    ],
)
def test_an_upgrade_that_follows_another(
    advisor: Advisor, location: Location, price: Goods
) -> None:
    """The second level, printed one dearer than the first, costs two less."""
    state = with_advisor(advisor, overseers=(1, 1, 1, 1), goods=price)
    state = used(state, Trigger.ON_OVERSEER_UPGRADE, advisor, Event(each=1))
    elsewhere = next(place for place in Location if place is not location)
    assert refused(state, RaiseOverseer(elsewhere, None)) == "cannot_upgrade"
    state = answered(state, RaiseOverseer(location, None))
    assert own(state).overseers[AT[location]] == 2
    assert not own(state).goods
    assert asked(state) == []


test_manufacturer = test_an_upgrade_that_follows_another
test_alchemist = test_an_upgrade_that_follows_another
test_spiritual_leader = test_an_upgrade_that_follows_another
test_stone_mason = test_an_upgrade_that_follows_another


def test_jinshi() -> None:
    state = used(with_advisor(Advisor.JINSHI), Trigger.AFTER_COMMAND_STEP, Advisor.JINSHI)
    state = answered(state, MoveClerk(None, Location.TEMPLE))
    assert (own(state).clerks, own(state).desks[AT[Location.TEMPLE]]) == (4, 1)
    assert asked(state) == []


def test_smuggler() -> None:
    state = used(with_advisor(Advisor.SMUGGLER), Trigger.ON_FRAME_MOVE, Advisor.SMUGGLER)
    state = answered(state, MoveClerk(None, Location.WAR_ACADEMY))
    assert own(state).desks[AT[Location.WAR_ACADEMY]] == 1


def test_herald() -> None:
    clan = own(with_advisor(Advisor.HERALD))
    assert recruit_prices(clan, Soldier.SPEARMAN, 0, None) == (Goods(stone=1, wood=1),)
    assert recruit_prices(clan, Soldier.ARCHER, 0, None) == (Goods(chi=2, wood=1),)


def test_survivalist() -> None:
    toll = Toll(LEFT, (Doomed(0, HordeCard.OUTRIDERS_LEFT, SPEARMAN, 2),))
    state = facing(with_advisor(Advisor.SURVIVALIST), LEFT, "outriders_left", spearmen={0: (7, 8)})
    state = used(replace(state, toll=toll), Trigger.ON_WOULD_KILL, Advisor.SURVIVALIST)
    state = answered(state, SaveSoldier(HordeCard.OUTRIDERS_LEFT, SPEARMAN))
    assert own(state).rest[0] == 1
    assert state.toll is not None
    assert [one.count for one in state.toll.doomed] == [1]
    assert asked(state) == []


def test_tactician_monk() -> None:
    state = with_advisor(Advisor.TACTICIAN_MONK)
    after = used(state, Trigger.ON_LAST_WOUND, Advisor.TACTICIAN_MONK, Event(each=2))
    assert len(own(after).tactics) == 4


def test_glory_stealer() -> None:
    state = with_advisor(Advisor.GLORY_STEALER, frozen=(3, 0, 0))
    state = used(state, Trigger.ON_LAST_WOUND, Advisor.GLORY_STEALER, Event(each=2))
    state = answered(state, ReturnShame(SPEARMAN, None), ReturnShame(SPEARMAN, None))
    assert own(state).frozen == (1, 0, 0)
    assert asked(state) == []


def test_forest_guide() -> None:
    state = with_advisor(Advisor.FOREST_GUIDE, frozen=(0, 1, 0))
    state = used(state, Trigger.ON_PLAY_TACTIC, Advisor.FOREST_GUIDE)
    state = answered(state, ReturnShame(Soldier.ARCHER, None))
    assert own(state).frozen == (0, 0, 0)
    assert state.shame_pool == table().shame_pool + 1


def test_master_merchant() -> None:
    state = with_advisor(Advisor.MASTER_MERCHANT, goods=Goods(gold=1))
    state = used(state, Trigger.AFTER_ACTIVATION_STEP, Advisor.MASTER_MERCHANT)
    assert refused(state, TakeGood(Resource.GOLD)) == "not_offered"
    state = answered(state, *[TakeGood(Resource.CHI)] * 3)
    assert own(state).goods == Goods(chi=3)


def test_gravedigger() -> None:
    state = with_advisor(Advisor.GRAVEDIGGER)
    after = used(state, Trigger.ON_KILL, Advisor.GRAVEDIGGER, Event(each=3))
    assert gained(state, after) == (Goods(), 6)


def test_archer_commander() -> None:
    state = standing(with_advisor(Advisor.ARCHER_COMMANDER), 0, LEFT, firing=1, spearman=1)
    state = facing(state, LEFT, "outriders_left")
    state = used(state, Trigger.AFTER_COMMAND_STEP, Advisor.ARCHER_COMMANDER)
    assert {move.soldier for move in answers(state) if isinstance(move, Strike)} == {Soldier.ARCHER}
    state = answered(state, Strike(Zone.FIRING, Soldier.ARCHER, LEFT, 0, (1,)))
    assert state.hordes[0][0].marks[1] == 1
    assert own(state).firing == (1, 0, 0)


@pytest.mark.parametrize(
    ("advisor", "goods", "honour"),
    [
        (Advisor.TOLL_COLLECTOR, Goods(gold=2), 0),
        (Advisor.TIMBER_STEWARD, Goods(wood=2), 0),
        (Advisor.QUARRY_FOREMAN, Goods(stone=2), 0),
        (Advisor.INCENSE_KEEPER, Goods(chi=1), 1),
    ],
)
def test_an_income(advisor: Advisor, goods: Goods, honour: int) -> None:
    state = with_advisor(advisor)
    assert gained(state, used(state, Trigger.INCOME, advisor)) == (goods, honour)


test_toll_collector = test_an_income
test_timber_steward = test_an_income
test_quarry_foreman = test_an_income
test_incense_keeper = test_an_income


@pytest.mark.parametrize(
    ("advisor", "location", "goods"),
    [
        (Advisor.RAFT_CAPTAIN, Location.LUMBER_MILL, Goods(wood=1)),
        (Advisor.KILN_MASTER, Location.QUARRY, Goods(stone=1)),
        (Advisor.MINT_WARDEN, Location.GOLD_MINE, Goods(gold=1)),
        (Advisor.BELL_RINGER, Location.TEMPLE, Goods(chi=1)),
    ],
)
def test_a_better_harvest(advisor: Advisor, location: Location, goods: Goods) -> None:
    state = with_advisor(advisor)
    after = used(state, Trigger.ON_GATHER, advisor, Event(location=location))
    assert gained(state, after) == (goods, 0)
    elsewhere = next(place for place in Location if place is not location)
    assert not offers(state, Trigger.ON_GATHER, advisor, Event(location=elsewhere))


test_raft_captain = test_a_better_harvest
test_kiln_master = test_a_better_harvest
test_mint_warden = test_a_better_harvest
test_bell_ringer = test_a_better_harvest


def test_charity_steward() -> None:
    state = with_advisor(Advisor.CHARITY_STEWARD)
    after = used(state, Trigger.ON_DONATE, Advisor.CHARITY_STEWARD, Event(each=1))
    assert gained(state, after) == (Goods(), 1)


def test_master_carpenter() -> None:
    clan = own(with_advisor(Advisor.MASTER_CARPENTER))
    assert (lowered(clan, Cost.WALL, 5), lowered(clan, Cost.WALL, 15)) == (3, 13)
    assert lowered(clan, Cost.BARRICADE, 2) == 2


def test_ditch_captain() -> None:
    clan = own(with_advisor(Advisor.DITCH_CAPTAIN))
    assert (lowered(clan, Cost.BARRICADE, 2), lowered(clan, Cost.WALL, 5)) == (1, 5)


def test_gate_captain() -> None:
    state = with_advisor(Advisor.GATE_CAPTAIN)
    assert not offers(state, Trigger.ON_BUILD, Advisor.GATE_CAPTAIN, Event(what=Work.BARRICADE))
    after = used(state, Trigger.ON_BUILD, Advisor.GATE_CAPTAIN, Event(what=Work.WALL))
    after = answered(after, TakeGood(Resource.WOOD), TakeGood(Resource.GOLD))
    assert gained(state, after) == (Goods(wood=1, gold=1), 0)


def test_fletcher() -> None:
    clan = own(with_advisor(Advisor.FLETCHER))
    assert recruit_prices(clan, Soldier.ARCHER, 0, None) == (Goods(chi=1, wood=1),)


def test_stable_master() -> None:
    clan = own(with_advisor(Advisor.STABLE_MASTER))
    assert recruit_prices(clan, Soldier.HORSEMAN, 0, None) == (Goods(gold=2, wood=1),)


def test_drill_sergeant() -> None:
    state = with_advisor(Advisor.DRILL_SERGEANT)
    after = used(state, Trigger.ON_RECRUIT, Advisor.DRILL_SERGEANT, Event(each=3))
    assert gained(state, after) == (Goods(), 3)


def test_field_surgeon() -> None:
    state = with_advisor(Advisor.FIELD_SURGEON, goods=Goods(chi=1))
    state = facing(state, LEFT, "outriders_left", spearmen={0: (7,)})
    toll = Toll(LEFT, (Doomed(0, HordeCard.OUTRIDERS_LEFT, SPEARMAN, 1),))
    state = run(replace(state, toll=toll), Saving(0, 9, free=False))
    state = answered(state, SaveSoldier(HordeCard.OUTRIDERS_LEFT, SPEARMAN))
    assert not own(state).goods


def test_fire_lance_sergeant() -> None:
    state = facing(with_advisor(Advisor.FIRE_LANCE_SERGEANT), LEFT, "outriders_left")
    state = used(state, Trigger.ON_ATTACK, Advisor.FIRE_LANCE_SERGEANT, SPEARS)
    state = answered(state, PlaceWound(HordeCard.OUTRIDERS_LEFT, 1))
    assert state.hordes[0][0].marks[1] == 1
    assert asked(state) == []
    archers = Event(types=(Soldier.ARCHER,), hordes=(HordeCard.OUTRIDERS_LEFT,))
    assert not offers(state, Trigger.ON_ATTACK, Advisor.FIRE_LANCE_SERGEANT, archers)


def test_night_watch() -> None:
    state = standing(with_advisor(Advisor.NIGHT_WATCH), 0, LEFT, firing=1)
    state = facing(facing(state, LEFT, "outriders_left"), RIGHT, "ram_crew_left")
    state = used(state, Trigger.WINTER_START, Advisor.NIGHT_WATCH)
    assert refused(state, PlaceWound(HordeCard.RAM_CREW_LEFT, 2)) == "wrong_horde"
    state = answered(
        state, PlaceWound(HordeCard.OUTRIDERS_LEFT, 1), PlaceWound(HordeCard.OUTRIDERS_LEFT, 7)
    )
    assert sum(state.hordes[0][0].marks) == 2
    assert asked(state) == []


def test_night_watch_wounds_in_one_section_only() -> None:
    state = standing(with_advisor(Advisor.NIGHT_WATCH), 0, LEFT, firing=1)
    state = standing(state, 0, RIGHT, firing=1)
    state = facing(facing(state, LEFT, "outriders_left"), RIGHT, "ram_crew_left")
    state = used(state, Trigger.WINTER_START, Advisor.NIGHT_WATCH)
    state = answered(state, PlaceWound(HordeCard.RAM_CREW_LEFT, 2))
    assert refused(state, PlaceWound(HordeCard.OUTRIDERS_LEFT, 1)) == "wrong_horde"


def test_spoils_officer() -> None:
    state = with_advisor(Advisor.SPOILS_OFFICER)
    after = used(state, Trigger.ON_YOU_DEFEAT, Advisor.SPOILS_OFFICER)
    after = answered(after, *[TakeGood(Resource.STONE)] * 3)
    assert gained(state, after) == (Goods(stone=3), 0)


def test_chronicler() -> None:
    state = facing(with_advisor(Advisor.CHRONICLER), LEFT, "outriders_left", spearmen={0: (7,)})
    event = Event(hordes=(HordeCard.OUTRIDERS_LEFT,), sections=(LEFT,))
    after = used(state, Trigger.ON_HORDE_DEFEATED, Advisor.CHRONICLER, event)
    assert gained(state, after) == (Goods(), 2)
    absent = facing(with_advisor(Advisor.CHRONICLER), LEFT, "outriders_left")
    assert not offers(absent, Trigger.ON_HORDE_DEFEATED, Advisor.CHRONICLER, event)


def test_court_envoy() -> None:
    state = with_advisor(Advisor.COURT_ENVOY)
    after = used(state, Trigger.ON_HIRE, Advisor.COURT_ENVOY, Event(what=Work.CLERK))
    assert gained(state, after) == (Goods(), 2)


def test_examiner() -> None:
    clan = own(with_advisor(Advisor.EXAMINER))
    assert (lowered(clan, Cost.ADVISOR, 5), lowered(clan, Cost.ADVISOR, 1)) == (3, 0)


def test_tea_merchant() -> None:
    state = owning(table(), 2, active=(Advisor.TEA_MERCHANT,), goods=Goods(gold=1))
    after = used(state, Trigger.AFTER_COMMAND_STEP, Advisor.TEA_MERCHANT, clan=2)
    assert after.tea == (0, 2, 1)
    assert gained(state, after, 2) == (Goods(gold=-1), 2)


def test_tea_merchant_does_nothing_without_gold() -> None:
    state = opened(with_advisor(Advisor.TEA_MERCHANT), Trigger.AFTER_COMMAND_STEP)
    assert refused(state, UseAbility(Advisor.TEA_MERCHANT)) == "cannot_afford"


def test_magistrate() -> None:
    state = with_advisor(Advisor.MAGISTRATE, frozen=(1, 0, 0))
    after = used(state, Trigger.INCOME, Advisor.MAGISTRATE)
    after = answered(after, ReturnShame(SPEARMAN, None))
    assert own(after).frozen == (0, 0, 0)


def test_quartermaster() -> None:
    state = standing(with_advisor(Advisor.QUARTERMASTER), 0, LEFT, spearman=3)
    state = standing(state, 0, CENTRE, archer=1)
    after = used(state, Trigger.INCOME, Advisor.QUARTERMASTER)
    after = answered(after, *[TakeGood(Resource.WOOD)] * 3)
    assert gained(state, after) == (Goods(wood=3), 0)


def test_strategist() -> None:
    state = with_advisor(Advisor.STRATEGIST)
    after = used(state, Trigger.AFTER_ACTIVATION_STEP, Advisor.STRATEGIST)
    assert len(own(after).tactics) == 1


def test_recruiting_officer() -> None:
    state = clerks(with_advisor(Advisor.RECRUITING_OFFICER, goods=RICH), 0, barracks=1)
    event = Event(location=Location.BARRACKS)
    state = used(state, Trigger.ON_LOCATION_ACTIVATED, Advisor.RECRUITING_OFFICER, event)
    price = Goods(stone=2, wood=1)
    state = answered(state, RecruitSoldier(SPEARMAN, RIGHT, False, price))
    assert own(state).rest[6] == 1
    assert own(state).goods == RICH - price
    assert asked(state) == []


def test_veteran_runner() -> None:
    state = with_advisor(Advisor.VETERAN_RUNNER)
    after = used(state, Trigger.ON_RECLAIM_HONOUR, Advisor.VETERAN_RUNNER)
    assert gained(state, after) == (Goods(), 2)


def test_every_triggered_ability_may_be_declined() -> None:
    for advisor, ability in ADVISORS.items():
        if not ability.must:
            state = with_advisor(advisor, frozen=(1, 0, 0), overseers=(1, 0, 0, 0), goods=RICH)
            state = opened(state, ability.trigger, Event(each=1))
            assert not state.stack or asked(done(state)) == []
