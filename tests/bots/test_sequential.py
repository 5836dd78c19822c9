"""The test that decides how many games a comparison needs."""

from __future__ import annotations

from itertools import cycle, islice

from tests.bots.sequential import verdict


def test_who_always_wins_is_found_better_within_few_games() -> None:
    found = verdict(cycle([1.0]))
    assert found.more
    assert found.games < 25


def test_equals_are_told_apart_from_a_clear_lead() -> None:
    found = verdict(cycle([1.0, 0.0]))
    assert not found.more
    assert found.games < 100


def test_a_close_call_goes_to_the_end_of_the_games() -> None:
    nearly = list(islice(cycle([1.0, 1.0, 0.0]), 18))
    found = verdict(nearly)
    assert found.games == len(nearly)
    assert found.more
    assert not verdict([*nearly, 0.0]).more
