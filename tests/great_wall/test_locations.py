"""Every location used and refused (R7)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from services.great_wall.cards.advisors import Advisor
from services.great_wall.cards.board import PLACES
from services.great_wall.cards.tactics import Tactic
from services.great_wall.goods import AT, Goods, Location, Resource, Zone
from services.great_wall.rules.building import BuildBarricade, BuildWall, PayCost, UseStock
from services.great_wall.rules.choices import PickOption
from services.great_wall.rules.clerks import MoveClerk
from services.great_wall.rules.embassy import HireAdvisor, HireClerk
from services.great_wall.rules.locations import Accept, ActivateLocation
from services.great_wall.rules.logistics import MoveSoldier
from services.great_wall.rules.overseers import RaiseOverseer
from services.great_wall.rules.production import DonateGood
from services.great_wall.rules.recruiting import RecruitSoldier
from services.great_wall.rules.shame import PlaceShame
from services.great_wall.rules.tactics import DiscardTactic
from services.great_wall.state import State
from services.great_wall.tasks.locations import Visit
from services.great_wall.tasks.seasons import ActivationStep
from tests.great_wall.table import (
    ARCHER,
    CENTRE,
    HORSEMAN,
    LEFT,
    RICH,
    RIGHT,
    SPEARMAN,
    answered,
    answers,
    asked,
    clerks,
    done,
    drawn,
    facing,
    own,
    owning,
    perform,
    refused,
    run,
    standing,
    table,
)


def activation(state: State, active: int = 0) -> State:
    """The activation step of a clan's turn."""
    return run(replace(state, active=active), ActivationStep())


def visited(state: State, location: Location, *, advanced: bool = True) -> State:
    """A location activates; in an advanced way there is no shame."""
    return drawn(run(replace(state, active=0), Visit(location, advanced)))


# R7.1


def test_full_regular_and_occupied_special_locations_are_on_the_list() -> None:
    state = clerks(table(), 0, quarry=3, tea_house=1)
    state = clerks(state, 1, quarry=1, war_academy=1, tea_house=1, temple=2)
    state = activation(state)
    assert asked(state) == [(0, "activation")]
    listed = {move.location for move in answers(state) if isinstance(move, ActivateLocation)}
    assert listed == {Location.QUARRY, Location.WAR_ACADEMY, Location.TEA_HOUSE}
    assert refused(state, ActivateLocation(Location.TEMPLE)) == "not_on_the_list"


def test_each_location_is_activated_once_and_its_clerks_go_home() -> None:
    state = activation(clerks(clerks(table(), 0, war_academy=1), 1, logistics_center=1))
    state = answered(state, ActivateLocation(Location.WAR_ACADEMY), Accept())
    assert own(state).clerks == 5
    assert asked(state) == []  # logistics: no soldier to move


def test_a_location_that_lost_its_clerks_is_dropped() -> None:
    state = clerks(clerks(table(), 0, war_academy=1), 1, quarry=3)
    state = activation(clerks(state, 2, quarry=1))
    state = answered(state, ActivateLocation(Location.QUARRY))
    state = clerks(state, 0, war_academy=0)
    while asked(state):
        assert asked(state)[0][1] in ("overseer", "donation")
        state = done(state)


@pytest.mark.parametrize("location", list(PLACES))
def test_every_location_is_used_and_refused(location: Location) -> None:
    """Full (a special one: with a clerk) it is on the list; with a clerk less it is refused."""
    slots = PLACES[location].slots
    enough = slots[0] if slots else 1
    others = {"tea_house": 2, "war_academy": 1, "emperors_embassy": 1}
    others.pop(location, None)
    beside = clerks(table(), 1, **others)
    short = activation(clerks(beside, 0, **{location: enough - 1}))
    assert refused(short, ActivateLocation(location)) == "not_on_the_list"
    open_ = activation(clerks(beside, 0, **{location: enough}))
    assert ActivateLocation(location) in answers(open_)
    state = answered(open_, ActivateLocation(location))
    assert refused(state, ActivateLocation(location)) in ("not_on_the_list", "wrong_prompt")
    while own(state).clerks < 5:
        state = answered(state, answers(state)[-1])
    assert own(state).desks[AT[location]] == 0


# R7.3


def test_a_lone_colour_takes_shame_at_a_location_with_the_icon() -> None:
    state = visited(clerks(table(), 0, quarry=4), Location.QUARRY, advanced=False)
    assert asked(state) == [(0, "shame")]
    state = answered(state, PlaceShame(HORSEMAN, None))
    assert (own(state).frozen, own(state).goods) == ((0, 0, 1), Goods(stone=4))


def test_two_colours_take_none_nor_does_an_advanced_activation() -> None:
    shared = clerks(clerks(table(), 0, quarry=3), 1, quarry=1)
    assert asked(visited(shared, Location.QUARRY, advanced=False)) == [(0, "overseer")]
    lone = clerks(table(), 0, quarry=4)
    assert asked(visited(lone, Location.QUARRY)) == [(0, "overseer")]


def test_the_neutral_clan_counts_as_a_colour() -> None:
    state = clerks(table(2), 0, quarry=3)
    assert asked(visited(state, Location.QUARRY, advanced=False)) == [(0, "overseer")]


@pytest.mark.parametrize("location", list(PLACES))
def test_only_printed_icons_shame(location: Location) -> None:
    state = clerks(table(), 0, **{location: 2})
    shamed = asked(visited(state, location, advanced=False)) == [(0, "shame")]
    assert shamed == PLACES[location].shame_icon


# R7.4


@pytest.mark.parametrize(
    ("location", "resource", "pay"),
    [
        (Location.LUMBER_MILL, Resource.WOOD, Goods(chi=3)),
        (Location.QUARRY, Resource.STONE, Goods(wood=3)),
        (Location.GOLD_MINE, Resource.GOLD, Goods(stone=3)),
        (Location.TEMPLE, Resource.CHI, Goods(gold=4)),
    ],
)
def test_production(location: Location, resource: Resource, pay: Goods) -> None:
    """Clerks and overseer gather; the overseer rises; one good is donated, but never chi."""
    overseers = [0, 0, 0, 0]
    overseers[AT[location]] = 1
    state = clerks(owning(table(), goods=pay, overseers=tuple(overseers)), 0, **{location: 2})
    state = visited(state, location)
    assert own(state).goods.of(resource) == 3
    state = answered(state, RaiseOverseer(location, None))
    assert own(state).goods == Goods(**{resource: 3})
    assert own(state).overseers[AT[location]] == 2
    if resource is Resource.CHI:
        assert asked(state) == []
        return
    assert refused(state, DonateGood(Resource.CHI)) == "wrong_resource"
    state = answered(state, DonateGood(resource))
    assert (state.warehouse.of(resource), own(state).honour) == (1, 2)
    assert own(state).clerks == 5


def test_the_first_level_takes_a_soldier_that_is_not_frozen() -> None:
    state = owning(table(), goods=Goods(wood=2), pool=(1, 1, 0), frozen=(1, 0, 0))
    state = visited(clerks(state, 0, quarry=1), Location.QUARRY)
    assert refused(state, RaiseOverseer(Location.QUARRY, SPEARMAN)) == "no_soldier_left"
    assert refused(state, RaiseOverseer(Location.TEMPLE, ARCHER)) == "cannot_upgrade"
    state = answered(state, RaiseOverseer(Location.QUARRY, ARCHER))
    assert (own(state).pool, own(state).overseers) == ((1, 0, 0), (0, 1, 0, 0))


def test_an_overseer_that_cannot_be_paid_is_refused() -> None:
    state = visited(clerks(table(), 0, quarry=1), Location.QUARRY)
    assert refused(state, RaiseOverseer(Location.QUARRY, SPEARMAN)) == "cannot_afford"


def test_each_step_of_production_is_finished_by_all_before_the_next() -> None:
    state = replace(clerks(clerks(table(), 0, quarry=1), 1, quarry=2), tea=(1, 0, 2))
    state = visited(state, Location.QUARRY)
    assert (own(state).goods, own(state, 1).goods) == (Goods(stone=1), Goods(stone=2))
    order = []
    while asked(state):
        order += asked(state)
        state = done(state)
    assert order == [(1, "overseer"), (0, "overseer"), (1, "donation"), (0, "donation")]


def test_nothing_is_donated_that_is_not_there() -> None:
    state = visited(clerks(owning(table(), goods=Goods(chi=9)), 0, quarry=1), Location.QUARRY)
    state = owning(done(state), goods=Goods())
    assert refused(state, DonateGood(Resource.STONE)) == "cannot_afford"


# R7.5


def test_barracks() -> None:
    """A recruit for each clerk: one attacks at once, one rests; together."""
    state = facing(clerks(owning(table(), goods=RICH), 0, barracks=2), RIGHT, "outriders_right")
    state = visited(state, Location.BARRACKS)
    spear, horse = Goods(stone=2, wood=1), Goods(gold=3, wood=1)
    state = answered(state, RecruitSoldier(SPEARMAN, RIGHT, True, spear))
    assert not any(state.hordes[2][0].marks)
    state = answered(state, RecruitSoldier(HORSEMAN, LEFT, False, horse))
    assert asked(state) == [(0, "forced_attack")]
    assert own(state).rest[2] == 1
    assert own(state).goods == RICH - spear - horse


def test_barracks_refuse_what_cannot_be() -> None:
    state = owning(table(2), goods=Goods(stone=2, wood=1), pool=(1, 4, 0))
    state = visited(clerks(state, 0, barracks=1), Location.BARRACKS)
    price = Goods(stone=2, wood=1)
    assert refused(state, RecruitSoldier(SPEARMAN, LEFT, False, price)) == "section_closed"
    assert refused(state, RecruitSoldier(SPEARMAN, RIGHT, True, price)) == "no_target"
    assert refused(state, RecruitSoldier(SPEARMAN, RIGHT, False, Goods())) == "wrong_payment"
    chi = Goods(chi=2, wood=1)
    assert refused(state, RecruitSoldier(ARCHER, RIGHT, False, chi)) == "cannot_afford"
    assert refused(state, RecruitSoldier(ARCHER, RIGHT, True, chi)) == "cannot_afford"
    gold = Goods(gold=3, wood=1)
    assert refused(state, RecruitSoldier(HORSEMAN, RIGHT, False, gold)) == "no_soldier_left"
    assert asked(done(state)) == []


# R7.6


def at_encampment(**changes: Any) -> State:
    """Seat 0 has one clerk at the builders' encampment."""
    state = replace(owning(table(), goods=Goods(3, 2, 1, 5)), **changes)
    return visited(clerks(state, 0, builders_encampment=1), Location.BUILDERS_ENCAMPMENT)


def test_a_barricade_costs_two_goods_of_any_building_kind() -> None:
    state = answered(at_encampment(), PickOption(0), BuildBarricade(LEFT))
    assert refused(state, PayCost(Goods(chi=2))) == "wrong_payment"
    assert refused(state, PayCost(Goods(gold=2))) == "cannot_afford"
    assert refused(state, PayCost(Goods(wood=3, stone=-1))) == "wrong_payment"
    state = answered(state, PayCost(Goods(wood=1, gold=1)))
    assert (state.barricades, own(state).honour) == ((1, 0, 0), 2)
    assert own(state).goods == Goods(2, 2, 0, 5)


def test_a_wall_level_costs_five_ten_fifteen() -> None:
    state = answered(at_encampment(), PickOption(1))
    assert refused(state, BuildBarricade(LEFT)) == "wrong_work"
    state = answered(state, BuildWall(CENTRE), PayCost(Goods(3, 2, 0, 0)))
    assert (state.walls, own(state).honour) == ((0, 1, 0), 5)
    poor = answered(at_encampment(walls=(1, 3, 0)), PickOption(1))
    assert refused(poor, BuildWall(LEFT)) == "cannot_afford"
    assert refused(poor, BuildWall(CENTRE)) == "section_complete"


def test_the_warehouse_pays_first() -> None:
    state = answered(
        at_encampment(warehouse=Goods(wood=1, stone=1)), PickOption(1), BuildWall(LEFT)
    )
    assert not state.warehouse
    state = answered(state, PayCost(Goods(wood=3)))
    assert own(state).honour == 5


def test_the_payer_picks_among_the_goods_of_a_full_warehouse() -> None:
    state = at_encampment(warehouse=Goods(wood=2, gold=2))
    state = answered(state, PickOption(0), BuildBarricade(LEFT))
    assert refused(state, UseStock(Goods(wood=1))) == "wrong_payment"
    assert refused(state, UseStock(Goods(stone=2))) == "cannot_afford"
    state = answered(state, UseStock(Goods(wood=1, gold=1)))
    assert state.warehouse == Goods(wood=1, gold=1)
    assert own(state).goods == Goods(3, 2, 1, 5)
    assert asked(state) == []


def test_a_discount_lowers_the_cost_and_not_the_honour() -> None:
    state = owning(table(), goods=Goods(wood=3), active=(Advisor.MASTER_CARPENTER,))
    state = visited(clerks(state, 0, builders_encampment=1), Location.BUILDERS_ENCAMPMENT)
    state = answered(state, PickOption(1), BuildWall(LEFT), PayCost(Goods(wood=3)))
    assert (own(state).honour, own(state).goods) == (5, Goods())


def test_three_barricades_a_section_and_closed_sections() -> None:
    state = answered(at_encampment(barricades=(3, 0, 0)), PickOption(0))
    assert refused(state, BuildBarricade(LEFT)) == "section_complete"
    small = owning(table(2), goods=RICH)
    small = visited(clerks(small, 0, builders_encampment=1), Location.BUILDERS_ENCAMPMENT)
    assert refused(answered(small, PickOption(0)), BuildBarricade(LEFT)) == "section_closed"


def test_archers_stay_in_firing_spots_when_the_wall_grows() -> None:
    state = standing(at_encampment(walls=(1, 0, 0)), 0, LEFT, firing=1)
    state = owning(state, goods=Goods(wood=9, stone=9))
    state = answered(state, PickOption(1), BuildWall(LEFT), PayCost(Goods(wood=9, stone=1)))
    assert own(state).firing == (1, 0, 0)


# R7.7


def at_embassy(**changes: Any) -> State:
    """Seat 0 has two clerks at the embassy and eight gold."""
    fresh: dict[str, Any] = {"goods": Goods(gold=8), "active": (Advisor.HERALD,)}
    state = owning(table(), **(fresh | changes))
    track = (Advisor.JINSHI, Advisor.WARDEN, Advisor.EXAMINER, Advisor.MAGISTRATE)
    state = replace(state, advisor_track=track)
    state = clerks(state, 0, emperors_embassy=2)
    return visited(state, Location.EMPERORS_EMBASSY)


def test_a_clerk_costs_two_gold_and_comes_from_the_reserve() -> None:
    state = answered(at_embassy(), PickOption(0))
    assert refused(state, HireAdvisor(Advisor.JINSHI, True)) == "wrong_work"
    state = answered(state, HireClerk())
    assert (own(state).reserve, own(state).clerks, own(state).goods.gold) == (2, 4, 6)
    assert asked(state) == [(0, "choice")]


def test_an_advisor_costs_as_much_gold_as_are_owned_afterwards() -> None:
    state = answered(at_embassy(), PickOption(1))
    assert refused(state, HireAdvisor(Advisor.TASKMASTER, True)) == "not_on_the_track"
    state = answered(state, HireAdvisor(Advisor.JINSHI, False))
    assert (own(state).goods.gold, own(state).supporting) == (6, (Advisor.JINSHI,))
    assert len(state.advisor_track) == 4
    state = answered(state, PickOption(1), HireAdvisor(Advisor.EXAMINER, True))
    assert (own(state).goods.gold, own(state).active) == (3, (Advisor.HERALD, Advisor.EXAMINER))


def test_the_embassy_refuses_what_cannot_be_paid_or_had() -> None:
    poor = answered(at_embassy(goods=Goods(gold=1)), PickOption(0))
    assert refused(poor, HireClerk()) == "cannot_afford"
    state = at_embassy(goods=Goods(gold=1))
    assert refused(answered(state, PickOption(1)), HireAdvisor(Advisor.JINSHI, True)) == (
        "cannot_afford"
    )
    assert refused(at_embassy(reserve=0), PickOption(0)) == "not_offered"
    assert asked(done(done(state))) == []


# R7.8


def test_tea_house() -> None:
    """Everyone there moves up one, from the top of the old order."""
    state = clerks(clerks(replace(table(), tea=(0, 1, 2)), 1, tea_house=1), 2, tea_house=1)
    state = visited(state, Location.TEA_HOUSE, advanced=False)
    state = answered(state, Accept())
    assert state.tea == (1, 0, 2)
    state = answered(state, Accept())
    assert state.tea == (1, 2, 0)


def test_a_single_player_with_all_slots_goes_to_the_top() -> None:
    state = visited(clerks(table(), 2, tea_house=2), Location.TEA_HOUSE, advanced=False)
    assert answered(state, Accept()).tea == (2, 0, 1)
    assert done(state).tea == (0, 1, 2)


# R7.9


def at_logistics(state: State) -> State:
    """Seat 0 has one clerk at the logistics center."""
    return visited(clerks(state, 0, logistics_center=1), Location.LOGISTICS_CENTER)


def test_any_number_of_soldiers_from_one_section_to_one_other() -> None:
    state = standing(table(walls=(1, 0, 1)), 0, LEFT, spearman=2, firing=1)
    state = at_logistics(standing(state, 0, CENTRE, horseman=1))
    move = MoveSoldier(SPEARMAN, LEFT, Zone.REST, RIGHT, Zone.REST)
    state = answered(state, move, move)
    other = MoveSoldier(HORSEMAN, CENTRE, Zone.REST, RIGHT, Zone.REST)
    assert refused(state, other) == "another_move"
    state = answered(state, MoveSoldier(ARCHER, LEFT, Zone.FIRING, RIGHT, Zone.FIRING))
    assert own(state).rest == (0, 0, 0, 0, 0, 1, 2, 0, 0)
    assert own(state).firing == (0, 0, 1)
    assert asked(state) == []


def test_logistics_refuses_the_wrong_way() -> None:
    state = at_logistics(standing(table(walls=(1, 0, 0)), 0, LEFT, archer=1, firing=1))
    climb = MoveSoldier(ARCHER, LEFT, Zone.REST, RIGHT, Zone.FIRING)
    assert refused(state, climb) == "wrong_way"
    full = MoveSoldier(ARCHER, LEFT, Zone.FIRING, RIGHT, Zone.FIRING)
    assert refused(state, full) == "no_firing_spot"
    stay = MoveSoldier(ARCHER, LEFT, Zone.REST, LEFT, Zone.REST)
    assert refused(state, stay) == "wrong_section"
    absent = MoveSoldier(SPEARMAN, LEFT, Zone.REST, RIGHT, Zone.REST)
    assert refused(state, absent) == "no_soldier_there"
    down = MoveSoldier(ARCHER, LEFT, Zone.FIRING, CENTRE, Zone.REST)
    assert own(answered(state, down)).rest[4] == 1
    assert asked(done(state)) == []


# R7.10


def test_war_academy() -> None:
    """A card for each clerk; above five one is discarded at once."""
    hand = (Tactic.RANSOM, Tactic.VOLLEY, Tactic.RESTLESS, Tactic.LAST_VOW)
    state = table(tactic_deck=tuple(sorted(set(Tactic) - set(hand))))
    state = clerks(owning(state, tactics=hand), 0, war_academy=2)
    state = answered(visited(state, Location.WAR_ACADEMY), Accept())
    assert asked(state) == [(0, "discard")]
    absent = next(one for one in Tactic if one not in own(state).tactics)
    assert refused(state, DiscardTactic(absent)) == "not_in_hand"
    state = answered(state, DiscardTactic(Tactic.RANSOM))
    assert (len(own(state).tactics), state.tactic_discard) == (5, (Tactic.RANSOM,))


def test_the_academy_may_be_declined_and_may_run_dry() -> None:
    state = visited(clerks(table(), 0, war_academy=2), Location.WAR_ACADEMY)
    assert own(done(state)).tactics == ()
    dry = table(tactic_deck=(Tactic.RANSOM,), tactic_discard=())
    state = visited(clerks(dry, 0, war_academy=2), Location.WAR_ACADEMY)
    assert own(answered(state, Accept())).tactics == (Tactic.RANSOM,)
    reshuffled = table(tactic_deck=(), tactic_discard=(Tactic.RANSOM, Tactic.VOLLEY))
    state = visited(clerks(reshuffled, 0, war_academy=1), Location.WAR_ACADEMY)
    assert len(own(answered(state, Accept())).tactics) == 1


# The warehouse


def test_no_clerk_ever_goes_to_the_warehouse() -> None:
    state = perform(table(), "economy/top")
    assert refused(state, MoveClerk(None, Location.WAREHOUSE)) == "no_clerks_allowed"
