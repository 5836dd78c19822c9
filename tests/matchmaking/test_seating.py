"""Seats are drawn fairly, and balanced over what players had lately."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.gamekit.chance import Chance, digest
from services.matchmaking.seating import RECENT, seat_order, weight

SEED = bytes(range(32))


def evening(people: list[str], seats: int, matches: int) -> list[list[str | None]]:
    """The same people, match after match."""
    past: dict[str, list[tuple[int, int]]] = {one: [] for one in people}
    played = []
    for number in range(matches):
        order = seat_order(Chance(SEED), f"seats/m{number}", people, seats, past)
        played.append(order)
        for seat, one in enumerate(order):
            if one:
                past[one].insert(0, (seat, seats))
    return played


@given(st.integers(1, 8), st.integers(0, 7), st.integers(0, 1000))
@settings(max_examples=50, deadline=None)
def test_everybody_has_one_seat_and_bots_the_rest(people: int, bots: int, number: int) -> None:
    names = [f"p{n}" for n in range(people)]
    seats = min(8, people + bots)
    order = seat_order(Chance(SEED), f"seats/{number}", names, seats, {})
    assert sorted(one for one in order if one) == names
    assert len(order) == seats


def test_the_same_match_has_the_same_seats_whoever_asks() -> None:
    past = {"ann": [(0, 4)] * 3}
    names = ["ann", "bob", "cid", "dan"]
    one = seat_order(Chance(SEED), "seats/m1", names, 4, past)
    assert seat_order(Chance(SEED), "seats/m1", names[::-1], 4, past) == one
    others = {tuple(seat_order(Chance(SEED), f"seats/m{n}", names, 4, past)) for n in range(50)}
    assert len(others) > 10


def test_the_first_seat_goes_round_better_than_by_luck() -> None:
    names = ["ann", "bob", "cid", "dan"]
    played = evening(names, 4, 400)
    for seat in range(4):
        had = Counter(order[seat] for order in played)
        assert all(abs(had[one] - 100) <= 8 for one in names), had


def test_nobody_waits_long_for_the_first_seat() -> None:
    names = ["ann", "bob", "cid", "dan"]
    firsts = [order[0] for order in evening(names, 4, 400)]
    for name in names:
        at = [number for number, one in enumerate(firsts) if one == name]
        assert max(later - earlier for earlier, later in pairwise(at)) <= 16


def test_newcomers_have_the_same_chance() -> None:
    names = ["ann", "bob", "cid", "dan"]
    firsts = Counter(seat_order(Chance(SEED), f"seats/{n}", names, 4, {})[0] for n in range(4000))
    assert all(abs(firsts[one] - 1000) < 110 for one in names), firsts


def test_a_bot_is_first_as_often_as_anybody() -> None:
    firsts = Counter(seat_order(Chance(SEED), f"seats/{n}", ["ann"], 4, {})[0] for n in range(4000))
    assert abs(firsts["ann"] - 1000) < 110


def test_who_was_first_gets_fewer_lots_and_who_never_was_gets_more() -> None:
    assert weight([], 0) == 16
    assert weight([(0, 2)], 0) == 8
    assert weight([(1, 2)], 0) == 32
    assert weight([(0, 2), (1, 2)], 0) == 16
    assert weight([(1, 2)] * 50, 0) == 256
    assert weight([(0, 2)] * 50, 0) == 1


def test_a_seat_that_a_match_did_not_have_says_nothing() -> None:
    assert weight([(0, 2)] * 9, 3) == 16


def test_only_recent_matches_count() -> None:
    assert weight([(0, 2), (1, 2)] * (RECENT // 2) + [(0, 2)] * 9, 0) == 16


def test_the_draws_can_be_checked_without_our_code() -> None:
    chance = Chance(SEED)
    past = {"ann": [(0, 3)], "bob": [(1, 3), (2, 3)]}
    order = seat_order(chance, "seats/m7", ["ann", "bob"], 3, past)
    # lots: ann is short 1/3 - 1 of the first seat, bob 2/3; a bot has 16
    pile = sorted(["ann"] * 4 + ["bob"] * 32 + [""] * 16)
    assert (weight(past["ann"], 0), weight(past["bob"], 0)) == (4, 32)
    word = int.from_bytes(hmac.new(SEED, b"seats/m7/0#0", hashlib.sha256).digest()[:8], "big")
    assert (order[0] or "") == pile[word % len(pile)]
    drawn = chance.taken()
    assert [one.label for one in drawn] == ["seats/m7/0", "seats/m7/1", "seats/m7/2"]
    assert drawn[0].digest == digest(pile)


def test_one_person_cannot_sit_twice() -> None:
    with pytest.raises(ValueError, match="different persons"):
        seat_order(Chance(SEED), "seats/m1", ["ann", "ann"], 2, {})
