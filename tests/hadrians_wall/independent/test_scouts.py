"""The scouts and their map: every pattern, turned and mirrored, on every four cells (4, 5)."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from services.hadrians_wall.cards import PlayerCard
from services.hadrians_wall.rules.neighbours import Source
from services.hadrians_wall.rules.scouts import Scout
from tests.hadrians_wall.independent import facts
from tests.hadrians_wall.independent.facts import CARDS, FACTS, LAYS
from tests.hadrians_wall.independent.referee import changes, done, refusal, refused
from tests.hadrians_wall.independent.setting import given, seated

WEARER = {card.pattern: PlayerCard(name) for name, card in CARDS.items()}
"""A prospect with each pattern."""


@pytest.mark.parametrize("pattern", FACTS["patterns"])
def test_a_pattern_is_laid_turned_or_mirrored_and_in_no_other_way(pattern: str) -> None:
    state = given(patricians=2, soldier=1, prospects=(WEARER[pattern],))
    for cells in combinations(range(20), 4):
        allowed = not refusal(state, Scout(Source.OWN, cells))
        assert allowed == (cells in LAYS[pattern]), cells


@pytest.mark.parametrize(("pattern", "ways"), [("l", 8), ("s", 4), ("t", 4), ("o", 1), ("i", 2)])
def test_a_pattern_has_its_rotations_and_mirrors(pattern: str, ways: int) -> None:
    assert len(facts.shapes(pattern)) == ways


@pytest.mark.parametrize("pattern", FACTS["patterns"])
def test_every_placement_takes_what_lies_on_its_cells(pattern: str) -> None:
    start = given(patricians=2, soldier=1, prospects=(WEARER[pattern],))
    for cells in LAYS[pattern]:
        then = done(start, Scout(Source.OWN, cells))
        found = changes(start, then)
        assert found["map"] == sum(2**cell for cell in cells)
        assert then.sheets[0].resource == sum(facts.MAP[cell] == ("resource",) for cell in cells)
        assert then.sheets[0].servant == sum(facts.MAP[cell] == ("servant",) for cell in cells)
        assert then.sheets[0].valour == 0  # four cells complete no row of five


@pytest.mark.parametrize("row", range(4))
def test_each_row_gives_valour_when_it_is_completed(row: int) -> None:
    first = 5 * row
    start = given(patricians=2, soldier=1, prospects=(WEARER["i"],), map=1 << first)
    cells = tuple(range(first + 1, first + 5))
    assert done(start, Scout(Source.OWN, cells)).sheets[0].valour == 1


def test_a_row_gives_its_valour_once() -> None:
    start = given(patricians=2, soldier=1, prospects=(WEARER["o"],), map=0b11111)
    assert done(start, Scout(Source.OWN, (5, 6, 10, 11))).sheets[0].valour == 0


def test_four_rows_can_be_completed_at_once() -> None:
    open_column = sum(2 ** (5 * row + 4) for row in range(4))
    start = given(patricians=2, soldier=1, prospects=(WEARER["i"],), map=2**20 - 1 - open_column)
    then = done(start, Scout(Source.OWN, (4, 9, 14, 19)))
    assert (then.sheets[0].valour, then.sheets[0].resource) == (4, 2)
    assert then.sheets[0].soldier == 1  # the third valour


@pytest.mark.parametrize("number", range(1, 6))
def test_each_scout_needs_his_patricians_and_a_soldier(number: int) -> None:
    level = FACTS["scouts"]["levels"][number - 1]
    start = given(patricians=level, soldier=1, scouts=number - 1, prospects=(WEARER["o"],))
    move = Scout(Source.OWN, (5, 6, 10, 11))
    found = changes(start, done(start, move))
    assert (found["scouts"], found["soldier"]) == (number, 0)
    assert refused(seated(start, 0, patricians=level - 1), move) == "needs_citizens"
    assert refused(seated(start, 0, soldier=0), move) == "cannot_afford"
    assert refused(seated(start, 0, map=1 << 11), move) == "cell_filled"
    assert refused(seated(start, 0, scouts=5), move) == "track_complete"


def test_cells_that_lie_off_the_map_or_apart_are_no_pattern() -> None:
    start = given(patricians=2, soldier=1, prospects=(WEARER["o"],))
    for cells in ((4, 5, 9, 10), (18, 19, 23, 24), (0, 1, 5), (0, 1, 5, 6, 7), (1, 0, 5, 6), ()):
        assert refused(start, Scout(Source.OWN, cells)) == "not_the_pattern"


def test_five_scouts_fill_the_whole_map_in_one_year() -> None:
    """The Ranger's bar, four times over, and a neutral card's bar across the last column."""
    bar = PlayerCard.RANGER
    start = given(patricians=9, soldier=5, prospects=(bar,), neutral=(PlayerCard.ARCHITECT, bar))
    rows = [Scout(Source.OWN, tuple(range(5 * row, 5 * row + 4))) for row in range(4)]
    then = done(start, *rows, Scout(Source.LEFT, (4, 9, 14, 19)))
    sheet = then.sheets[0]
    assert sheet.map == 2**20 - 1
    assert (sheet.valour, sheet.resource, sheet.servant) == (4, 5, 2)
    assert sheet.soldier == 1  # five were sent, and the third valour brought one
    assert then.pieces == 1  # the last one lies on the neutral card
    assert sheet.scouts == 5


def test_maps_filled_at_random_agree_with_the_model() -> None:
    rng = Random(7)
    for _ in range(150):
        card = PlayerCard(rng.choice(sorted(CARDS)))
        state = given(
            patricians=9,
            soldier=1,
            prospects=(card,),
            map=rng.getrandbits(20) & rng.getrandbits(20),
        )
        free = [
            cells
            for cells in sorted(LAYS[CARDS[card].pattern])
            if not any(state.sheets[0].map >> cell & 1 for cell in cells)
        ]
        if free:
            done(state, Scout(Source.OWN, rng.choice(free)))
