"""Every box of the areas of the right sheet, played (4)."""

from __future__ import annotations

from itertools import product

import pytest
from msgspec.structs import replace

from services.hadrians_wall.cards import PlayerCard
from services.hadrians_wall.goods import Cohort, Gladiator, Worker
from services.hadrians_wall.rules.baths import Bathe
from services.hadrians_wall.rules.courthouse import HoldCourt
from services.hadrians_wall.rules.diplomats import SendDiplomat
from services.hadrians_wall.rules.ludus import Battle, TrainGladiator
from services.hadrians_wall.rules.market import Trade
from services.hadrians_wall.rules.neighbours import Source
from services.hadrians_wall.rules.temples import FillTemple
from services.hadrians_wall.rules.theatre import Perform
from tests.hadrians_wall.independent import facts
from tests.hadrians_wall.independent.facts import FACTS
from tests.hadrians_wall.independent.referee import changes, done, objected, refused, sheet
from tests.hadrians_wall.independent.setting import given, seated
from tests.hadrians_wall.independent.world import give, pay

MARKET, THEATRE, LUDUS, BATHS = (FACTS[name] for name in ("market", "theatre", "ludus", "baths"))


def row(length: int, **years: int) -> tuple[int, ...]:
    """A row of boxes, empty but for `_3=1`."""
    return tuple(years.get(f"_{box}", 0) for box in range(1, length + 1))


@pytest.mark.parametrize("box", range(1, 9))
def test_each_box_of_the_market(box: int) -> None:
    level = MARKET["levels"][box - 1]
    start = given(market=1, traders=level, resource=1, neutral=(PlayerCard.RANGER,))
    move = Trade(Source.LEFT, box)
    expected = sheet(start) | {"resource": 0, "goods": row(8, **{f"_{box}": 6}), "renown": 1}
    give(expected, facts.MARKET[box - 1])
    assert sheet(done(start, move)) == expected
    assert refused(seated(start, 0, traders=level - 1), move) == "needs_citizens"
    assert refused(seated(start, 0, resource=0), move) == "cannot_afford"
    assert refused(seated(start, 0, market=0), move) == "not_built"
    filled = seated(start, 0, goods=row(8, **{f"_{box}": 1}))
    assert refused(filled, move) == "box_filled"
    assert refused(start, Trade(Source.OWN, box)) == "own_prospect"
    assert refused(start, Trade(Source.RIGHT, box)) == "no_neighbour"
    assert refused(start, Trade(Source.LEFT, 9)) == "no_such_box"
    assert refused(start, Trade(Source.LEFT, 0)) == "no_such_box"


@pytest.mark.parametrize("known", range(6))
def test_the_nth_new_good_brings_its_renown_and_a_known_one_none(known: int) -> None:
    goods = (*range(1, known + 1), *[0] * (8 - known))
    start = given(market=1, traders=7, resource=1, goods=goods)
    then = done(start, Trade(Source.FATE, known + 1), fate=(facts.fate(good=known + 1),))
    assert then.sheets[0].renown == [1, 1, 1, 2, 2, 3][known]
    assert then.sheets[0].goods[known] == known + 1
    if known:
        again = done(start, Trade(Source.FATE, known + 1), fate=(facts.fate(good=known),))
        assert (again.sheets[0].renown, again.sheets[0].goods[known]) == (0, known)


@pytest.mark.parametrize(("box", "worker"), [(7, "servant"), (8, "builder")])
def test_a_known_good_still_pays_the_worker_of_its_box(box: int, worker: str) -> None:
    start = given(market=1, traders=9, resource=1, goods=(3, 0, 0, 0, 0, 0, 0, 0))
    then = changes(start, done(start, Trade(Source.FATE, box), fate=(facts.fate(good=3),)))
    goods = row(8, _1=3, **{f"_{box}": 3})
    assert then == {"resource": 0, "goods": goods, worker: 1}


@pytest.mark.parametrize("box", range(1, 7))
def test_each_box_of_the_theatre(box: int) -> None:
    level = THEATRE["levels"][box - 1]
    start, move = given(theatre=1, performers=level, resource=1, year=2), Perform(box)
    expected = sheet(start) | {"resource": 0, "plays": row(6, **{f"_{box}": 2})}
    give(expected, facts.THEATRE[box - 1])
    assert sheet(done(start, move)) == expected
    assert refused(seated(start, 0, performers=level - 1), move) == "needs_citizens"
    assert refused(seated(start, 0, resource=0), move) == "cannot_afford"
    assert refused(seated(start, 0, theatre=0), move) == "not_built"
    assert refused(seated(start, 0, plays=row(6, **{f"_{box}": 1})), move) == "box_filled"
    other = box % 6 + 1
    assert refused(seated(start, 0, plays=row(6, **{f"_{other}": 2})), move) == "once_a_year"
    assert refused(start, Perform(7)) == "no_such_box"


EACH = list(product(["red", "blue"], range(1, 7)))


@pytest.mark.parametrize(("gladiator", "circle"), EACH)
@pytest.mark.parametrize("worker", ["servant", "civilian"])
def test_each_circle_of_a_gladiator(gladiator: str, circle: int, worker: str) -> None:
    level = LUDUS["levels"][circle - 1]
    start = given(ludus=1, performers=level, **{gladiator: circle - 1, worker: 1})
    move = TrainGladiator(Gladiator(gladiator), Worker(worker))
    assert changes(start, done(start, move)) == {gladiator: circle, worker: 0}
    assert refused(seated(start, 0, performers=level - 1), move) == "needs_citizens"
    assert refused(seated(start, 0, **{worker: 0}), move) == "cannot_afford"
    assert refused(seated(start, 0, ludus=0), move) == "not_built"
    full = seated(start, 0, performers=9, **{gladiator: 6})
    assert refused(full, move) == "track_complete"
    rich = seated(start, 0, soldier=1, builder=1)
    for wrong in (Worker.SOLDIER, Worker.BUILDER):
        assert refused(rich, TrainGladiator(Gladiator(gladiator), wrong)) == "wrong_worker"


@pytest.mark.parametrize(("gladiator", "circled"), EACH)
@pytest.mark.parametrize("damage", [1, 2, 3])
def test_each_battle_by_circles_and_damage(gladiator: str, circled: int, damage: int) -> None:
    for wounds in range(circled):
        start = given(ludus=1, **{gladiator: circled, f"{gladiator}_wounds": wounds})
        then = done(start, Battle(Gladiator(gladiator)), fate=(facts.fate(gladiator=damage),))
        dead = wounds + damage >= circled
        expected = sheet(start) | {
            f"{gladiator}_battles": (1,),
            f"{gladiator}_wounds": circled if dead else wounds + damage,
        }
        give(expected, (facts.DIES if dead else facts.SURVIVES)[circled - 1])
        assert sheet(then) == expected
        next_year = seated(then, 0, servant=1, performers=9, **{f"{gladiator}_battles": ()})
        if dead:
            train = TrainGladiator(Gladiator(gladiator), Worker.SERVANT)
            assert "gladiator_dead" in objected(next_year, train)
            assert refused(next_year, Battle(Gladiator(gladiator))) == "gladiator_dead"


@pytest.mark.parametrize("gladiator", ["red", "blue"])
def test_a_gladiator_has_a_battle_for_each_year(gladiator: str) -> None:
    move, battles = Battle(Gladiator(gladiator)), f"{gladiator}_battles"
    for year in facts.YEARS:
        before = tuple(range(1, year))
        start = given(year=year, ludus=1, **{gladiator: 6, battles: before})
        then = done(start, move, fate=(facts.fate(gladiator=1),))
        assert sheet(then)[battles] == (*before, year)
        assert refused(then, move) == "once_a_year"
    assert refused(given(ludus=1), move) == "untrained"
    assert refused(given(**{gladiator: 2}), move) == "not_built"


@pytest.mark.parametrize("worker", facts.WORKERS)
@pytest.mark.parametrize("box", range(1, 15))
def test_each_box_of_the_temples_for_any_worker(box: int, worker: str) -> None:
    temple = 1 + [box <= end for end in FACTS["temples"]["ends"]].index(True)
    level = FACTS["temples"]["levels"][box - 1]
    start = given(temples=temple, temple_boxes=box - 1, priests=level, **{worker: 1})
    move = FillTemple(Worker(worker))
    gained = dict.fromkeys(facts.TEMPLES[box - 1], 1)
    assert changes(start, done(start, move)) == {worker: 0, "temple_boxes": box, **gained}
    assert refused(seated(start, 0, **{worker: 0}), move) == "cannot_afford"
    assert refused(seated(start, 0, priests=level - 1), move) == "needs_citizens"
    assert refused(seated(start, 0, temples=temple - 1), move) == "not_built"
    done(seated(start, 0, temples=3), move)
    assert refused(seated(start, 0, temple_boxes=14), move) == "track_complete"


@pytest.mark.parametrize("box", range(1, 7))
def test_each_box_of_the_baths(box: int) -> None:
    level, price = BATHS["levels"][box - 1], BATHS["resources"][box - 1]
    start, move = given(baths=1, apparitores=level, resource=price, disdain=1, year=3), Bathe(box)
    pools = row(6, **{f"_{box}": 3})
    assert changes(start, done(start, move)) == {
        "resource": 0, "pools": pools, "disdain": 0, "cleansed": 1,
    }  # fmt: skip
    assert refused(seated(start, 0, apparitores=level - 1), move) == "needs_citizens"
    assert refused(seated(start, 0, resource=price - 1), move) == "cannot_afford"
    assert refused(seated(start, 0, baths=0), move) == "not_built"
    assert refused(seated(start, 0, disdain=0, cleansed=2), move) == "no_disdain"
    assert refused(seated(start, 0, pools=row(6, **{f"_{box}": 1})), move) == "box_filled"
    others = [other for other in range(1, 7) if other != box][:2]
    twice = seated(start, 0, pools=row(6, **{f"_{other}": 3 for other in others}))
    assert refused(twice, move) == "twice_a_year"
    done(seated(start, 0, pools=row(6, **{f"_{others[0]}": 3, f"_{others[1]}": 2})), move)
    assert refused(start, Bathe(0)) == "no_such_box"


@pytest.mark.parametrize(("column", "box"), list(product([1, 2, 3], [1, 2, 3])))
def test_each_box_of_the_courthouse(column: int, box: int) -> None:
    price, gained, levels = facts.COURTS[column - 1]
    filled = {f"_{3 * column - 3 + number}": number for number in range(1, box)}
    start = given(
        year=box, courthouse=1, apparitores=levels[box - 1], courts=row(9, **filled), **price
    )
    expected, move = sheet(start), HoldCourt(column)
    pay(expected, price)
    expected["courts"] = row(9, **filled, **{f"_{3 * column - 3 + box}": box})
    give(expected, gained)
    then = done(start, move)
    assert sheet(then) == expected
    assert refused(seated(start, 0, apparitores=levels[box - 1] - 1), move) == "needs_citizens"
    assert refused(seated(start, 0, courthouse=0), move) == "not_built"
    for good in price:
        assert refused(seated(start, 0, **{good: 0}), move) == "cannot_afford"
    again = seated(then, 0, apparitores=9, **price)
    assert "once_a_year" in objected(again, move)
    if box == 3:
        assert refused(replace(again, year=5), move) == "track_complete"
    assert refused(start, HoldCourt(4)) == "no_such_column"


@pytest.mark.parametrize("cohort", facts.COHORTS)
@pytest.mark.parametrize("number", [1, 2, 3])
def test_each_diplomat_and_the_cohort_that_he_serves(number: int, cohort: str) -> None:
    level = FACTS["diplomats"]["levels"][number - 1]
    others = tuple(Cohort(one) for one in facts.COHORTS if one != cohort)[: number - 1]
    start = given(diplomats=others, patricians=level, **facts.DIPLOMAT_PRICE)
    move = SendDiplomat(Cohort(cohort))
    sent = (*map(str, others), cohort)
    assert changes(start, done(start, move)) == {
        "soldier": 0, "servant": 0, "resource": 0, "valour": 1, "diplomats": sent,
        f"favours_{cohort}": 2,
    }  # fmt: skip
    for good, count in facts.DIPLOMAT_PRICE.items():
        assert refused(seated(start, 0, **{good: count - 1}), move) == "cannot_afford"
    assert refused(seated(start, 0, patricians=level - 1), move) == "needs_citizens"
    for served in others:
        assert refused(start, SendDiplomat(served)) == "cohort_served"


def test_there_is_no_fourth_diplomat() -> None:
    start = given(diplomats=tuple(Cohort), patricians=9, **facts.DIPLOMAT_PRICE)
    for cohort in Cohort:
        assert objected(start, SendDiplomat(cohort)) == {"track_complete", "cohort_served"}
    smaller = seated(start, 0, diplomats=(Cohort.LEFT, Cohort.CENTRE))
    assert done(smaller, SendDiplomat(Cohort.RIGHT)).sheets[0].diplomats == tuple(Cohort)
