"""What a host relies on, for every game and number of seats, along matches of random moves."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.gamekit.conformance import (
    check_ends,
    check_nature,
    check_playout,
    check_position,
    check_retirement,
)
from services.gamekit.declaration import check_options_of, check_tables
from services.gamekit.game import NATURE, Game, IllegalAction, IllegalOptions, Seat
from services.gamekit.play import legal, sample, start
from services.gamekit.secrecy import check_imagination, check_secrecy
from services.gamekit.testing import Step, playout
from tests.every_game.cases import CASES, GAMES, Case

every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.meta.key)
every_case = pytest.mark.parametrize("case", CASES, ids=str)
some_seeds = settings(max_examples=6, deadline=None)
seeds = given(seed=st.integers(0, 2**32))


def stretch(steps: list[Step[Any]], rng: Random, size: int) -> list[Step[Any]]:
    """At most `size` moves in a row: long matches are looked at piece by piece."""
    first = rng.randrange(max(1, len(steps) - size + 1))
    return steps[first : first + size]


@every_game
def test_a_game_declares_what_it_is(game: Game[Any]) -> None:
    check_tables(game)
    check_options_of(game)


@every_game
def test_a_game_starts_only_with_as_many_seats_as_it_has(game: Game[Any]) -> None:
    for seats in (game.meta.min_seats - 1, game.meta.max_seats + 1):
        with pytest.raises(IllegalOptions, match="bad_seats"):
            start(game, seats, game.Options())


@every_case
@some_seeds
@seeds
def test_every_position_can_be_asked_answered_scored_and_stored(case: Case, seed: int) -> None:
    rng = Random(seed)
    steps = playout(*case, case.options(seed), seed)
    for step in stretch(steps, rng, 60):
        check_position(case.game, step.state, case.seats, rng)
    check_position(case.game, steps[-1].after, case.seats, rng)


@every_case
@some_seeds
@seeds
def test_a_match_is_the_fold_of_its_log(case: Case, seed: int) -> None:
    options = case.options(seed)
    steps = playout(*case, options, seed)
    check_playout(*case, options, steps)
    for step in steps:
        check_nature(case.game, step)


@every_case
@some_seeds
@seeds
def test_worlds_that_look_the_same_stay_the_same(case: Case, seed: int) -> None:
    rng = Random(seed)
    steps = stretch(playout(*case, case.options(seed), seed), rng, 60)
    for viewer in rng.sample(case.viewers(), min(3, case.seats)):
        check_secrecy(case.game, steps, viewer, rng)


@every_case
@some_seeds
@seeds
def test_what_a_seat_imagines_looks_the_same_and_can_be_played(case: Case, seed: int) -> None:
    rng = Random(seed)
    steps = playout(*case, case.options(seed), seed)
    for step in rng.sample(steps, min(4, len(steps))):
        worlds = [
            check_imagination(case.game, step.state, viewer, rng) for viewer in case.viewers()
        ]
        check_ends(case.game, rng.choice(worlds), case.seats, rng)


@every_case
@some_seeds
@seeds
def test_seats_can_leave_where_the_game_rules_it(case: Case, seed: int) -> None:
    rng = Random(seed)
    steps = playout(*case, case.options(seed), seed)
    for step in rng.sample(steps, min(4, len(steps))):
        left = check_retirement(case.game, step.state, case.seats, rng)
        if not case.game.meta.retires:
            assert left == []
            with pytest.raises(IllegalAction, match="cannot_retire"):
                case.game.retire(step.state, Seat(0))


@every_case
def test_a_random_answer_can_be_any_legal_one(case: Case) -> None:
    rng = Random(1)
    few = 0
    for step in playout(*case):
        for decision in case.game.decisions(step.state):
            if decision.seat == NATURE:
                continue
            answers = list(legal(case.game, step.state, decision.seat))
            if 1 < len(answers) <= 8:
                few += 1
                drawn = {sample(case.game, step.state, decision, rng) for _ in range(400)}
                assert drawn == set(answers)
        if few > 10:
            return
    assert few
