"""The evaluation for bots."""

from __future__ import annotations

from itertools import product
from math import isclose

from msgspec.structs import replace

from services.gamekit.chance import Chance
from services.gamekit.game import Seat
from services.hadrians_wall.cards import PlayerCard
from services.hadrians_wall.evaluate import evaluate
from services.hadrians_wall.game import GAME
from services.hadrians_wall.outlook import expected, loss, to_come
from services.hadrians_wall.rules.finish import Finish
from services.hadrians_wall.state import Phase
from tests.hadrians_wall.table import after, given, seated


def worth(**fields: object) -> float:
    """The evaluation of a sheet in year 3."""
    return evaluate(given(year=3, **fields), Seat(0))  # type: ignore[arg-type]  # fields of a sheet


def test_at_the_end_it_is_the_score() -> None:
    state = given(year=6, renown=9, disdain=4, path=(PlayerCard.FIGHTER,), cohort_left=6)
    state = replace(state, phase=Phase.OVER)
    assert evaluate(state, Seat(0)) == GAME.score(state)[0].total


def test_more_of_anything_useful_is_worth_more() -> None:
    for field in ("renown", "resource", "production", "hotel", "road", "cohort_left", "favours"):
        assert worth(**{field: 2}) > worth(**{field: 1}), field


def test_disdain_is_worth_less() -> None:
    assert worth(disdain=3) < worth(disdain=2) < worth()


def test_goods_are_worth_nothing_to_who_has_stopped() -> None:
    rich, poor = given(seats=2, resource=5), given(seats=2)
    assert evaluate(rich, Seat(0)) > evaluate(poor, Seat(0))
    assert evaluate(after(rich, Finish()), Seat(0)) == evaluate(after(poor, Finish()), Seat(0))


def test_it_looks_at_nothing_that_the_seat_cannot_see() -> None:
    state = seated(given(seats=3), 1, path=(PlayerCard.RANGER,), map=2**20 - 1)
    other = GAME.imagine(state, Seat(0), Chance(b"another world"))
    assert evaluate(state, Seat(0)) == evaluate(other, Seat(0))


def test_the_mean_of_an_attack_is_that_of_all_draws() -> None:
    for cards, cohorts, favours in ((2, (0, 1, 2), 0), (4, (1, 1, 2), 1), (5, (2, 0, 0), 0)):
        disdain = valour = 0
        for draw in product(range(3), repeat=cards):
            through = sum(max(0, draw.count(one) - cohorts[one]) for one in range(3)) - favours
            disdain += min(3, max(0, through))
            valour += max(0, 3 - max(0, through))
        found = expected(cards, 3, cohorts, favours)
        assert isclose(found[0], disdain / 3**cards)
        assert isclose(found[1], valour / 3**cards)


def test_stronger_cohorts_mean_less_disdain_and_more_valour() -> None:
    weak, strong = given(year=4), given(year=4, cohort_left=3, cohort_centre=3, cohort_right=3)
    worse, coward = to_come(weak, weak.sheets[0], 4)
    better, brave = to_come(strong, strong.sheets[0], 4)
    assert worse > better
    assert coward < brave


def test_losses_are_read_between_the_steps() -> None:
    assert [loss(disdain) for disdain in (0, 0.5, 1, 5.5, 9, 30)] == [0, 0.5, 1, 10.5, 22, 22]
