"""Whole games from the first card to the last, with their score sheets line by line."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from services.gamekit.chance import Chance
from services.gamekit.game import NATURE, ScoreSheet
from services.gamekit.play import nature_due, start
from services.hadrians_wall.game import GAME
from services.hadrians_wall.goods import Difficulty
from services.hadrians_wall.state import HadriansWallOptions, Phase, State
from tests.hadrians_wall.independent import facts, scorer, steward
from tests.hadrians_wall.independent.referee import played


class Story(NamedTuple):
    """A game that has been played."""

    end: State
    moves: int
    kinds: frozenset[str]


def told(seats: int, options: HadriansWallOptions, seed: bytes) -> Story:
    """A game of stewards, in turns; the model watches every move."""
    state = start(GAME, seats, options)
    chance, kinds, moves = Chance(seed), set(), 0
    while decisions := GAME.decisions(state):
        if kind := nature_due(GAME, state, deferred=True):
            state = played(state, NATURE, kind.resolve(state, chance))
            continue
        seat = decisions[moves % len(decisions)].seat
        move = steward.choice(state, seat)
        state = played(state, seat, move)
        kinds.add(type(move).__name__)
        moves += 1
    return Story(state, moves, frozenset(kinds))


def lines(sheet: ScoreSheet) -> str:
    """A score sheet as one reads it out."""
    return ", ".join(f"{line.key} {line.points}" for line in sheet.lines)


def check_sheets(state: State) -> None:
    """The engine's score sheets and places are the scorer's."""
    assert state.phase is Phase.OVER
    sheets = scorer.seen(state)["sheets"]
    for engine, sheet in zip(GAME.score(state), sheets, strict=True):
        assert [(line.key, line.points) for line in engine.lines] == scorer.lines(sheet)
        assert engine.total == scorer.total(sheet)
        assert len(sheet["paths"]) == 6
        assert {*sheet["paths"], *sheet["prospects"]} == set(facts.CARDS)
    result = GAME.result(state)
    assert result is not None
    ranked = [seat for seats in scorer.ranking(sheets) for seat in seats]
    assert [place.seat for place in result.places] == ranked


def test_a_complete_solo_game() -> None:
    story = told(1, HadriansWallOptions(difficulty=Difficulty.EASY), b"Hadrian")
    check_sheets(story.end)
    (sheet,) = GAME.score(story.end)
    assert lines(sheet) == (
        "renown 11, piety 7, valour 13, discipline 13, "
        "fighter 0, defender 1, engineer 1, merchant 1, forager 2, architect 0, disdain -3"
    )
    result = GAME.result(story.end)
    assert result is not None
    assert [(one.place, one.score) for one in result.places] == [(1, 46)]
    assert result.outcome == scorer.title(46) == "Centurion"
    assert len(story.end.neutral_used) == len({*story.end.neutral_used}) == 12
    assert story.moves == 127


def test_a_complete_game_of_six() -> None:
    story = told(6, HadriansWallOptions(difficulty=Difficulty.EASY), b"six")
    check_sheets(story.end)
    assert [(sheet.total, lines(sheet)) for sheet in GAME.score(story.end)] == [
        (42, ("renown 8, piety 6, valour 14, discipline 12, aristocrat 2, pontiff 1, architect 0, "
             "trainer 0, defender 2, fighter 0, disdain -3")),
        (36, ("renown 6, piety 4, valour 13, discipline 15, planner 0, merchant 0, pontiff 1, "
             "vanguard 2, trainer 0, ranger 0, disdain -5")),
        (43, ("renown 7, piety 8, valour 13, discipline 13, merchant 0, architect 0, defender 2, "
             "fighter 0, aristocrat 2, forager 1, disdain -3")),
        (42, ("renown 6, piety 6, valour 15, discipline 14, ranger 0, trainer 0, vanguard 3, "
             "planner 0, pontiff 1, merchant 0, disdain -3")),
        (38, ("renown 9, piety 6, valour 13, discipline 14, fighter 0, architect 0, forager 1, "
             "ranger 0, defender 1, engineer 1, disdain -7")),
        (41, ("renown 7, piety 9, valour 12, discipline 15, merchant 0, vanguard 3, fighter 0, "
             "planner 0, trainer 0, ranger 0, disdain -5")),
    ]  # fmt: skip
    result = GAME.result(story.end)
    assert result is not None
    # seats 0 and 3 both lost 3 to two disdain; the five points of paths part them
    assert [(one.seat, one.place, one.score, one.decided_by) for one in result.places] == [
        (2, 1, 43, "score"), (0, 2, 42, "paths"), (3, 3, 42, "paths"), (5, 4, 41, "score"),
        (4, 5, 38, "score"), (1, 6, 36, "score"),
    ]  # fmt: skip
    assert {"Trade", "Scout", "SendDiplomat", "SpendFavour", "Perform"} < story.kinds
    assert story.end.neutral_used == ()


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("passing", [True, False])
def test_games_of_two_and_three(seats: int, passing: bool) -> None:
    options = HadriansWallOptions(difficulty=Difficulty.HARD, resource_passing=passing)
    check_sheets(told(seats, options, b"few").end)
