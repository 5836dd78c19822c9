"""The tracks of the left sheet (section 3)."""

from __future__ import annotations

from typing import Any

from services.hadrians_wall.effects import Choice
from services.hadrians_wall.goods import Attribute, Cohort, Worker
from services.hadrians_wall.rules.choices import ChooseAttribute, ChooseCohort
from services.hadrians_wall.rules.defences import (
    FillCippi,
    FillFort,
    FillGuard,
    FillMining,
    FillWall,
    TrainGuard,
)
from services.hadrians_wall.rules.finish import Finish
from tests.hadrians_wall.table import after, given, refused, seated, sheet


def test_the_second_mine_fills_a_production_circle_and_gives_a_resource() -> None:
    then = sheet(given(servant=2), FillMining(), FillMining())
    assert (then.mining, then.servant, then.production, then.resource) == (2, 0, 2, 1)


def test_without_a_servant_nobody_mines() -> None:
    assert refused(given(), FillMining()) == "cannot_afford"


def test_the_medium_granary_opens_the_centre_field() -> None:
    assert refused(given(servant=1, mining=4), FillMining()) == "needs_granary"
    assert sheet(given(servant=1, mining=4, granary=1), FillMining()).resource == 1


def test_the_large_granary_opens_the_right_field() -> None:
    assert refused(given(soldier=1, guard=12, granary=1), FillGuard()) == "needs_granary"
    assert sheet(given(soldier=1, guard=12, granary=2), FillGuard()).guard == 13


def test_a_complete_track_refuses_more() -> None:
    assert refused(given(servant=1, mining=14, granary=2), FillMining()) == "track_complete"
    full = given(builder=1, fort=21, granary=2)
    assert refused(full, FillFort(Worker.BUILDER)) == "track_complete"


def test_the_first_wall_guard_brings_a_cohort_of_choice() -> None:
    asked = after(given(soldier=1), FillGuard())
    assert asked.sheets[0].agenda == (Choice.COHORT,)
    assert refused(asked, Finish()) == "wrong_prompt"
    assert sheet(asked, ChooseCohort(Cohort.RIGHT)).cohort_right == 1


def test_cohorts_give_discipline_and_valour_on_the_way() -> None:
    for filled, gained in ((2, "discipline"), (4, "valour"), (5, "discipline")):
        asked = given(cohort_centre=filled, agenda=(Choice.COHORT,))
        assert getattr(sheet(asked, ChooseCohort(Cohort.CENTRE)), gained) == 1


def test_a_complete_cohort_takes_no_more() -> None:
    asked = given(cohort_left=6, agenda=(Choice.COHORT,))
    assert refused(asked, ChooseCohort(Cohort.LEFT)) == "track_complete"


def test_a_cohort_icon_with_all_tracks_full_is_lost() -> None:
    full = given(soldier=1, cohort_left=6, cohort_centre=6, cohort_right=6)
    assert sheet(full, FillGuard()).agenda == ()


def test_the_cippi_hang_on_the_fort() -> None:
    assert refused(given(resource=1, cippi=1, fort=3), FillCippi()) == "needs_fort"
    assert sheet(given(resource=1, cippi=1, fort=4), FillCippi()).cippi == 2


def test_the_wall_follows_the_fort_box_by_box() -> None:
    assert refused(given(resource=1), FillWall()) == "needs_fort"
    assert sheet(given(resource=1, fort=1), FillWall()).civilian == 1


def test_the_fourth_wall_gives_renown_first_and_then_a_cohort() -> None:
    then = sheet(given(resource=1, fort=4, wall=3, renown=2), FillWall())
    assert (then.renown, then.civilian, then.agenda) == (3, 1, (Choice.COHORT,))


def test_the_fort_takes_builders_and_soldiers_alone() -> None:
    assert sheet(given(builder=1), FillFort(Worker.BUILDER)).builder == 0
    assert sheet(given(soldier=1), FillFort(Worker.SOLDIER)).soldier == 0
    assert refused(given(servant=1), FillFort(Worker.SERVANT)) == "wrong_worker"


def test_training_fills_the_next_wall_guard_once_a_year() -> None:
    then = after(given(builder=2, guard=1), TrainGuard())
    assert (then.sheets[0].guard, then.sheets[0].discipline) == (2, 1)
    assert then.sheets[0].training == (1,)
    assert refused(then, TrainGuard()) == "once_a_year"


def test_training_is_refused_when_its_sword_could_not_be_marked() -> None:
    assert refused(given(builder=1, guard=6), TrainGuard()) == "needs_granary"
    assert refused(given(builder=1, guard=18, granary=2), TrainGuard()) == "track_complete"


def test_the_training_grounds_have_five_boxes() -> None:
    used = given(year=6, builder=1, training=(1, 2, 3, 4, 5))
    assert refused(used, TrainGuard()) == "track_complete"


def test_a_long_chain_runs_to_its_end_before_anything_else() -> None:
    # Fort 14: discipline (its 17th gives valour, whose 21st gives renown, whose 3rd a civilian),
    # and then a cohort.
    start = given(builder=1, fort=13, granary=1, discipline=16, valour=20, renown=2)
    then = sheet(start, FillFort(Worker.BUILDER))
    assert (then.discipline, then.valour, then.renown, then.civilian) == (17, 21, 3, 1)
    assert then.agenda == (Choice.COHORT,)


def test_an_attribute_beyond_25_is_lost() -> None:
    then = sheet(given(builder=1, fort=6, discipline=25), FillFort(Worker.BUILDER))
    assert (then.discipline, then.builder) == (25, 0)


def test_the_last_box_of_each_attribute_marks_another() -> None:
    pairs = {"renown": "valour", "piety": "discipline", "valour": "piety", "discipline": "renown"}
    for last, other in pairs.items():
        asked = seated(given(agenda=(Choice.ROAD_INCOME,)), 0, **{last: 24})
        then = sheet(asked, ChooseAttribute(Attribute(last)))
        assert (getattr(then, last), getattr(then, other)) == (25, 1)


def test_a_road_offers_its_own_attributes() -> None:
    small = given(agenda=(Choice.SMALL_ROAD,))
    assert refused(small, ChooseAttribute(Attribute.RENOWN)) == "not_offered"
    assert sheet(small, ChooseAttribute(Attribute.PIETY)).piety == 1
    large = given(agenda=(Choice.LARGE_ROAD,))
    assert refused(large, ChooseAttribute(Attribute.PIETY)) == "not_offered"
    assert sheet(large, ChooseAttribute(Attribute.VALOUR)).valour == 1


def test_a_choice_that_the_one_before_made_impossible_is_lost() -> None:
    full: dict[str, Any] = {"renown": 24, "piety": 25, "discipline": 25, "valour": 25}
    asked = given(agenda=(Choice.ROAD_INCOME, Choice.ROAD_INCOME), **full)
    assert sheet(asked, ChooseAttribute(Attribute.RENOWN)).agenda == ()
