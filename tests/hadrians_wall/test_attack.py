"""The Picts' attack, favours, and what is carried over (section 6)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from services.gamekit.chance import Chance
from services.gamekit.game import NATURE, Seat
from services.gamekit.play import play
from services.hadrians_wall.game import GAME
from services.hadrians_wall.goods import Cohort, Difficulty
from services.hadrians_wall.rules.attack import Attack, cards_due, claims
from services.hadrians_wall.rules.favours import FaceAttack, Patron, SpendFavour
from services.hadrians_wall.state import HadriansWallOptions, Phase, State
from tests.hadrians_wall.table import after, attackers, given, refused

TEMPLE, DIPLOMAT = Patron.TEMPLE, Patron.DIPLOMAT


def attacked(state: State, cards: tuple[int, ...], own: int = 0) -> State:
    """The position after these cards attacked; the last `own` of them seat 0 alone."""
    state = replace(state, phase=Phase.ATTACK)
    common = cards[: len(cards) - own]
    return play(GAME, state, NATURE, Attack(common, claims(state, cards)))


def test_the_cards_of_each_year_and_difficulty() -> None:
    for difficulty, due in (
        (Difficulty.EASY, [1, 2, 3, 4, 6, 8]),
        (Difficulty.NORMAL, [1, 2, 4, 6, 8, 10]),
        (Difficulty.HARD, [1, 3, 5, 7, 9, 12]),
    ):
        options = HadriansWallOptions(difficulty=difficulty)
        assert [cards_due(given(year=year, options=options)) for year in range(1, 7)] == due


def test_pieces_on_neutral_cards_and_some_forts_add_to_the_attack() -> None:
    assert cards_due(replace(given(year=2), pieces=3)) == 5
    assert cards_due(given(year=2, options=HadriansWallOptions(campaign=12))) == 3


@pytest.mark.parametrize(
    ("left", "disdain", "valour"),
    [(0, 3, 0), (1, 3, 0), (2, 2, 1), (3, 1, 2), (4, 0, 3), (6, 0, 3)],
)
def test_what_gets_through_is_disdain_up_to_the_potential_and_the_rest_is_valour(
    left: int, disdain: int, valour: int
) -> None:
    # year 4: six cards, potential 3; four on the left, one on each of the others, which hold
    state = given(year=4, cohort_left=left, cohort_centre=1, cohort_right=1)
    sheet = attacked(state, attackers(4, 1, 1)).sheets[0]
    assert (sheet.disdain, sheet.valour) == (disdain, valour)


def test_valour_pays_at_once_and_its_worker_is_kept() -> None:
    state = attacked(given(year=2, cohort_left=2, valour=2), attackers(left=2))
    assert (state.year, state.phase) == (3, Phase.FATE)
    assert (state.sheets[0].valour, state.sheets[0].soldier) == (4, 1)


def test_valour_can_chain_into_other_tracks() -> None:
    # the 17th valour marks discipline, whose third box brings a builder
    state = attacked(given(year=1, cohort_left=1, valour=16, discipline=2), attackers(left=1))
    assert (state.sheets[0].discipline, state.sheets[0].builder) == (3, 1)


def test_favours_are_spent_after_the_cards_are_seen() -> None:
    state = given(year=4, favours=1, favours_right=2, cohort_centre=2)
    state = attacked(state, attackers(left=2, centre=2, right=2))
    assert state.phase is Phase.FAVOURS
    assert refused(state, SpendFavour(TEMPLE, Cohort.CENTRE)) == "nothing_to_cancel"
    assert refused(state, SpendFavour(DIPLOMAT, Cohort.LEFT)) == "no_favour"
    state = after(state, SpendFavour(DIPLOMAT, Cohort.RIGHT), SpendFavour(TEMPLE, Cohort.LEFT))
    assert state.sheets[0].through == (1, 0, 1)
    state = after(state, SpendFavour(DIPLOMAT, Cohort.RIGHT))
    sheet = state.sheets[0]
    assert (sheet.disdain, sheet.valour, sheet.favours_spent) == (1, 2, 3)
    assert (sheet.favours, sheet.favours_right) == (0, 0)
    assert state.phase is Phase.FATE


def test_a_seat_may_keep_its_favours() -> None:
    state = after(attacked(given(year=1, favours=1), attackers(left=1)), FaceAttack())
    assert (state.sheets[0].favours, state.sheets[0].disdain) == (1, 1)


def test_nobody_is_asked_whose_favours_could_not_help() -> None:
    state = given(year=1, favours_left=2)
    assert attacked(state, attackers(right=1)).phase is Phase.FATE


def test_each_seat_resolves_alone_and_those_with_favours_decide_together() -> None:
    state = given(seats=3, year=2, favours=1)
    sheets = list(state.sheets)
    sheets[2] = replace(sheets[2], favours_left=2)
    state = attacked(replace(state, sheets=tuple(sheets)), attackers(left=2))
    assert [one.seat for one in GAME.decisions(state)] == [0, 2]
    state = after(state, FaceAttack(), seat=2)
    state = after(state, SpendFavour(TEMPLE, Cohort.LEFT))
    assert [sheet.disdain for sheet in state.sheets] == [1, 2, 2]
    assert [sheet.valour for sheet in state.sheets] == [1, 0, 0]


def test_an_alarm_brings_a_card_for_its_seat_alone() -> None:
    options = HadriansWallOptions(resource_passing=False)
    state = given(seats=2, year=2, options=options, alarms=1, cohort_left=2)
    cards = (*attackers(left=2), *attackers(right=1))
    state = attacked(state, cards, own=1)
    assert [sheet.disdain for sheet in state.sheets] == [1, 2]
    assert state.sheets[0].alarms == 0
    assert sorted(state.discard) == sorted(cards)


def test_a_false_claim_is_refused() -> None:
    state = replace(given(year=1), phase=Phase.ATTACK)
    due = Attack.resolve(state, Chance(b"x"))
    doctored = replace(due, claims=(replace(due.claims[0], disdain=0, valour=1),))
    assert refused(state, doctored, NATURE) == "wrong_claims"
    assert refused(state, Attack((), ()), NATURE) == "wrong_size"
    twice = replace(given(year=2), phase=Phase.ATTACK)
    assert refused(twice, Attack((3, 3), claims(twice, (3, 3))), NATURE) == "not_in_pile"


def test_cards_revealed_in_an_attack_stay_out_of_a_reshuffle() -> None:
    state = replace(given(year=4), phase=Phase.ATTACK, pile=(1, 2), discard=tuple(range(3, 40)))
    due = Attack.resolve(state, Chance(b"x"))
    assert {1, 2} < set(due.cards)
    state = play(GAME, state, NATURE, due)
    assert sorted((*state.pile, *state.discard)) == list(range(1, 40))
    assert state.discard == due.cards


def test_after_year_six_the_game_is_over() -> None:
    state = attacked(given(year=6), attackers(4, 3, 3))
    assert state.phase is Phase.OVER
    assert GAME.decisions(state) == ()
    result = GAME.result(state)
    assert result is not None
    assert [place.seat for place in result.places] == [Seat(0)]
