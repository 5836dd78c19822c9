"""Every building, landmark and citizen's box, played (3 and 4)."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from services.gamekit.chance import Chance
from services.gamekit.play import settle
from services.hadrians_wall.buildings import Building, Landmark
from services.hadrians_wall.cards import PlayerCard
from services.hadrians_wall.game import GAME
from services.hadrians_wall.goods import Citizen
from services.hadrians_wall.rules.building import Build, RaiseLandmark
from services.hadrians_wall.rules.citizens import FillCitizen
from services.hadrians_wall.rules.paths import ChoosePath
from services.hadrians_wall.state import HadriansWallOptions, Phase, State
from tests.hadrians_wall.independent import facts
from tests.hadrians_wall.independent.facts import BUILDINGS, FACTS, LANDMARKS, SCALES
from tests.hadrians_wall.independent.referee import changes, done, refused, sheet
from tests.hadrians_wall.independent.setting import given, seated
from tests.hadrians_wall.independent.world import CHOICES, give, pay

RIGHT_SHEET = [
    "small_precinct", "medium_precinct", "large_precinct", "market", "theatre", "ludus",
    "small_gardens", "large_gardens", "small_temple", "medium_temple", "large_temple", "baths",
    "courthouse",
]  # fmt: skip


def site(name: str, **more: Any) -> State:
    """A sheet that may just build it: its level, the smaller one, its price and no more."""
    plan = BUILDINGS[name]
    fields = {plan.track: plan.level, plan.family: plan.size - 1}
    return given(**{**fields, **plan.price, **more})


def test_every_building_of_the_game_is_printed() -> None:
    assert set(BUILDINGS) == {building.value for building in Building}
    assert set(LANDMARKS) == {landmark.value for landmark in Landmark}


@pytest.mark.parametrize("name", BUILDINGS)
def test_a_building_costs_and_gives_what_is_printed(name: str) -> None:
    plan, start = BUILDINGS[name], site(name)
    expected = sheet(start)
    pay(expected, plan.price)
    expected[plan.family] = plan.size
    give(expected, plan.gain)
    then = done(start, Build(Building(name)))
    assert sheet(then) == expected
    assert all(name in sheet(then)["agenda"] for name in plan.gain if name in CHOICES)
    assert all(changes(start, then)[icon] for icon in plan.gain if icon in facts.ATTRIBUTES)


@pytest.mark.parametrize("name", BUILDINGS)
def test_a_building_is_refused_without_its_price_its_level_or_the_smaller_one(name: str) -> None:
    plan, start, move = BUILDINGS[name], site(name), Build(Building(name))
    for good, count in plan.price.items():
        assert refused(seated(start, 0, **{good: count - 1}), move) == "cannot_afford"
    early = seated(start, 0, **{plan.track: plan.level - 1})
    missing = "needs_infrastructure" if plan.track == "fort" else "needs_citizens"
    assert refused(early, move) == missing
    assert refused(seated(start, 0, **{plan.family: plan.size}), move) == "already_built"
    if plan.size > 1:
        assert refused(seated(start, 0, **{plan.family: plan.size - 2}), move) == "needs_smaller"


@pytest.mark.parametrize("name", BUILDINGS)
def test_at_vindobala_a_building_costs_a_resource_more(name: str) -> None:
    fort, plan, move = HadriansWallOptions(campaign=4), BUILDINGS[name], Build(Building(name))
    assert refused(site(name, options=fort), move) == "cannot_afford"
    more = plan.price.get("resource", 0) + 1
    dear = done(site(name, options=fort, resource=more), move)
    assert sheet(dear) == sheet(done(site(name), move))
    landmark = given(options=fort, renown=15, **facts.LANDMARK_PRICE)
    assert done(landmark, RaiseLandmark(Landmark.ARCHWAY)).sheets[0].archway == 1


@pytest.mark.parametrize("name", LANDMARKS)
def test_a_landmark_costs_and_gives_what_is_printed(name: str) -> None:
    attribute, gained = LANDMARKS[name]
    start, move = given(**{attribute: 15}, **facts.LANDMARK_PRICE), RaiseLandmark(Landmark(name))
    then = done(start, move)
    assert changes(start, then) == {"builder": 0, "resource": 0, name: 1, gained[0]: 2}
    assert then.sheets[0].builder == 0
    assert refused(seated(start, 0, **{attribute: 14}), move) == "needs_attribute"
    assert refused(seated(start, 0, builder=0), move) == "cannot_afford"
    assert refused(seated(start, 0, resource=1), move) == "cannot_afford"
    assert refused(seated(start, 0, **{name: 1}), move) == "already_built"


@pytest.mark.parametrize(("track", "box"), list(product(facts.CITIZENS, range(1, 10))))
def test_each_citizen_costs_a_civilian_and_gives_what_is_printed(track: str, box: int) -> None:
    start, move = given(civilian=1, **{track: box - 1}), FillCitizen(Citizen(track))
    gained = SCALES[track][box - 1]
    assert changes(start, done(start, move)) == {
        "civilian": 0, track: box, **dict.fromkeys(gained, 1),
    }  # fmt: skip
    assert refused(seated(start, 0, civilian=0), move) == "cannot_afford"


@pytest.mark.parametrize("track", facts.CITIZENS)
def test_a_complete_citizen_track_refuses_civilians_and_loses_icons(track: str) -> None:
    full = given(civilian=1, **{track: 9})
    assert refused(full, FillCitizen(Citizen(track))) == "track_complete"
    gardens = site("large_gardens", **{"priests": 7, track: 9})
    then = done(gardens, Build(Building.LARGE_GARDENS))
    assert getattr(then.sheets[0], track) == 9


@pytest.mark.parametrize("box", range(1, 10))
@pytest.mark.parametrize("track", ["traders", "performers", "apparitores", "patricians"])
def test_a_citizens_icon_fills_each_box_as_a_civilian_does(track: str, box: int) -> None:
    start = site("large_gardens", **{track: box - 1})
    then = changes(start, done(start, Build(Building.LARGE_GARDENS)))
    assert then[track] == box
    gains = [icon for icon in SCALES[track][box - 1] if icon in facts.ATTRIBUTES]
    assert all(then[icon] >= 1 for icon in gains)


@pytest.mark.parametrize(
    ("family", "good"), [("hotel", "civilian"), ("workshop", "builder"), ("production", "resource")]
)
def test_what_is_built_pays_every_year(family: str, good: str) -> None:
    for level in range(1, 10) if family == "production" else range(3):
        state = paid(**{"production": 0, family: level})
        assert sheet(state)[good] == level
        others = [one for one in facts.GOODS if one not in (good, "soldier")]
        assert not any(sheet(state)[one] for one in others)


@pytest.mark.parametrize("level", [1, 2])
def test_each_road_gives_an_attribute_of_choice_every_year(level: int) -> None:
    state = paid(production=0, road=level)
    assert sheet(state)["agenda"] == ("road_income",) * level


def test_a_road_gives_nothing_when_all_four_are_full() -> None:
    assert sheet(paid(production=0, road=2, **dict.fromkeys(facts.ATTRIBUTES, 25)))["agenda"] == ()


def paid(**fields: Any) -> State:
    """The beginning of a year's actions for a sheet whose prospect is the Fighter's soldier."""
    cards = (PlayerCard.RANGER, PlayerCard.FIGHTER)
    state = given(prospects=(), hand=cards, **fields)
    state = done(replaced(state), ChoosePath(PlayerCard.RANGER))
    state, _ = settle(GAME, state, Chance(b"neutral"))
    assert state.phase is Phase.ACTIONS
    assert state.sheets[0].soldier == 1
    return state


def replaced(state: State) -> State:
    """The same sheets, when the paths are chosen."""
    return State(state.options, state.sheets, phase=Phase.PATH)


def test_the_right_sheet_is_complete() -> None:
    left = [name for name, plan in BUILDINGS.items() if plan.track == "fort"]
    assert sorted(left + RIGHT_SHEET) == sorted(BUILDINGS)
    assert len(left) == len(FACTS["infrastructure"])
