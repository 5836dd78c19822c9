"""Theatre, ludus, temples, baths, courthouse, diplomats and scouts (section 4)."""

from __future__ import annotations

from typing import Any

import pytest

from services.hadrians_wall.cards import PLACEMENTS, Pattern, PlayerCard
from services.hadrians_wall.goods import Cohort, Gladiator, Worker
from services.hadrians_wall.rules.baths import Bathe
from services.hadrians_wall.rules.courthouse import HoldCourt
from services.hadrians_wall.rules.diplomats import SendDiplomat
from services.hadrians_wall.rules.ludus import Battle, TrainGladiator
from services.hadrians_wall.rules.neighbours import Source
from services.hadrians_wall.rules.scouts import Scout
from services.hadrians_wall.rules.temples import FillTemple
from services.hadrians_wall.rules.theatre import Perform
from services.hadrians_wall.state import HadriansWallOptions
from tests.hadrians_wall.table import after, fate_card, given, refused, seated, sheet

RED, BLUE = Gladiator.RED, Gladiator.BLUE


def test_the_theatre_plays_once_a_year_in_any_box_it_can_cast() -> None:
    state = given(theatre=1, performers=3, resource=2)
    then = after(state, Perform(2))
    assert (then.sheets[0].discipline, then.sheets[0].soldier) == (1, 1)
    assert refused(then, Perform(1)) == "once_a_year"
    assert refused(state, Perform(3)) == "needs_citizens"
    assert (
        refused(
            given(theatre=1, performers=9, plays=(1, 0, 0, 0, 0, 0), year=2, resource=1), Perform(1)
        )
        == "box_filled"
    )
    assert refused(given(performers=9, resource=1), Perform(1)) == "not_built"


def test_the_theatre_can_start_a_chain_of_citizens() -> None:
    then = sheet(given(theatre=1, performers=8, priests=3, resource=1, piety=2), Perform(5))
    assert (then.priests, then.piety, then.servant) == (4, 4, 1)


def test_gladiators_are_trained_circle_by_circle() -> None:
    state = given(ludus=1, performers=4, servant=1, civilian=2)
    then = after(state, TrainGladiator(RED, Worker.SERVANT), TrainGladiator(RED, Worker.CIVILIAN))
    assert then.sheets[0].red == 2
    assert refused(then, TrainGladiator(RED, Worker.CIVILIAN)) == "needs_citizens"
    assert refused(state, TrainGladiator(BLUE, Worker.SOLDIER)) == "wrong_worker"
    assert (
        refused(given(performers=4, servant=1), TrainGladiator(RED, Worker.SERVANT)) == "not_built"
    )


@pytest.mark.parametrize(
    ("strength", "renown", "resource"), [(2, 1, 0), (3, 1, 0), (4, 2, 0), (5, 2, 0), (6, 2, 1)]
)
def test_a_gladiator_that_lives_is_paid_by_all_its_circles(
    strength: int, renown: int, resource: int
) -> None:
    blow = fate_card(gladiator=1)
    then = sheet(given(ludus=1, red=strength), Battle(RED), fate=(blow,))
    assert (then.renown, then.resource, then.red_wounds) == (renown, resource, 1)


@pytest.mark.parametrize(("strength", "piety"), [(1, 2), (2, 2), (3, 1), (4, 1), (5, 0), (6, 0)])
def test_a_gladiator_that_dies_is_mourned(strength: int, piety: int) -> None:
    blow = fate_card(gladiator=3)
    weak = given(ludus=1, blue=strength, blue_wounds=max(0, strength - 3))
    then = after(weak, Battle(BLUE), fate=(blow,))
    assert (then.sheets[0].piety, then.sheets[0].renown) == (piety, 0)
    assert refused(then, Battle(BLUE)) == "gladiator_dead"


def test_a_dead_gladiator_is_not_trained() -> None:
    dead = given(ludus=1, performers=9, servant=1, red=2, red_wounds=2)
    assert refused(dead, TrainGladiator(RED, Worker.SERVANT)) == "gladiator_dead"


def test_wounds_stay_and_uncircled_circles_take_none() -> None:
    hurt = given(year=3, ludus=1, red=4, red_wounds=2, red_battles=(1, 2))
    then = sheet(hurt, Battle(RED), fate=(fate_card(gladiator=1),))
    assert (then.red_wounds, then.red_battles) == (3, (1, 2, 3))
    dead = sheet(hurt, Battle(RED), fate=(fate_card(gladiator=3),))
    assert dead.red_wounds == 4


def test_a_gladiator_fights_once_a_year_and_not_untrained() -> None:
    fought = after(given(ludus=1, red=6, blue=6), Battle(RED), fate=(fate_card(gladiator=1),))
    assert refused(fought, Battle(RED)) == "once_a_year"
    assert after(fought, Battle(BLUE), fate=(fate_card(gladiator=2),)).sheets[0].blue_wounds == 2
    assert refused(given(ludus=1), Battle(RED)) == "untrained"


def test_the_last_box_of_a_temple_brings_piety_and_a_favour() -> None:
    state = given(temples=1, priests=1, soldier=1, civilian=1)
    then = sheet(state, FillTemple(Worker.SOLDIER), FillTemple(Worker.CIVILIAN))
    assert (then.temple_boxes, then.piety, then.favours) == (2, 1, 1)


def test_temples_are_filled_in_their_order_though_all_are_built() -> None:
    state = given(temples=3, priests=9, servant=3)
    then = sheet(state, *[FillTemple(Worker.SERVANT)] * 3)
    assert then.temple_boxes == 3
    assert (
        refused(given(temples=1, priests=9, servant=1, temple_boxes=2), FillTemple(Worker.SERVANT))
        == "not_built"
    )
    assert (
        refused(given(temples=2, priests=4, servant=1, temple_boxes=4), FillTemple(Worker.SERVANT))
        == "needs_citizens"
    )
    assert (
        refused(given(temples=3, priests=9, servant=1, temple_boxes=14), FillTemple(Worker.SERVANT))
        == "track_complete"
    )


def test_baths_wash_off_disdain_but_never_ahead_of_it() -> None:
    rich: dict[str, Any] = {"baths": 1, "apparitores": 8, "resource": 9}
    assert refused(given(**rich), Bathe(1)) == "no_disdain"
    then = after(given(disdain=3, **rich), Bathe(5), Bathe(1))
    assert (then.sheets[0].disdain, then.sheets[0].cleansed, then.sheets[0].resource) == (1, 2, 5)
    assert refused(then, Bathe(2)) == "twice_a_year"


def test_bath_boxes_need_apparitores_and_resources() -> None:
    state = given(disdain=1, baths=1, apparitores=5, resource=1)
    assert refused(state, Bathe(4)) == "needs_citizens"
    assert refused(state, Bathe(3)) == "cannot_afford"
    assert (
        refused(
            given(disdain=1, baths=1, apparitores=8, resource=1, year=2, pools=(1, 0, 0, 0, 0, 0)),
            Bathe(1),
        )
        == "box_filled"
    )


def test_court_is_held_once_a_year_in_each_column() -> None:
    state = given(courthouse=1, apparitores=8, builder=1, servant=1)
    then = after(state, HoldCourt(1), HoldCourt(2), HoldCourt(3))
    board = then.sheets[0]
    assert (board.builder, board.servant) == (1, 3)  # +1 Se; 1 Bu for 2 Se; 1 Se for 1 Bu
    assert board.courts == (1, 0, 0, 1, 0, 0, 1, 0, 0)
    assert refused(then, HoldCourt(1)) == "once_a_year"


def test_a_court_needs_apparitores_box_by_box() -> None:
    once = given(courthouse=1, apparitores=4, year=2, courts=(1, 0, 0, 0, 0, 0, 0, 0, 0))
    assert refused(once, HoldCourt(1)) == "needs_citizens"
    worn = given(courthouse=1, apparitores=9, year=4, courts=(1, 2, 3, 0, 0, 0, 0, 0, 0))
    assert refused(worn, HoldCourt(1)) == "track_complete"


def test_a_diplomat_serves_one_cohort_that_has_none() -> None:
    state = given(patricians=3, soldier=2, servant=2, resource=4)
    then = after(state, SendDiplomat(Cohort.RIGHT))
    assert (then.sheets[0].valour, then.sheets[0].favours_right) == (1, 2)
    assert refused(then, SendDiplomat(Cohort.RIGHT)) == "cohort_served"
    assert after(then, SendDiplomat(Cohort.LEFT)).sheets[0].diplomats == (
        Cohort.RIGHT,
        Cohort.LEFT,
    )


def test_the_third_diplomat_needs_six_patricians() -> None:
    rich: dict[str, Any] = {"soldier": 1, "servant": 1, "resource": 2}
    two = given(patricians=5, diplomats=(Cohort.LEFT, Cohort.RIGHT), **rich)
    assert refused(two, SendDiplomat(Cohort.CENTRE)) == "needs_citizens"


def test_some_forts_have_no_diplomats() -> None:
    options = HadriansWallOptions(campaign=8)
    state = given(options=options, patricians=9, soldier=1, servant=1, resource=2)
    assert refused(state, SendDiplomat(Cohort.LEFT)) == "forbidden_by_campaign"


def test_a_scout_fills_what_lies_there_and_completed_rows_give_valour() -> None:
    state = given(patricians=2, soldier=1, prospects=(PlayerCard.ARCHITECT,), map=1 << 4)
    then = sheet(state, Scout(Source.OWN, (0, 1, 2, 3)))
    assert (then.resource, then.valour, then.map, then.scouts) == (1, 1, 0b11111, 1)


def test_a_scout_may_turn_and_mirror_its_pattern() -> None:
    state = given(patricians=9, soldier=1, prospects=(PlayerCard.DEFENDER,))
    for cells in ((2, 5, 6, 7), (0, 5, 6, 7), (0, 1, 5, 10), (0, 1, 6, 11)):
        assert sheet(state, Scout(Source.OWN, cells)).map == sum(1 << cell for cell in cells)
    for wrong in ((0, 1, 2, 3), (0, 1, 5, 6), (3, 4, 5, 9), (7, 6, 5, 2), ()):
        assert refused(state, Scout(Source.OWN, wrong)) == "not_the_pattern"


def test_scouts_stay_on_free_cells() -> None:
    state = given(patricians=9, soldier=1, prospects=(PlayerCard.FIGHTER,), map=1)
    assert refused(state, Scout(Source.OWN, (0, 1, 5, 6))) == "cell_filled"


def test_a_scout_in_a_neighbours_pattern_gives_him_the_soldier() -> None:
    state = given(seats=3, patricians=2, soldier=1)
    state = seated(state, 1, prospects=(PlayerCard.FIGHTER,), passed=True)
    then = after(state, Scout(Source.LEFT, (0, 1, 5, 6)))
    assert (then.sheets[0].soldier, then.sheets[1].soldier, then.sheets[1].passed) == (0, 1, False)
    assert refused(state, Scout(Source.FATE, (0, 1, 5, 6))) == "no_pattern"


def test_scouts_need_patricians_and_are_five() -> None:
    assert refused(given(patricians=1, soldier=1), Scout(Source.OWN, (0,))) == "needs_citizens"
    worn = given(patricians=9, soldier=1, scouts=5)
    assert refused(worn, Scout(Source.OWN, (0,))) == "track_complete"


def test_every_pattern_has_its_placements() -> None:
    counts = {pattern: len(found) for pattern, found in PLACEMENTS.items()}
    # squares 3 x 4; bars lie in 4 x 2 and stand in 5 x 1; the others 2 x 3 or 3 x 2 cells
    assert counts == {
        Pattern.O: 12,
        Pattern.I: 8 + 5,
        Pattern.S: 2 * (3 * 3 + 2 * 4),
        Pattern.T: 2 * (3 * 3 + 2 * 4),
        Pattern.L: 4 * (3 * 3 + 2 * 4),
    }
