"""Random matches of every size and difficulty: what must hold at each step, and the end."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.gamekit.game import NATURE
from services.gamekit.testing import Step, playout
from services.hadrians_wall.game import GAME
from services.hadrians_wall.goods import Difficulty
from services.hadrians_wall.rules.attack import Attack
from services.hadrians_wall.state import HadriansWallOptions, Phase, State
from tests.hadrians_wall.independent import attack_oracle, facts, scorer
from tests.hadrians_wall.independent.permits import objections
from tests.hadrians_wall.independent.referee import compare
from tests.hadrians_wall.independent.world import Page, World, world

LINES = {track: len(line.boxes) for track, line in facts.LINES.items()}
MOST: dict[str, int] = {
    **LINES,
    **dict.fromkeys(facts.ATTRIBUTES, 25),
    **dict.fromkeys(facts.CITIZENS, 9),
    **{f"cohort_{side}": 6 for side in facts.COHORTS},
    **{plan.family: 1 for plan in facts.BUILDINGS.values()},
    **facts.FACTS["largest"],
    **dict.fromkeys(facts.LANDMARKS, 1),
    "production": 9, "temple_boxes": 14, "scouts": 5, "map": 2**20 - 1,
    "red": 6, "blue": 6, "red_wounds": 6, "blue_wounds": 6,
}  # fmt: skip
"""The last box of each track that only grows."""
ROWS = {"training": 5, "forum": 4, "red_battles": 6, "blue_battles": 6, "diplomats": 3}
MARKED = ("goods", "plays", "pools", "courts")

some = settings(max_examples=2, deadline=None)


def check_page(page: Page) -> None:
    """Nothing is negative, nothing is fuller than full."""
    assert all(page[good] >= 0 for good in facts.GOODS)
    assert all(0 <= page[track] <= most for track, most in MOST.items())
    assert all(len(page[row]) <= most for row, most in ROWS.items())
    assert all(len(set(page[row])) == len(page[row]) for row in ROWS)
    assert page["red_wounds"] <= page["red"]
    assert page["blue_wounds"] <= page["blue"]
    assert page["disdain"] >= 0
    assert page["disdain"] + page["cleansed"] <= facts.FACTS["disdain_circles"]
    assert 0 <= page["favours"] <= 3
    assert all(0 <= page[f"favours_{side}"] <= 2 for side in facts.COHORTS)
    assert page["favours_spent"] <= 9
    for year in facts.YEARS:
        assert page["plays"].count(year) <= 1
        assert page["pools"].count(year) <= 2
        assert all(page["courts"][first : first + 3].count(year) <= 1 for first in (0, 3, 6))


def check_growth(before: Page, after: Page) -> None:
    """Filled boxes stay filled, with what is written in them."""
    assert all(before[track] <= after[track] for track in MOST)
    assert before["map"] & after["map"] == before["map"]
    assert all(after[row][: len(before[row])] == before[row] for row in ROWS)
    assert all(after[row][: len(before[row])] == before[row] for row in ("path", "prospects"))
    for row in MARKED:
        pairs = zip(before[row], after[row], strict=True)
        assert all(new == old for old, new in pairs if old)


def check_cards(position: World, state: State) -> None:
    """No fate card is lost or doubled."""
    cards = [*position.pile, *position.discard, *position.attack]
    cards += [card for page in position.pages for card in page["own_attack"]]
    assert sorted(cards) == list(range(48))
    assert state.drawn >= 48 - len(position.pile)


def check_attack(step: Step[State]) -> None:
    """As many cards as are due, before each seat's own."""
    if isinstance(step.action, Attack):
        state, options = step.state, step.state.options
        due = attack_oracle.due(state.year, str(options.difficulty), options.campaign, state.pieces)
        assert len(step.action.cards) == due
        own = [len(claim.own_cards) for claim in step.action.claims]
        assert own == [sheet.alarms for sheet in state.sheets]


def watched(steps: list[Step[State]]) -> None:
    """Every step is what the rules say, and harms nothing."""
    for step in steps:
        before, after = world(step.state), world(step.after)
        if step.seat != NATURE:
            assert objections(before, step.seat, step.action) == set()
        compare(step.state, step.seat, step.action, step.after)
        for old, new in zip(before.pages, after.pages, strict=True):
            check_page(new)
            check_growth(old, new)
        check_cards(after, step.after)
        check_attack(step)
        assert before.year <= after.year <= before.year + 1


def check_end(state: State, steps: list[Step[State]]) -> None:
    """Six years, six attacks, twelve cards a seat; the score is the scorer's."""
    assert (state.phase, state.year) == (Phase.OVER, 6)
    assert [type(step.action) for step in steps].count(Attack) == 6
    shown: dict[str, Any] = scorer.seen(state)
    for engine, page in zip(GAME.score(state), shown["sheets"], strict=True):
        assert sorted((*page["paths"], *page["prospects"])) == sorted(facts.CARDS)
        assert [(line.key, line.points) for line in engine.lines] == scorer.lines(page)
        assert engine.total == scorer.total(page) <= 118
    result = GAME.result(state)
    assert result is not None
    assert result.outcome == (scorer.title(GAME.score(state)[0].total) if result.outcome else "")
    assert bool(result.outcome) == (len(state.sheets) == 1)


@pytest.mark.parametrize("difficulty", list(Difficulty))
@pytest.mark.parametrize("seats", range(1, 7))
@some
@given(seed=st.integers(0, 2**32), passing=st.booleans())
def test_a_random_match_keeps_the_rules_and_ends_after_six_years(
    seats: int, difficulty: Difficulty, seed: int, passing: bool
) -> None:
    options = HadriansWallOptions(difficulty=difficulty, resource_passing=passing)
    steps = playout(GAME, seats, options, seed)
    watched(steps)
    check_end(steps[-1].after, steps)


@pytest.mark.parametrize("fort", range(1, 17))
def test_a_random_match_at_each_fort_keeps_its_rules(fort: int) -> None:
    options = HadriansWallOptions(campaign=fort, campaign_reward=fort > 1)
    steps = playout(GAME, 1, options, fort)
    watched(steps)
    assert (steps[-1].after.phase, steps[-1].after.year) == (Phase.OVER, 6)
