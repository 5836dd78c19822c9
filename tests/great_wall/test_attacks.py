"""Soldiers and attacks (R8)."""

from __future__ import annotations

from msgspec.structs import replace

from services.great_wall.cards.advisors import Advisor
from services.great_wall.cards.hordes import HordeCard
from services.great_wall.cards.tactics import Tactic
from services.great_wall.field import mark, taken_off
from services.great_wall.goods import Goods, Location, Resource, Zone
from services.great_wall.rules.attacks import Strike
from services.great_wall.rules.recruiting import RecruitSoldier
from services.great_wall.rules.tactics import PlayTactic
from services.great_wall.rules.taking import TakeGood
from services.great_wall.rules.wounds import PlaceWound
from services.great_wall.state import WOUND, Horde, State
from services.great_wall.tasks.cards import Window
from services.great_wall.tasks.locations import Visit
from services.great_wall.tasks.war import Recruited, Recruiting
from services.great_wall.triggers import Trigger
from tests.great_wall.table import (
    ARCHER,
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
    facing,
    own,
    owning,
    perform,
    refused,
    run,
    standing,
    table,
)

SPEAR, HORSE = Goods(stone=2, wood=1), Goods(gold=3, wood=1)
BOW = Goods(chi=2, wood=1)


def ordered(state: State) -> State:
    """The owner's part below of an attack order: all in Rest Zones."""
    return perform(state, "attack_order/bottom")


def two_rows() -> State:
    """Outriders in row 1, a ram crew behind them."""
    return facing(facing(table(), LEFT, "outriders_left"), LEFT, "ram_crew_left")


def test_a_spearman_covers_a_spot_of_the_first_row() -> None:  # R8.2
    state = ordered(standing(two_rows(), 0, LEFT, spearman=1))
    assert refused(state, Strike(Zone.REST, SPEARMAN, LEFT, 1, (2,))) == "no_target"
    assert refused(state, Strike(Zone.REST, SPEARMAN, LEFT, 0, (0,))) == "no_target"
    assert refused(state, Strike(Zone.REST, SPEARMAN, LEFT, 9, (7,))) == "no_target"
    assert refused(state, Strike(Zone.REST, SPEARMAN, LEFT, -1, (7,))) == "no_target"
    state = answered(state, Strike(Zone.REST, SPEARMAN, LEFT, 0, (7,)))
    assert state.hordes[0][0].marks[7] == mark(0, 0)
    assert own(state).goods == Goods(gold=1)


def test_a_horseman_covers_two_adjacent_spots_of_any_row() -> None:  # R8.2
    state = ordered(standing(two_rows(), 0, LEFT, horseman=1))
    assert refused(state, Strike(Zone.REST, HORSEMAN, LEFT, 0, (1,))) == "no_target"
    assert refused(state, Strike(Zone.REST, HORSEMAN, LEFT, 0, (1, 8))) == "no_target"
    state = answered(state, Strike(Zone.REST, HORSEMAN, LEFT, 1, (2, 8)))
    assert [state.hordes[0][1].marks[cell] for cell in (2, 8)] == [mark(0, 1)] * 2
    assert own(state).goods == Goods(stone=1, wood=1)


def test_an_archer_wounds_any_spot_and_takes_no_reward() -> None:  # R8.2
    state = perform(standing(two_rows(), 0, LEFT, firing=1), "attack_order/top")
    state = answered(state, Strike(Zone.FIRING, ARCHER, LEFT, 1, (2,)))
    assert state.hordes[0][1].marks[2] == WOUND
    assert (own(state).goods, own(state).firing) == (Goods(), (1, 0, 0))


def test_an_archer_from_a_rest_zone_first_takes_a_firing_spot() -> None:  # R8.3
    state = standing(two_rows(), 0, LEFT, archer=2)
    assert asked(ordered(state)) == []  # no wall, no firing spot
    state = ordered(replace(state, walls=(1, 0, 0)))
    state = answered(state, Strike(Zone.REST, ARCHER, LEFT, 0, (1,)))
    assert (own(state).firing, own(state).rest[1]) == ((1, 0, 0), 1)
    assert asked(state) == []  # the only spot is taken


def test_soldiers_on_a_horde_neither_attack_nor_move() -> None:  # R8.1
    state = facing(table(), LEFT, "outriders_left", spearmen={0: (7,)})
    assert asked(ordered(state)) == []
    state = run(clerks(state, 0, logistics_center=1), Visit(Location.LOGISTICS_CENTER, True))
    assert asked(state) == []


def test_a_reward_of_choice_comes_at_once() -> None:  # R8.2, R0.3
    state = standing(facing(table(), LEFT, "plunderers_left"), 0, LEFT, spearman=2)
    state = answered(ordered(state), Strike(Zone.REST, SPEARMAN, LEFT, 0, (7,)))
    assert asked(state) == [(0, "resource")]
    state = answered(state, TakeGood(Resource.WOOD))
    assert asked(state) == [(0, "forced_attack")]


def test_a_recruited_archer_may_take_a_firing_spot_without_a_target() -> None:  # R8.4
    state = owning(table(walls=(1, 0, 0)), goods=RICH, active=(Advisor.FIRE_LANCE_SERGEANT,))
    state = run(state, Recruiting(0, 1, (ARCHER,), 0, None))
    state = answered(state, RecruitSoldier(ARCHER, LEFT, True, BOW))
    assert own(state).firing == (1, 0, 0)
    assert asked(state) == []
    full = run(standing(state, 1, LEFT, firing=0), Recruiting(0, 1, (ARCHER,), 0, None))
    assert refused(full, RecruitSoldier(ARCHER, LEFT, True, BOW)) == "no_firing_spot"


def test_a_soldier_that_leaves_a_horde_leaves_wounds() -> None:  # R8.5
    marks = [0] * 12
    marks[1] = marks[7] = mark(0, 1)
    marks[8] = mark(1, 0)
    horde = Horde(HordeCard.OUTRIDERS_LEFT, tuple(marks))
    horde = taken_off(horde, 0, HORSEMAN)
    assert [horde.marks[cell] for cell in (1, 7, 8)] == [WOUND, WOUND, mark(1, 0)]
    assert taken_off(horde, 1, SPEARMAN).marks[8] == WOUND


def test_two_horsemen_of_a_clan_are_told_apart() -> None:
    state = facing(table(), LEFT, "vanguard_left", horsemen={0: (1, 7)})
    state = answered(
        ordered(standing(state, 0, LEFT, horseman=1)),
        Strike(Zone.REST, HORSEMAN, LEFT, 0, (2, 8)),
    )
    horde = taken_off(state.hordes[0][0], 0, HORSEMAN)
    assert [horde.marks[cell] for cell in (1, 7, 2, 8)] == [mark(0, 1)] * 2 + [WOUND] * 2


def test_the_windows_of_an_attack_step() -> None:  # R8.6
    """First on_attack; its wounds count for on_last_wound."""
    state = standing(facing(table(), LEFT, "outriders_left", (1,)), 0, LEFT, spearman=1)
    state = owning(state, tactics=(Tactic.LOCKED_SHIELDS,), goods=Goods(chi=2))
    state = owning(state, active=(Advisor.TACTICIAN_MONK,))
    state = answered(ordered(state), Strike(Zone.REST, SPEARMAN, LEFT, 0, (7,)))
    assert (asked(state), window(state).trigger) == ([(0, "tactic")], Trigger.ON_ATTACK)
    state = answered(state, PlayTactic(Tactic.LOCKED_SHIELDS, True))
    state = answered(state, PlaceWound(HordeCard.OUTRIDERS_LEFT, 8))
    assert window(state).trigger is Trigger.ON_LAST_WOUND
    assert window(state).event.each == 1


def window(state: State) -> Window:
    """The open window."""
    task = state.stack[-1]
    assert isinstance(task, Window)
    return task


def test_no_last_wound_is_told_twice() -> None:  # R8.6
    state = facing(table(), LEFT, "outriders_left", (1, 7, 8))
    state = standing(facing(state, LEFT, "ram_crew_left"), 0, LEFT, horseman=1)
    state = owning(state, active=(Advisor.TACTICIAN_MONK,))
    state = answered(ordered(state), Strike(Zone.REST, HORSEMAN, LEFT, 1, (7, 8)))
    assert asked(state) == []


def test_attacks_are_mandatory_where_the_card_says_so() -> None:  # R6.5
    state = ordered(standing(two_rows(), 0, LEFT, spearman=1))
    assert {type(move) for move in answers(state)} == {Strike}
    others = answered(
        perform(standing(two_rows(), 1, LEFT, spearman=1), "attack_order/others", 1),
    )
    assert asked(others) == [(1, "choice")]


def test_recruits_are_declared_then_their_window_then_they_attack() -> None:  # R18.10
    state = owning(two_rows(), goods=RICH, tactics=(Tactic.COVERING_FIRE,))
    state = standing(state, 0, LEFT, firing=1)
    state = run(state, Recruiting(0, 2, (SPEARMAN, HORSEMAN), 0, None))
    state = answered(state, RecruitSoldier(SPEARMAN, LEFT, True, SPEAR))
    state = answered(state, RecruitSoldier(HORSEMAN, LEFT, True, HORSE))
    assert window(state).trigger is Trigger.ON_RECRUIT
    assert window(state).event.each == 2
    state = done(state)
    assert asked(state) == [(0, "forced_attack")]


def test_a_recruit_whose_target_is_gone_rests() -> None:
    state = facing(table(), LEFT, "outriders_left", (1, 7))
    state = owning(state, goods=RICH, tactics=(Tactic.COVERING_FIRE,))
    state = standing(state, 0, LEFT, firing=1)
    state = run(state, Recruiting(0, 1, (SPEARMAN,), 0, None))
    state = answered(state, RecruitSoldier(SPEARMAN, LEFT, True, SPEAR))
    state = answered(state, PlayTactic(Tactic.COVERING_FIRE, False))
    state = answered(state, PlaceWound(HordeCard.OUTRIDERS_LEFT, 8))
    assert (own(state).rest[0], asked(state)) == (1, [])


def test_no_more_recruits_attack_than_there_are_spots() -> None:
    state = owning(facing(table(), LEFT, "outriders_left", (1, 7)), goods=RICH)
    state = run(state, Recruiting(0, 2, (SPEARMAN,), 0, None))
    state = answered(state, RecruitSoldier(SPEARMAN, LEFT, True, SPEAR))
    assert refused(state, RecruitSoldier(SPEARMAN, LEFT, True, SPEAR)) == "no_target"


def test_recruits_are_no_extra_attackers_of_their_own_window() -> None:  # R18.7
    state = facing(table(), RIGHT, "outriders_right")
    state = owning(state, goods=RICH, active=(Advisor.DRILL_SERGEANT,))
    state = run(state, Recruiting(0, 1, (HORSEMAN,), 0, None))
    state = answered(state, RecruitSoldier(HORSEMAN, RIGHT, False, HORSE))
    assert window(state).trigger is Trigger.ON_RECRUIT
    assert not any(own(state).rest)
    assert Recruited(HORSEMAN, RIGHT, False) in recruits(state)
    assert own(done(state)).rest[8] == 1


def recruits(state: State) -> tuple[Recruited, ...]:
    """Recruits that are not yet on the board."""
    return next(task.recruits for task in state.stack if hasattr(task, "recruits"))
