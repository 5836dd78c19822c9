"""Paths at each of their steps, ties, titles, and the example of the rulebook (7)."""

from __future__ import annotations

from typing import Any

import pytest

from services.hadrians_wall.cards import PlayerCard
from services.hadrians_wall.game import GAME
from services.hadrians_wall.state import HadriansWallOptions, Phase, Sheet, State
from tests.hadrians_wall.independent import facts, scorer
from tests.hadrians_wall.independent.facts import CARDS


def over(*sheets: Sheet) -> State:
    """The end of a game."""
    return State(HadriansWallOptions(), sheets, year=6, phase=Phase.OVER)


def ended(**fields: Any) -> int:
    """A seat's score by engine and scorer."""
    state = over(Sheet(**fields))
    (engine,) = GAME.score(state)
    (sheet,) = scorer.seen(state)["sheets"]
    assert [(line.key, line.points) for line in engine.lines] == scorer.lines(sheet)
    assert engine.total == scorer.total(sheet)
    return engine.total


def columns(complete: int) -> int:
    """A map with so many complete columns, and a cell less than one more."""
    full = sum(1 << (5 * row + column) for row in range(4) for column in range(complete))
    return full + sum(1 << (5 * row + complete) for row in range(3 if complete < 5 else 0))


def achieved(card: str, level: int) -> dict[str, Any]:
    """A sheet on which a path counts `level`."""
    families = ["granary", "hotel", "workshop", "road", "gardens", "precinct", "temples"]
    largest = facts.FACTS["largest"]
    return {
        "architect": dict.fromkeys(list(facts.LANDMARKS)[:level], 1),
        "aristocrat": {"disdain": level},
        "defender": {"wall": (6, 13, 20, 21)[min(3, level)]},
        "engineer": {
            one: largest[one] - (number >= level) for number, one in enumerate(families)
        },
        "fighter": {
            f"cohort_{side}": 6 - (number >= level) for number, side in enumerate(facts.COHORTS)
        },
        "forager": {"production": level},
        "merchant": {"goods": (2,) * level + (0,) * (8 - level)},
        "planner": {
            track: 9 - (number >= level) for number, track in enumerate(facts.CITIZENS)
        },
        "pontiff": {"temples": 3, "temple_boxes": (1, 7, 13, 14)[min(3, level)]},
        "ranger": {"map": columns(min(5, level))},
        "trainer": {"red": min(6, level), "red_wounds": min(6, level), "blue": max(0, level - 6)},
        "vanguard": {"guard": (5, 11, 17, 18)[min(3, level)]},
    }[card]  # fmt: skip


@pytest.mark.parametrize("card", CARDS)
def test_a_path_is_worth_nothing_one_two_or_three_points(card: str) -> None:
    one, two, three = CARDS[card].steps
    low, high = (0, 9) if card == "aristocrat" else (1 if card == "forager" else 0, three)
    for level in range(low, high + 1):
        if card == "aristocrat":
            worth = 3 if level <= three else 2 if level <= two else 1 if level <= one else 0
        else:
            worth = 3 if level >= three else 2 if level >= two else 1 if level >= one else 0
        fields = achieved(card, level)
        bare = ended(**fields)
        assert ended(**fields, path=(PlayerCard(card),)) - bare == worth


@pytest.mark.parametrize("card", CARDS)
def test_each_path_has_all_four_values(card: str) -> None:
    levels = range(10) if card == "aristocrat" else range(CARDS[card].steps[2] + 1)
    found = {
        ended(**achieved(card, level), path=(PlayerCard(card),)) - ended(**achieved(card, level))
        for level in levels
    }
    assert found == {0, 1, 2, 3}


def test_the_largest_precinct_and_temple_count_as_large_buildings_and_smaller_ones_do_not() -> None:
    engineer = (PlayerCard.ENGINEER,)
    assert ended(path=engineer, precinct=2, temples=2) == 0
    assert ended(path=engineer, precinct=3, temples=3) == 1


@pytest.mark.parametrize("disdain", range(16))
def test_disdain_costs_by_its_table(disdain: int) -> None:
    assert ended(disdain=disdain, cleansed=15 - disdain) == -scorer.loss(disdain)


def test_the_example_of_the_rulebook_is_worth_63() -> None:
    """6, 23, 12 and 16 of the attributes, 11 of the paths, 5 lost to 3 disdain."""
    paths = ("aristocrat", "defender", "forager", "fighter", "planner", "trainer")
    fields: dict[str, Any] = {
        "renown": 6, "piety": 23, "valour": 12, "discipline": 16, "disdain": 3,
        **achieved("defender", 3), **achieved("forager", 9), **achieved("fighter", 2),
        **achieved("planner", 4), "path": tuple(map(PlayerCard, paths)),
    }  # fmt: skip
    (sheet,) = scorer.seen(over(Sheet(**fields)))["sheets"]
    assert [scorer.points(sheet, card) for card in paths] == [1, 3, 3, 2, 2, 0]
    assert scorer.path_points(sheet) == 11
    assert ended(**fields) == 6 + 23 + 12 + 16 + 11 - 5 == 63


def places(*sheets: Sheet) -> list[tuple[int, int, str]]:
    """(seat, place, decided by) of a game's end; the scorer must rank alike."""
    state = over(*sheets)
    result = GAME.result(state)
    assert result is not None
    ranked = scorer.ranking(scorer.seen(state)["sheets"])
    place = 1
    for seats in ranked:
        assert sorted(one.seat for one in result.places if one.place == place) == seats
        place += len(seats)
    return [(one.seat, one.place, one.decided_by) for one in result.places]


PATH: dict[str, Any] = {"path": (PlayerCard.FIGHTER,), "cohort_left": 6}


def test_the_higher_score_wins() -> None:
    assert places(Sheet(renown=20), Sheet(renown=21, disdain=0)) == [
        (1, 1, "score"), (0, 2, "score"),
    ]  # fmt: skip


def test_the_first_tie_break_is_the_least_disdain() -> None:
    # 12 points each; the second lost 2 to a disdain of none and the first 1 to a disdain of one
    first, second = Sheet(valour=13, disdain=1, **PATH), Sheet(valour=13)
    assert places(first, second) == [(1, 1, "disdain"), (0, 2, "disdain")]


def test_the_second_tie_break_is_the_points_of_paths() -> None:
    first, second = Sheet(piety=11), Sheet(piety=10, **PATH)
    assert places(first, second) == [(1, 1, "paths"), (0, 2, "paths")]


def test_disdain_goes_before_the_points_of_paths() -> None:
    first, second = Sheet(piety=11), Sheet(piety=11, disdain=1, **PATH)
    assert places(first, second) == [(0, 1, "disdain"), (1, 2, "disdain")]


def test_what_no_tie_break_parts_is_shared() -> None:
    twin = Sheet(piety=10, **PATH)
    assert places(twin, Sheet(piety=4), twin) == [
        (0, 1, "shared"), (2, 1, "shared"), (1, 3, "score"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("score", "title"),
    [
        (-22, "Miles"), (0, "Miles"), (39, "Miles"), (40, "Centurion"), (49, "Centurion"),
        (50, "Primus Pilus"), (59, "Primus Pilus"), (60, "Praefectus Castrorum"),
        (69, "Praefectus Castrorum"), (70, "Legatus Legionis"), (100, "Legatus Legionis"),
    ],
)  # fmt: skip
def test_the_titles_of_a_player_alone_at_their_borders(score: int, title: str) -> None:
    marks = max(0, score)
    counts = [min(25, max(0, marks - 25 * number)) for number in range(4)]
    fields: dict[str, Any] = dict(zip(facts.ATTRIBUTES, counts, strict=True))
    state = over(Sheet(disdain=15 if score < 0 else 0, **fields))
    result = GAME.result(state)
    assert result is not None
    assert (result.places[0].score, result.outcome) == (score, title)
    assert scorer.title(score) == title


def test_there_are_no_titles_for_two() -> None:
    result = GAME.result(over(Sheet(renown=25), Sheet()))
    assert result is not None
    assert result.outcome == ""
