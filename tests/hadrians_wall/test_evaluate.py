"""The evaluation for bots."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import isclose

from msgspec.structs import replace

from services.gamekit.chance import Chance
from services.gamekit.game import NATURE, Seat
from services.gamekit.play import play
from services.hadrians_wall.cards import FATE, PlayerCard
from services.hadrians_wall.evaluate import evaluate
from services.hadrians_wall.game import GAME
from services.hadrians_wall.goods import Cohort, Difficulty, Gladiator
from services.hadrians_wall.outlook import Nerve, loss, through, to_come
from services.hadrians_wall.rules.attack import ATTACK_CARDS
from services.hadrians_wall.rules.finish import Finish
from services.hadrians_wall.rules.ludus import Battle, DrawGladiator
from services.hadrians_wall.state import Phase
from tests.hadrians_wall.table import after, given, seated

TABLE = ATTACK_CARDS[Difficulty.NORMAL]
NERVE = Nerve(valour=1.0, disdain=2.0, growth=3.0)


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


def test_what_gets_through_is_counted_over_every_draw() -> None:
    pile = (Cohort.LEFT,) * 3 + (Cohort.CENTRE,) * 2 + (Cohort.RIGHT,)
    for cards, cohorts in ((2, (0, 1, 2)), (4, (1, 1, 0)), (6, (2, 0, 0))):
        draws = list(combinations(pile, cards))
        counts = Counter(
            sum(max(0, draw.count(one) - held) for one, held in zip(Cohort, cohorts, strict=True))
            for draw in draws
        )
        found = through((3, 2, 1), cards, cohorts)
        assert all(
            isclose(chance, counts[count] / len(draws)) for count, chance in enumerate(found)
        )


def test_stronger_cohorts_are_better_against_every_attack_to_come() -> None:
    for year in range(1, 7):
        weak = to_come(TABLE, year, (1, 1, 1), 0, NERVE)
        assert to_come(TABLE, year, (1, 1, 2), 0, NERVE) > weak


def test_a_favour_is_worth_more_the_more_attacks_it_can_be_kept_for() -> None:
    steady = NERVE._replace(growth=0.0)
    held = (2, 2, 2)
    gains = [
        to_come(TABLE, year, held, 1, steady) - to_come(TABLE, year, held, 0, steady)
        for year in (4, 5, 6)
    ]
    assert gains[0] > gains[1] > gains[2] > 0


def test_the_pile_tells_where_an_attack_will_fall() -> None:
    state = given(year=3, cohort_left=4)
    left = tuple(card for card, face in enumerate(FATE) if face.direction is Cohort.LEFT)
    right = tuple(card for card, face in enumerate(FATE) if face.direction is Cohort.RIGHT)
    expected, surprising = replace(state, pile=left), replace(state, pile=right)
    assert evaluate(expected, Seat(0)) > evaluate(surprising, Seat(0))


def test_a_battle_is_worth_the_mean_of_its_endings() -> None:
    state = given(year=6, ludus=1, red=1, performers=3)
    waiting = play(GAME, state, Seat(0), Battle(Gladiator.RED))
    ended = [
        evaluate(play(GAME, waiting, NATURE, DrawGladiator(Seat(0), card)), Seat(0))
        for card in waiting.pile
    ]
    assert isclose(evaluate(waiting, Seat(0)), sum(ended) / len(ended), abs_tol=0.5)


def test_losses_grow_with_disdain_to_the_worst_step_and_a_little_beyond() -> None:
    assert [loss(disdain) for disdain in (0, 1, 5, 9, 11)] == [0, 1, 9, 22, 23]
