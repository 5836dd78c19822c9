"""Buildings, landmarks, citizens and the forum (sections 3 and 4)."""

from __future__ import annotations

from typing import Any

import pytest

from services.hadrians_wall.buildings import BUILDINGS, LANDMARKS, Building, Landmark
from services.hadrians_wall.effects import Choice
from services.hadrians_wall.goods import Attribute, Citizen, Worker
from services.hadrians_wall.rules.building import Build, RaiseLandmark
from services.hadrians_wall.rules.citizens import FillCitizen, UseForum
from services.hadrians_wall.state import HadriansWallOptions
from tests.hadrians_wall.table import after, given, refused, sheet

PLENTY: dict[str, Any] = {"soldier": 5, "builder": 5, "servant": 5, "civilian": 5, "resource": 5}


def site(building: Building, **changes: Any) -> dict[str, Any]:
    """A sheet on which a building may be built."""
    plan = BUILDINGS[building]
    return {**PLENTY, plan.track: plan.level, plan.family: plan.size - 1, **changes}


@pytest.mark.parametrize("building", Building)
def test_a_building_is_paid_for_and_built_once(building: Building) -> None:
    plan = BUILDINGS[building]
    then = after(given(**site(building)), Build(building))
    assert getattr(then.sheets[0], plan.family) == plan.size
    if not then.sheets[0].agenda:
        again = given(**site(building, **{plan.family: plan.size}))
        assert refused(again, Build(building)) == "already_built"


@pytest.mark.parametrize("building", Building)
def test_a_building_needs_its_level(building: Building) -> None:
    plan = BUILDINGS[building]
    early = given(**site(building, **{plan.track: plan.level - 1}))
    expected = "needs_infrastructure" if plan.track == "fort" else "needs_citizens"
    assert refused(early, Build(building)) == expected


@pytest.mark.parametrize("building", [one for one in Building if BUILDINGS[one].size > 1])
def test_a_larger_building_needs_the_smaller_one(building: Building) -> None:
    plan = BUILDINGS[building]
    bare = given(**site(building, **{plan.family: plan.size - 2}))
    assert refused(bare, Build(building)) == "needs_smaller"


def test_a_building_costs_all_of_its_goods() -> None:
    for good, count in BUILDINGS[Building.COURTHOUSE].price.items():
        poor = given(**site(Building.COURTHOUSE, **{good: count - 1}))
        assert refused(poor, Build(Building.COURTHOUSE)) == "cannot_afford"


def test_the_large_road_gives_renown_or_valour() -> None:
    then = sheet(given(**site(Building.LARGE_ROAD)), Build(Building.LARGE_ROAD))
    assert then.agenda == (Choice.LARGE_ROAD,)


def test_large_gardens_bring_one_of_each_citizen() -> None:
    then = sheet(given(**site(Building.LARGE_GARDENS)), Build(Building.LARGE_GARDENS))
    assert (then.traders, then.performers, then.apparitores, then.patricians) == (1, 1, 1, 1)
    assert (then.priests, then.piety) == (8, 2)  # the eighth priest marks piety, too


@pytest.mark.parametrize("landmark", Landmark)
def test_a_landmark_needs_fifteen_and_spends_nothing_of_it(landmark: Landmark) -> None:
    needed = LANDMARKS[landmark].attribute
    early = given(**{**PLENTY, needed: 14})
    assert refused(early, RaiseLandmark(landmark)) == "needs_attribute"
    then = after(given(**{**PLENTY, needed: 15}), RaiseLandmark(landmark))
    board = then.sheets[0]
    assert getattr(board, needed) == 15
    assert sum(getattr(board, one) for one in Attribute) == 17
    assert (board.builder, board.resource) == (4, 3)
    assert refused(then, RaiseLandmark(landmark)) == "already_built"


def test_a_civilian_becomes_a_citizen() -> None:
    then = sheet(given(civilian=1), FillCitizen(Citizen.TRADERS))
    assert (then.civilian, then.traders, then.servant) == (0, 1, 1)


def test_citizens_beyond_nine_are_refused_or_lost() -> None:
    full = given(civilian=1, priests=9)
    assert refused(full, FillCitizen(Citizen.PRIESTS)) == "track_complete"
    gardens = given(**site(Building.SMALL_GARDENS, traders=9))
    assert sheet(gardens, Build(Building.SMALL_GARDENS)).traders == 9


def test_the_forum_gives_a_worker_that_was_not_paid() -> None:
    state = given(builder=1, servant=1)
    assert sheet(state, UseForum(1, 1, 0, Worker.CIVILIAN)).civilian == 1
    for same in (Worker.BUILDER, Worker.SERVANT, Worker.SOLDIER):
        assert refused(state, UseForum(1, 1, 0, same)) == "wrong_worker"


def test_the_forum_takes_exactly_two_workers_that_are_there() -> None:
    assert refused(given(builder=3), UseForum(3, 0, 0, Worker.SERVANT)) == "pay_two_workers"
    assert refused(given(builder=1), UseForum(2, 0, 0, Worker.SERVANT)) == "cannot_afford"
    assert refused(given(builder=3), UseForum(3, -1, 0, Worker.CIVILIAN)) == "pay_two_workers"


def test_the_forum_is_used_once_a_year_and_four_times_in_all() -> None:
    then = after(given(builder=4), UseForum(2, 0, 0, Worker.SERVANT))
    assert refused(then, UseForum(2, 0, 0, Worker.SERVANT)) == "once_a_year"
    worn = given(year=5, builder=2, forum=(1, 2, 3, 4))
    assert refused(worn, UseForum(2, 0, 0, Worker.SERVANT)) == "track_complete"


@pytest.mark.parametrize(
    ("fort", "building"),
    [(6, Building.THEATRE), (6, Building.LUDUS), (15, Building.LARGE_GRANARY)],
)
def test_some_forts_forbid_a_building(fort: int, building: Building) -> None:
    state = given(options=HadriansWallOptions(campaign=fort), **site(building))
    assert refused(state, Build(building)) == "forbidden_by_campaign"


def test_at_vindobala_buildings_cost_a_resource_more() -> None:
    options = HadriansWallOptions(campaign=4)
    then = sheet(given(options=options, **site(Building.THEATRE)), Build(Building.THEATRE))
    assert then.resource == PLENTY["resource"] - 2
    poor = given(options=options, **site(Building.THEATRE, resource=1))
    assert refused(poor, Build(Building.THEATRE)) == "cannot_afford"


def test_at_brocolitia_there_are_no_landmarks() -> None:
    state = given(options=HadriansWallOptions(campaign=7), **PLENTY, renown=15)
    assert refused(state, RaiseLandmark(Landmark.ARCHWAY)) == "forbidden_by_campaign"
