"""Every box of the left sheet, played: what it costs, what it gives, why it is refused (3)."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from services.hadrians_wall.effects import Choice
from services.hadrians_wall.goods import Attribute, Cohort, Worker
from services.hadrians_wall.rules import defences
from services.hadrians_wall.rules.choices import ChooseAttribute, ChooseCohort
from services.hadrians_wall.rules.citizens import UseForum
from services.hadrians_wall.state import State
from tests.hadrians_wall.independent import facts
from tests.hadrians_wall.independent.facts import LINES
from tests.hadrians_wall.independent.referee import Move, changes, done, refused, sheet
from tests.hadrians_wall.independent.setting import given, seated
from tests.hadrians_wall.independent.world import give, pay

MOVES: dict[str, dict[str, Move]] = {
    "mining": {"servant": defences.FillMining()},
    "guard": {"soldier": defences.FillGuard()},
    "cippi": {"resource": defences.FillCippi()},
    "wall": {"resource": defences.FillWall()},
    "fort": {
        "builder": defences.FillFort(Worker.BUILDER),
        "soldier": defences.FillFort(Worker.SOLDIER),
    },
}
EVERY_BOX = [
    pytest.param(track, box, price, id=f"{track} {box} for a {next(iter(price))}")
    for track, line in LINES.items()
    for box in range(1, len(line.boxes) + 1)
    for price in line.prices
]


def ready(track: str, box: int, **more: Any) -> State:
    """The box is next, with no more granary and fort than it needs, and nothing in hand."""
    line = LINES[track]
    fields = {"granary": [box <= end for end in line.ends].index(True), **more}
    if line.fort:
        fields.setdefault("fort", line.fort[box - 1])
    return given(**{**fields, track: box - 1})


@pytest.mark.parametrize(("track", "box", "price"), EVERY_BOX)
def test_a_box_costs_and_gives_what_is_printed(track: str, box: int, price: facts.Price) -> None:
    (good,) = price
    start = ready(track, box, **price)
    expected = sheet(start)
    pay(expected, price)
    expected[track] = box
    give(expected, LINES[track].boxes[box - 1])
    then = done(start, MOVES[track][good])
    assert sheet(then) == expected
    for icon in LINES[track].boxes[box - 1]:
        assert icon == "cohort" or changes(start, then)[icon] == sheet(start)[icon] + 1
    assert ("cohort" in LINES[track].boxes[box - 1]) == (then.sheets[0].agenda == ("cohort",))


@pytest.mark.parametrize(("track", "box", "price"), EVERY_BOX)
def test_a_box_is_refused_without_its_price_its_granary_or_its_fort(
    track: str, box: int, price: facts.Price
) -> None:
    (good,) = price
    move, open_ = MOVES[track][good], ready(track, box, **price)
    assert refused(seated(open_, 0, **{good: 0}), move) == "cannot_afford"
    section = open_.sheets[0].granary
    if section:
        assert refused(seated(open_, 0, granary=section - 1), move) == "needs_granary"
    if LINES[track].fort:
        assert refused(seated(open_, 0, fort=open_.sheets[0].fort - 1), move) == "needs_fort"


@pytest.mark.parametrize("track", LINES)
def test_a_complete_track_refuses_more(track: str) -> None:
    full = given(granary=2, fort=21, **dict.fromkeys(facts.GOODS, 1))
    full = seated(full, 0, **{track: len(LINES[track].boxes)})
    for move in MOVES[track].values():
        assert refused(full, move) == "track_complete"


@pytest.mark.parametrize("box", range(1, 19))
def test_the_sword_of_the_training_grounds_fills_each_box_of_the_wall_guard(box: int) -> None:
    start = ready("guard", box, builder=1)
    then = done(start, defences.TrainGuard())
    expected = sheet(start) | {"builder": 0, "training": (1,), "guard": box}
    give(expected, LINES["guard"].boxes[box - 1])
    assert sheet(then) == expected
    assert refused(seated(start, 0, builder=0), defences.TrainGuard()) == "cannot_afford"
    if box > 6:
        closed = seated(start, 0, granary=start.sheets[0].granary - 1)
        assert refused(closed, defences.TrainGuard()) == "needs_granary"


def test_the_training_grounds_have_five_boxes_one_a_year() -> None:
    state = given(builder=6)
    for year in range(1, 6):
        state = done(seated_in(state, year), defences.TrainGuard())
        state = settled(state)
        assert state.sheets[0].training == tuple(range(1, year + 1))
        assert year == 5 or refused(state, defences.TrainGuard()) == "once_a_year"
    assert refused(seated_in(state, 6), defences.TrainGuard()) == "track_complete"


def seated_in(state: State, year: int) -> State:
    """The same sheets in another year."""
    return given(year=year, **{name: getattr(state.sheets[0], name) for name in sheet(state)})


def settled(state: State) -> State:
    """Open cohort icons go to the left."""
    while state.sheets[0].agenda:
        state = done(state, ChooseCohort(Cohort.LEFT))
    return state


FOUR = ("soldier", "builder", "servant", "civilian")


@pytest.mark.parametrize(("one", "two", "taken"), list(product(FOUR[1:], FOUR[1:], FOUR)))
def test_the_forum_takes_two_workers_for_a_third_kind(one: str, two: str, taken: str) -> None:
    paid = {name: (one == name) + (two == name) for name in FOUR[1:]}
    start = given(**paid)
    move = UseForum(paid["builder"], paid["servant"], paid["civilian"], Worker(taken))
    if taken == "soldier" or taken in (one, two):
        assert refused(start, move) == "wrong_worker"
        return
    then = done(start, move)
    assert changes(start, then) == {one: 0, two: 0, taken: 1, "forum": (1,)}
    assert refused(seated(start, 0, **{one: 0}), move) == "cannot_afford"


def test_the_forum_has_four_boxes_one_a_year() -> None:
    state, move = given(builder=9), UseForum(2, 0, 0, Worker.SERVANT)
    for year in range(1, 5):
        state = done(seated_in(state, year), move)
        assert state.sheets[0].forum == tuple(range(1, year + 1))
        assert year == 4 or refused(seated(state, 0, builder=2), move) == "once_a_year"
    assert refused(seated(seated_in(state, 5), 0, builder=2), move) == "track_complete"


@pytest.mark.parametrize(
    ("builders", "servants", "civilians", "taken"),
    [(1, 0, 0, "servant"), (2, 1, 0, "civilian"), (0, 1, 2, "builder"), (3, -1, 0, "civilian")],
)
def test_the_forum_takes_two_workers_and_no_other_number(
    builders: int, servants: int, civilians: int, taken: str
) -> None:
    move = UseForum(builders, servants, civilians, Worker(taken))
    assert refused(given(builder=3, servant=3, civilian=3), move) == "pay_two_workers"


@pytest.mark.parametrize(("cohort", "box"), list(product(facts.COHORTS, range(1, 7))))
def test_each_cohort_box_gives_what_is_printed(cohort: str, box: int) -> None:
    field = f"cohort_{cohort}"
    start = given(agenda=(Choice.COHORT,), **{field: box - 1})
    then = done(start, ChooseCohort(Cohort(cohort)))
    expected: dict[str, Any] = {field: box, "agenda": ()}
    expected |= dict.fromkeys(facts.COHORT[box - 1], 1)
    assert changes(start, then) == expected


def test_a_full_cohort_is_not_chosen_and_with_all_full_the_icon_is_lost() -> None:
    start = given(agenda=(Choice.COHORT,), cohort_centre=6)
    assert refused(start, ChooseCohort(Cohort.CENTRE)) == "track_complete"
    full = given(soldier=1, cohort_left=6, cohort_centre=6, cohort_right=6)
    assert changes(full, done(full, defences.FillGuard())) == {"soldier": 0, "guard": 1}


@pytest.mark.parametrize(("attribute", "box"), list(product(facts.ATTRIBUTES, range(1, 26))))
def test_each_box_of_an_attribute_gives_what_is_printed(attribute: str, box: int) -> None:
    start = given(agenda=(Choice.ROAD_INCOME,), **{attribute: box - 1})
    then = done(start, ChooseAttribute(Attribute(attribute)))
    gained = facts.SCALES[attribute][box - 1]
    expected: dict[str, Any] = {attribute: box, "agenda": (), **dict.fromkeys(gained, 1)}
    assert changes(start, then) == expected


@pytest.mark.parametrize("attribute", facts.ATTRIBUTES)
def test_an_attribute_at_25_is_not_chosen(attribute: str) -> None:
    start = given(agenda=(Choice.ROAD_INCOME,), **{attribute: 25})
    assert refused(start, ChooseAttribute(Attribute(attribute))) == "track_complete"


@pytest.mark.parametrize(
    ("choice", "offered"),
    [("small_road", {"piety", "discipline"}), ("large_road", {"renown", "valour"})],
)
def test_a_road_offers_two_attributes(choice: str, offered: set[str]) -> None:
    start = given(agenda=(Choice(choice),))
    for attribute in facts.ATTRIBUTES:
        move = ChooseAttribute(Attribute(attribute))
        if attribute in offered:
            assert changes(start, done(start, move)) == {attribute: 1, "agenda": ()}
        else:
            assert refused(start, move) == "not_offered"


@pytest.mark.parametrize("filled", range(1, 10))
def test_the_hammer_fills_one_of_nine_circles_and_beyond_them_nothing(filled: int) -> None:
    start = given(servant=1, mining=1, production=filled)
    then = done(start, defences.FillMining())
    assert then.sheets[0].production == min(9, filled + 1)
    assert then.sheets[0].resource == 1


def test_of_two_choices_the_second_is_lost_when_the_first_filled_the_last_track() -> None:
    full = dict.fromkeys(facts.ATTRIBUTES, 25)
    start = given(agenda=(Choice.ROAD_INCOME,) * 2, **{**full, "piety": 24})
    then = done(start, ChooseAttribute(Attribute.PIETY))
    assert changes(start, then) == {"piety": 25, "agenda": ()}
    open_ = seated(start, 0, valour=23)
    then = done(open_, ChooseAttribute(Attribute.PIETY))
    assert changes(open_, then) == {"piety": 25, "agenda": ("road_income",)}
