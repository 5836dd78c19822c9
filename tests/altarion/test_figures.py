"""What a simulation prints of Altarion."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from services.altarion.cards import Nation
from services.altarion.figures import Tale, figures, tale
from services.altarion.game import GAME
from services.altarion.state import Ending
from services.cli import main
from services.gamekit.game import Seat
from services.gamekit.testing import playout

VESK, ORVANE, TAMVIR = Nation.VESK, Nation.ORVANE, Nation.TAMVIR
FIRST, SECOND = Seat(0), Seat(1)


def test_a_finished_match_is_kept_in_a_few_words() -> None:
    end = playout(GAME, 3, seed=1)[-1].after
    kept = tale(end)
    assert kept.rounds == end.round
    assert kept.nations == tuple(sheet.nation for sheet in end.sheets)
    result = GAME.result(end)
    assert result is not None
    assert kept.won == (result.places[0].seat,)
    assert GAME.tale(end) == kept


def test_wins_are_counted_against_the_fair_share() -> None:
    tales = [
        Tale(10, Ending.SPECIAL, (VESK, ORVANE), (FIRST,)),
        Tale(12, Ending.SPECIAL, (ORVANE, TAMVIR), (FIRST,)),
        Tale(14, Ending.ELIMINATION, (TAMVIR, VESK), (SECOND,)),
        Tale(30, Ending.LIMIT, (VESK, TAMVIR), (FIRST, SECOND)),
    ]
    found = figures(tales)
    assert found["rounds"]["median"] == 13
    assert found["endings"] == {"special": 0.5, "elimination": 0.25, "limit": 0.25}
    assert found["seats_x_fair"] == {"0": 1.25, "1": 0.75}
    assert found["nations_x_fair"] == {
        "orvane": pytest.approx(1.0),
        "tamvir": pytest.approx(0.333),
        "vesk": pytest.approx(1.667),
    }
    assert (found["worst_seat"], found["worst_nation"]) == (1.25, pytest.approx(1.667))


def test_with_more_players_the_fair_share_is_smaller() -> None:
    found = figures([Tale(9, Ending.SPECIAL, (VESK, ORVANE, TAMVIR), (FIRST,))])
    assert found["seats_x_fair"] == {"0": 3.0, "1": 0.0, "2": 0.0}
    assert found["rounds"] == {"p10": 9, "median": 9, "p90": 9}


def test_no_match_at_all_has_figures_too() -> None:
    assert GAME.figures([])["endings"] == {"special": 0, "elimination": 0, "limit": 0}


def test_a_simulation_prints_them_for_people_and_for_programs() -> None:
    asked = ("simulate", "altarion", "--seats", "3", "--games", "4", "--seed", "9")
    runner = CliRunner()
    told = json.loads(runner.invoke(main, [*asked, "--json"]).stdout)["balance"]
    assert 1 <= told["rounds"]["median"] <= 30
    assert sum(told["endings"].values()) == pytest.approx(1)
    assert set(told["seats_x_fair"]) == {"0", "1", "2"}
    assert set(told["nations_x_fair"]) <= set(Nation)
    printed = runner.invoke(main, [*asked, "--jobs", "2"]).stdout
    assert f"rounds: p10={told['rounds']['p10']:g} median={told['rounds']['median']:g}" in printed
    assert f"worst nation: {told['worst_nation']:g}" in printed
