"""Scores, ties, titles and the campaign (section 7)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from services.gamekit.game import IllegalOptions
from services.gamekit.play import start
from services.hadrians_wall.campaign import goals
from services.hadrians_wall.cards import PlayerCard
from services.hadrians_wall.endgame import path_points, places, title
from services.hadrians_wall.forts import FORTS
from services.hadrians_wall.game import GAME
from services.hadrians_wall.state import HadriansWallOptions, Phase, Sheet
from tests.hadrians_wall.table import given

PATHS: list[tuple[str, list[tuple[dict[str, Any], int]]]] = [
    ("architect", [({}, 0), ({"archway": 1}, 1), ({"column": 1, "statue": 1}, 2),
                   ({"column": 1, "statue": 1, "monolith": 1}, 3)]),
    ("aristocrat", [({"disdain": 5}, 0), ({"disdain": 4}, 1), ({"disdain": 3}, 1),
                    ({"disdain": 2}, 2), ({"disdain": 1}, 2), ({}, 3)]),
    ("defender", [({"wall": 6}, 0), ({"wall": 7}, 1), ({"wall": 14}, 2), ({"wall": 21}, 3)]),
    ("engineer", [({"hotel": 2}, 0), ({"hotel": 2, "road": 2}, 1),
                  ({"hotel": 2, "road": 2, "granary": 2, "workshop": 2}, 2),
                  ({"hotel": 2, "road": 2, "granary": 2, "gardens": 2, "precinct": 3,
                    "temples": 3}, 3)]),
    ("fighter", [({"cohort_left": 5}, 0), ({"cohort_left": 6}, 1),
                 ({"cohort_left": 6, "cohort_right": 6}, 2),
                 ({"cohort_left": 6, "cohort_right": 6, "cohort_centre": 6}, 3)]),
    ("forager", [({"production": 2}, 0), ({"production": 3}, 1), ({"production": 6}, 2),
                 ({"production": 9}, 3)]),
    ("merchant", [({"goods": (1, 1, 1, 0, 0, 0, 0, 0)}, 0),
                  ({"goods": (1, 1, 1, 1, 0, 0, 0, 0)}, 1),
                  ({"goods": (1, 1, 1, 1, 2, 2, 0, 0)}, 2),
                  ({"goods": (1, 1, 1, 1, 2, 2, 3, 3)}, 3)]),
    ("planner", [({"traders": 9}, 0), ({"traders": 9, "priests": 9}, 1),
                 ({"traders": 9, "priests": 9, "performers": 9, "patricians": 9}, 2),
                 ({"traders": 9, "priests": 9, "performers": 9, "patricians": 9,
                   "apparitores": 9}, 3)]),
    ("pontiff", [({"temple_boxes": 1}, 0), ({"temple_boxes": 2}, 1), ({"temple_boxes": 8}, 2),
                 ({"temple_boxes": 14}, 3)]),
    ("ranger", [({"map": 0b11111}, 0), ({"map": 0b00001_00001_00001_00001}, 1),
                ({"map": 0b00111_00111_00111_00111}, 2), ({"map": 2**20 - 1}, 3)]),
    ("trainer", [({"red": 3}, 0), ({"red": 3, "red_wounds": 3, "blue": 1}, 1),
                 ({"red": 6, "blue": 2}, 2), ({"red": 6, "blue": 6}, 3)]),
    ("vanguard", [({"guard": 5}, 0), ({"guard": 6}, 1), ({"guard": 12}, 2), ({"guard": 18}, 3)]),
]  # fmt: skip


@pytest.mark.parametrize(("card", "steps"), PATHS)
def test_a_path_is_worth_its_highest_step(
    card: str, steps: list[tuple[dict[str, Any], int]]
) -> None:
    for fields, points in steps:
        assert path_points(PlayerCard(card), Sheet(**fields)) == points


def test_the_example_of_the_rulebook() -> None:
    paths = (PlayerCard.DEFENDER, PlayerCard.VANGUARD, PlayerCard.FORAGER, PlayerCard.PONTIFF)
    sheet = Sheet(renown=6, piety=23, valour=12, discipline=16, disdain=3, path=paths,
                  wall=21, guard=18, production=9, temple_boxes=8)  # fmt: skip
    state = replace(given(), sheets=(sheet,), phase=Phase.OVER)
    assert GAME.score(state)[0].total == 6 + 23 + 12 + 16 + 11 - 5 == 63


def test_paths_are_not_scored_before_the_end() -> None:
    state = given(path=(PlayerCard.FIGHTER,), cohort_left=6)
    assert GAME.score(state)[0].total == 0
    assert GAME.score(replace(state, phase=Phase.OVER))[0].total == 1


@pytest.mark.parametrize(
    ("disdain", "loss"),
    [(0, 0), (1, 1), (2, 3), (3, 5), (4, 7), (5, 9), (6, 12), (7, 15), (8, 18), (9, 22), (15, 22)],
)
def test_disdain_costs_points_and_there_is_no_floor(disdain: int, loss: int) -> None:
    assert GAME.score(given(disdain=disdain))[0].total == -loss


def test_ties_are_broken_by_disdain_then_paths_and_then_shared() -> None:
    fighter: dict[str, Any] = {"path": (PlayerCard.FIGHTER,), "cohort_left": 6}
    sheets = (
        Sheet(renown=11, disdain=1),
        Sheet(renown=10),
        Sheet(renown=9, **fighter),
        Sheet(renown=10),
        Sheet(renown=3),
    )
    found = [(one.seat, one.place, one.decided_by) for one in places(sheets)]
    assert found == [
        (2, 1, "paths"), (1, 2, "shared"), (3, 2, "shared"), (0, 4, "disdain"), (4, 5, "score"),
    ]  # fmt: skip


def test_titles_of_a_player_alone() -> None:
    found = [title(points) for points in (-3, 39, 40, 49, 50, 60, 69, 70)]
    assert found == [
        "Miles", "Miles", "Centurion", "Centurion", "Primus Pilus", "Praefectus Castrorum",
        "Praefectus Castrorum", "Legatus Legionis",
    ]  # fmt: skip


def outcome(fort: int, **fields: Any) -> str:
    """What is said at the end of a campaign's match."""
    state = given(options=HadriansWallOptions(campaign=fort), **fields)
    result = GAME.result(replace(state, phase=Phase.OVER))
    assert result is not None
    return result.outcome


def test_a_challenge_counts_only_together_with_the_goals() -> None:
    strong = {"renown": 20, "piety": 20, "valour": 20, "discipline": 10}
    assert outcome(1, wall=21, **strong) == "Legatus Legionis; Segedunum held, challenge met"
    assert outcome(1, wall=20, **strong) == "Legatus Legionis; Segedunum lost"
    weak = {**strong, "valour": 19, "discipline": 11}
    assert outcome(1, wall=21, **weak) == "Legatus Legionis; Segedunum held"


def test_goals_are_judged_as_they_stand() -> None:
    state = given(options=HadriansWallOptions(campaign=8), red=6, blue=5, disdain=0)
    strength, disdain, favours = goals(state)
    assert (strength.have, strength.asked, strength.met) == (11, 12, False)
    assert (disdain.met, disdain.at_most) == (True, True)
    assert (favours.challenge, favours.met) == (True, True)


def test_the_reward_of_the_fort_before_is_there_from_the_start() -> None:
    for fort in range(2, 17):
        sheet = start(GAME, 1, HadriansWallOptions(campaign=fort, campaign_reward=True)).sheets[0]
        for good, count in FORTS[fort - 1].reward.items():
            assert getattr(sheet, good) == count


@pytest.mark.parametrize(
    ("seats", "options", "code", "field"),
    [
        (1, {"campaign": 17}, "bad_campaign", "campaign"),
        (1, {"campaign": -1}, "bad_campaign", "campaign"),
        (2, {"campaign": 1}, "campaign_is_solo", "campaign"),
        (1, {"campaign_reward": True}, "no_reward_yet", "campaign_reward"),
        (1, {"campaign": 1, "campaign_reward": True}, "no_reward_yet", "campaign_reward"),
    ],
)
def test_options_that_are_not_offered(
    seats: int, options: dict[str, Any], code: str, field: str
) -> None:
    with pytest.raises(IllegalOptions) as refusal:
        start(GAME, seats, HadriansWallOptions(**options))
    assert (refusal.value.code, refusal.value.detail["field"]) == (code, field)
