"""The fits by which weights are learned find what was put in."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log
from random import Random

import numpy as np
import pytest
from msgspec.structs import astuple

from services.great_wall.evaluate import Parts
from services.great_wall.weights import WEIGHTS
from tools.climb_great_wall import PAIRS, VICTORY, climb_from, contested, points, step
from tools.learn_great_wall import NAMES, possessions, report, ridge, slopes, trial
from tools.weigh_great_wall import observed, shares


def test_a_factor_that_matters_has_a_slope_and_others_have_none() -> None:
    rng, rows = Random(1), []
    wanted = NAMES.index("rest")
    for _ in range(400):
        logs = [[rng.gauss(0, 0.5) for _ in NAMES]]
        success = [10 * logs[0][wanted] + rng.gauss(0, 5)]
        rows.append({"table": [1, 0], "learning": [0], "logs": logs, "success": success})
    first, *others = slopes(rows)
    assert first.name == "rest"
    assert first.value / first.error > 8
    assert all(abs(one.value / one.error) < 4 for one in others)


def test_a_linear_fit_finds_its_coefficients() -> None:
    rng = Random(2)
    rows = [[rng.gauss(5, 2), rng.gauss(0, 1)] for _ in range(4000)]
    values = [3 * one - 2 * two + rng.gauss(0, 1) for one, two in rows]
    assert ridge(rows, values) == pytest.approx([3, -2], abs=0.1)


def test_a_trial_tells_how_each_seat_did_and_what_it_had() -> None:
    row = trial(2, 1, "trial", 0.3)
    assert len(row["learning"]) == 1
    assert len(row["logs"]) == len(row["scores"]) == len(row["success"]) == 2
    assert [fall["year"] for fall in row["falls"]] == list(range(1, len(row["falls"]) + 1))
    assert possessions([row], 2) == {}  # too few
    assert any(line.startswith("rest") for line in report([row]))


def test_a_climb_comes_near_the_top() -> None:
    def worth(logs: Sequence[float], seed: str) -> float:
        return 50 - 10 * sum((one - log(3)) ** 2 for one in logs) + Random(seed).gauss(0, 5)

    def contest(up: Sequence[float], down: Sequence[float], seed: str) -> tuple[float, float]:
        return worth(up, f"{seed}/up"), worth(down, f"{seed}/down")

    climb = climb_from([1.0, 9.0])
    for _ in range(40):
        assert len(step(climb, contest, "top")) == 2 * PAIRS
    assert climb.rounds == 40
    assert [exp(one) for one in climb.average] == pytest.approx([3, 3], rel=0.2)


def test_a_seat_comes_to_its_honour_and_the_first_place() -> None:
    found = points([WEIGHTS[2]] * 2, "table")
    assert found == points([WEIGHTS[2]] * 2, "table")
    assert max(found) > VICTORY
    assert all(0 < one < 250 for one in found)


def test_equals_come_to_the_same_at_one_table_and_apart() -> None:
    logs = [log(one) for one in astuple(WEIGHTS[2])]
    up, down = contested(2, logs, logs, "table")
    assert up == down
    assert up == pytest.approx(3 * sum(points([WEIGHTS[2]] * 2, "table")) / 2)


def test_shares_are_found_from_leads() -> None:
    rng = np.random.default_rng(3)
    had = rng.normal(0, (1.0, 5.0), (3000, 2))
    came = had @ np.array([3.0, -2.0]) + rng.normal(0, 1, 3000)
    assert shares(had, came) == pytest.approx([3, -2], abs=0.1)


def test_what_one_seat_is_ahead_the_others_are_behind() -> None:
    had, came = observed("random", 3, "leads")
    assert had.shape == (len(came), len(Parts._fields))
    for rows in (had.reshape(-1, 3, had.shape[1]), came.reshape(-1, 3, 1)):
        assert rows.sum(axis=1) == pytest.approx(0, abs=1e-9)
    assert np.abs(had).sum() > 0
