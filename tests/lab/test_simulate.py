"""Simulation: the same seed gives the same games, however many processes share them."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from services.gamekit.game import Place, Seat
from services.lab import figures
from services.lab.simulate import Outcome, Plan, seed_of, simulate
from tests.lab.given import PLAN, with_records


def games(plan: Plan, jobs: int = 1) -> list[Outcome]:
    return list(simulate(plan, jobs))


def test_a_seed_repeats_its_games_and_their_records(tmp_path: Path) -> None:
    texts = []
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        games(with_records(folder))
        texts.append({path.name: path.read_bytes() for path in folder.iterdir()})
    assert texts[0] == texts[1]
    assert sorted(texts[0]) == [f"ambush-7-{number}.json" for number in range(PLAN.games)]


def test_another_seed_plays_other_games() -> None:
    assert games(PLAN) != games(replace(PLAN, seed="8"))
    assert len({seed_of(PLAN, number) for number in range(4)}) == 4


def test_jobs_share_the_same_games() -> None:
    assert games(PLAN, jobs=2) == games(PLAN)


def test_bots_move_on_by_one_seat_each_game() -> None:
    assert [one.bots for one in games(PLAN)[:2]] == [
        ("random", "greedy", "random"),
        ("greedy", "random", "greedy"),
    ]


def test_a_game_that_fails_leaves_the_others_alone() -> None:
    plan = replace(PLAN, bots=("stubborn", "random"), extra_bots=("tests.lab.stubborn",))
    outcomes = games(replace(plan, games=2))
    told = figures.summary(outcomes, 1.0)
    assert (told["games"], told["finished"]) == (2, 0)
    assert "IllegalAction" in told["failures"][0]["error"]


def place(seat: int, place: int, score: int) -> Place:
    return Place(Seat(seat), place, score)


ONE = Outcome(0, ("a", "b"), moves=10, places=(place(0, 1, 7), place(1, 2, 3)))
TWO = Outcome(1, ("b", "a"), moves=20, places=(place(1, 1, 5), place(0, 1, 5)), ending="draw")
THREE = Outcome(2, ("a", "b"), error="ValueError: no")


def test_figures_count_finished_games_only() -> None:
    told = figures.summary([ONE, TWO, THREE], 2.0)
    assert (told["games"], told["finished"], told["moves"]) == (3, 2, 30)
    assert told["moves_per_second"] == 15.0
    assert told["scores"]["mean"] == 5.0
    assert (told["scores"]["min"], told["scores"]["max"]) == (3, 7)
    assert [one["mean"] for one in told["scores"]["seats"]] == [6.0, 4.0]
    assert told["lengths"]["mean"] == 15.0
    assert told["outcomes"] == {"draw": 1}
    assert told["failures"] == [{"game": 2, "error": "ValueError: no"}]


def test_a_shared_first_place_counts_in_part() -> None:
    told = figures.bots([ONE, TWO])
    assert told["a"]["firsts"]["mean"] == 0.75
    assert told["b"]["firsts"]["mean"] == 0.25


def test_intervals_are_those_of_the_textbook() -> None:
    spread = figures.spread([1, 2, 3, 4, 5])
    assert spread["ci95"] == pytest.approx([3 - 1.386, 3 + 1.386], abs=1e-3)
    assert figures.share([1] * 8 + [0] * 2)["ci95"] == pytest.approx([0.4902, 0.9433], abs=1e-3)
    assert figures.spread([4])["ci95"] == [4, 4]
    assert figures.spread([])["mean"] is None
