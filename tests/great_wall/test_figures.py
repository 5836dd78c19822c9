"""What a simulation prints of The Great Wall."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from services.cli import main
from services.gamekit.game import Seat
from services.gamekit.testing import playout
from services.great_wall.cards.generals import GENERALS, General
from services.great_wall.endgame import general_score
from services.great_wall.figures import FEW, Tale, figures, tale
from services.great_wall.game import GAME

DI_QING, SONG_CI, WAN_YI = General.DI_QING, General.SONG_CI, General.WAN_YI
FIRST, SECOND = Seat(0), Seat(1)


def told(
    ending: str, year: int, scores: tuple[int, ...], won: Seat, *tea: int, breaches: int = 2
) -> Tale:
    """A match at two seats, or more."""
    generals = (DI_QING, SONG_CI, WAN_YI)[: len(scores)]
    walls, empty = ending == "walls", ending == "shame"
    return Tale(year, ending, breaches, walls, empty, scores, generals, tea, won)


def test_a_finished_match_is_kept_in_a_few_words() -> None:
    end = playout(GAME, 3, seed=1)[-1].after
    kept = tale(end)
    result = GAME.result(end)
    assert result is not None
    assert kept.won == result.places[0].seat
    assert kept.scores == tuple(sheet.total for sheet in GAME.score(end))
    assert (kept.year, kept.ending, kept.breaches) == (end.year, end.ending, end.breaches)
    assert kept.empty == (end.shame_pool == 0)
    assert kept.rival is None
    assert GAME.tale(end) == kept


def test_the_first_tea_order_follows_the_generals() -> None:
    end = playout(GAME, 4, seed=2)[-1].after
    kept = tale(end)
    values = {
        place: GENERALS[general].tea
        for place, general in zip(kept.tea, kept.generals, strict=True)
        if general
    }
    assert [values[place] for place in range(4)] == sorted(values.values(), reverse=True)


def test_alone_the_automated_general_is_beaten_or_not() -> None:
    end = playout(GAME, 1, seed=3)[-1].after
    kept = tale(end)
    assert kept.rival == general_score(end)
    assert (kept.won == FIRST) == GAME.result(end).outcome.startswith("won")  # type: ignore[union-attr]  # it is over
    found = figures([kept])
    assert found["wins"] == float(kept.won is not None)
    assert found["automated_general"] == kept.rival
    assert "tea_x_fair" not in found


def test_honour_endings_and_breaches_are_those_of_the_rules_document() -> None:
    found = figures(
        [
            told("walls", 4, (100, 80), FIRST, 0, 1, breaches=1),
            told("years", 6, (60, 120), SECOND, 0, 1, breaches=2),
            told("shame", 5, (30, 10), FIRST, 1, 0, breaches=6),
            told("shame", 6, (50, 40), FIRST, 0, 1, breaches=3),
        ]
    )
    assert found["winner"]["mean"] == 75
    assert found["mean_of_all"] == pytest.approx(61.2, abs=0.1)
    assert found["last_year"] == 0.5
    assert found["walls_complete"] == 0.25
    assert found["shame_pool_empty"] == 0.5
    assert found["ended_by_shame"] == 0.25
    assert found["breaches"] == 3
    assert found["endings"] == {"shame": 0.5, "walls": 0.25, "years": 0.25}
    assert found["tea_x_fair"] == {"1": 1.0, "2": 1.0}
    assert found["generals_x_fair"] == {}


def test_wins_are_counted_against_the_fair_share() -> None:
    found = figures([told("years", 6, (9, 8, 7), FIRST, 2, 0, 1)] * FEW)
    assert found["tea_x_fair"] == {"1": 0, "2": 0, "3": 3.0}
    assert found["generals_x_fair"] == {"di_qing": 3.0, "song_ci": 0, "wan_yi": 0}


def test_no_match_at_all_has_no_figures() -> None:
    assert GAME.figures([]) == {}


def test_a_simulation_prints_them_for_people_and_for_programs() -> None:
    asked = ("simulate", "great_wall", "--seats", "2", "--games", "3", "--seed", "9")
    runner = CliRunner()
    told = json.loads(runner.invoke(main, [*asked, "--json"]).stdout)["balance"]
    assert sum(told["endings"].values()) == pytest.approx(1, abs=0.001)
    assert set(told["tea_x_fair"]) == {"1", "2"}
    assert told["shame_pool_empty"] == 1
    printed = runner.invoke(main, list(asked)).stdout
    assert f"breaches: {told['breaches']:g}" in printed
