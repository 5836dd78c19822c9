"""Stories of the Ludus and of the attack (4, 6)."""

from __future__ import annotations

from msgspec.structs import replace

from services.gamekit.game import Seat
from services.hadrians_wall.game import GAME
from services.hadrians_wall.goods import Cohort, Gladiator, Worker
from services.hadrians_wall.rules.defences import FillFort, FillGuard
from services.hadrians_wall.rules.favours import FaceAttack, Patron, SpendFavour
from services.hadrians_wall.rules.finish import Finish
from services.hadrians_wall.rules.ludus import Battle, TrainGladiator
from services.hadrians_wall.state import Phase
from tests.hadrians_wall.independent import facts
from tests.hadrians_wall.independent.referee import (
    asked,
    attacked,
    changes,
    done,
    goods,
    objected,
    refused,
    sheet,
)
from tests.hadrians_wall.independent.setting import given, seated

RED, BLUE = Gladiator.RED, Gladiator.BLUE
BLOW = {damage: facts.fate(gladiator=damage) for damage in (1, 2, 3)}
LEFT, CENTRE, RIGHT = (
    [number for number, card in enumerate(facts.FATE) if card.direction == side]
    for side in facts.COHORTS
)


def test_a_gladiator_lives_fights_and_dies() -> None:
    state = given(ludus=1, performers=6, servant=2, civilian=3)
    state = done(state, TrainGladiator(RED, Worker.SERVANT), TrainGladiator(RED, Worker.CIVILIAN))
    state = done(state, TrainGladiator(RED, Worker.SERVANT), TrainGladiator(RED, Worker.CIVILIAN))
    assert (sheet(state)["red"], goods(state)) == (4, "1 civilian")
    assert refused(state, TrainGladiator(RED, Worker.CIVILIAN)) == "needs_citizens"

    # year 1: two of four circles are filled; four circled bring two renown
    state = done(state, Battle(RED), fate=(BLOW[2],))
    assert (sheet(state)["red_wounds"], sheet(state)["renown"]) == (2, 2)
    assert refused(state, Battle(RED)) == "once_a_year"

    # year 2: he is weaker, but what he gains goes by all circles, not by those that are left
    state = replace(state, year=2)
    state = done(state, Battle(RED), fate=(facts.fate(gladiator=1, direction="right"),))
    assert (sheet(state)["red_wounds"], sheet(state)["renown"]) == (3, 4)

    # year 3: the fourth circle is filled; he is mourned with a piety and fights no more
    state = replace(state, year=3)
    then = done(state, Battle(RED), fate=(BLOW[3],))
    assert changes(state, then) == {"red_wounds": 4, "red_battles": (1, 2, 3), "piety": 1}
    then = seated(replace(then, year=4), 0, performers=9)
    assert refused(then, Battle(RED)) == "gladiator_dead"
    assert refused(then, TrainGladiator(RED, Worker.CIVILIAN)) == "gladiator_dead"
    assert sheet(done(then, TrainGladiator(BLUE, Worker.CIVILIAN)))["blue"] == 1


def test_training_after_a_battle_makes_him_last_longer() -> None:
    state = given(ludus=1, performers=9, servant=2, red=3, red_wounds=2)
    state = done(state, TrainGladiator(RED, Worker.SERVANT), TrainGladiator(RED, Worker.SERVANT))
    state = done(state, Battle(RED), fate=(BLOW[2],))
    assert (sheet(state)["red_wounds"], sheet(state)["renown"]) == (4, 2)


def test_both_gladiators_fight_on_the_cards_that_they_turn_over() -> None:
    state = given(ludus=1, red=6, blue=2)
    state = done(state, Battle(RED), Battle(BLUE), fate=(BLOW[1], BLOW[3]))
    assert (sheet(state)["red_wounds"], sheet(state)["blue_wounds"]) == (1, 2)
    assert (sheet(state)["renown"], sheet(state)["resource"], sheet(state)["piety"]) == (2, 1, 2)
    assert state.discard == (BLOW[1], BLOW[3])


def test_an_attack_is_met_with_both_kinds_of_favour() -> None:
    # year 5, potential 3, eight cards: 4 left, 3 centre, 1 right
    state = given(year=5, cohort_left=1, cohort_centre=1, cohort_right=2, favours=1,
                  favours_centre=2, favours_right=2, passed=True)  # fmt: skip
    state = attacked(replace(state, phase=Phase.ATTACK), *LEFT[:4], *CENTRE[:3], RIGHT[0])
    assert sheet(state)["through"] == (3, 2, 0)
    assert asked(state) == "favours"

    diplomat, temple = Patron.DIPLOMAT, Patron.TEMPLE
    assert refused(state, SpendFavour(diplomat, Cohort.LEFT)) == "no_favour"
    assert refused(state, SpendFavour(diplomat, Cohort.RIGHT)) == "nothing_to_cancel"
    assert refused(state, SpendFavour(temple, Cohort.RIGHT)) == "nothing_to_cancel"
    state = done(state, *[SpendFavour(diplomat, Cohort.CENTRE)] * 2)
    assert objected(state, SpendFavour(diplomat, Cohort.CENTRE)) == {
        "no_favour", "nothing_to_cancel",
    }  # fmt: skip
    state = done(state, SpendFavour(temple, Cohort.LEFT))
    # two got through: two of the potential of three are disdain, and the last one is valour
    assert (sheet(state)["disdain"], sheet(state)["valour"]) == (2, 1)
    assert [sheet(state)[name] for name in ("favours", "favours_centre", "favours_right")] == [
        0, 0, 2,
    ]  # fmt: skip
    assert (sheet(state)["favours_spent"], state.year) == (3, 6)


def test_favours_may_be_kept_for_a_later_year() -> None:
    state = replace(given(year=5, favours=2, passed=True), phase=Phase.ATTACK)
    state = done(attacked(state, *LEFT[:8]), SpendFavour(Patron.TEMPLE, Cohort.LEFT), FaceAttack())
    assert (sheet(state)["favours"], sheet(state)["disdain"]) == (1, 3)


def test_everyone_faces_the_same_cards_alone() -> None:
    state = replace(given(seats=3, year=2, cohort_left=2, passed=True), phase=Phase.ATTACK)
    state = seated(seated(state, 1, favours_left=2, passed=True), 2, passed=True)
    state = attacked(state, LEFT[0], LEFT[1])
    assert [decision.seat for decision in GAME.decisions(state)] == [Seat(1)]
    state = done(state, SpendFavour(Patron.DIPLOMAT, Cohort.LEFT), FaceAttack(), seat=1)
    assert [(one.disdain, one.valour) for one in state.sheets] == [(0, 2), (1, 1), (2, 0)]


def test_what_the_valour_of_an_attack_brings_is_there_in_the_next_year() -> None:
    # valour 16 and 17: discipline; discipline 12: a builder; valour 18, 19: a soldier
    state = given(year=4, cohort_left=6, valour=16, discipline=11, soldier=2, resource=3)
    state = done(state, FillFort(Worker.SOLDIER), Finish())
    assert goods(state) == ""  # unspent goods are lost before the Picts come
    state = attacked(state, *LEFT[:6])
    assert (sheet(state)["valour"], sheet(state)["discipline"]) == (19, 12)
    assert (goods(state), state.year, state.phase) == ("1 soldier, 1 builder", 5, Phase.FATE)


def test_carried_over_workers_are_spent_and_not_kept_twice() -> None:
    state = given(year=2, soldier=1, builder=1)
    state = done(state, FillGuard())
    assert goods(state) == "1 builder"
    assert asked(state) == "cohort"


def test_in_the_last_year_the_valour_counts_and_its_soldiers_are_worth_nothing() -> None:
    state = given(year=6, cohort_left=6, cohort_centre=6, valour=2, passed=True)
    state = attacked(replace(state, phase=Phase.ATTACK), *LEFT[:6], *CENTRE[:4])
    assert state.phase is Phase.OVER
    assert (sheet(state)["valour"], goods(state)) == (6, "2 soldier")
    assert GAME.score(state)[0].total == 6
