"""Places: shared where nothing decides, and each told what decided it."""

from __future__ import annotations

from services.gamekit.game import Place, Seat
from services.gamekit.ranking import ranked


def places(*rows: tuple[int, ...]) -> list[tuple[int, int, str]]:
    """(seat, place, decided_by) of seats with these scores, coins and guards."""
    names = ("score", "coins", "guards")
    standings = {Seat(seat): dict(zip(names, row, strict=False)) for seat, row in enumerate(rows)}
    return [(one.seat, one.place, one.decided_by) for one in ranked(standings)]


def test_the_score_decides() -> None:
    assert places((5,), (9,), (7,)) == [(1, 1, "score"), (2, 2, "score"), (0, 3, "score")]


def test_a_tie_goes_to_the_next_thing_that_counts() -> None:
    assert places((5, 1), (5, 2), (3, 9)) == [(1, 1, "coins"), (0, 2, "coins"), (2, 3, "score")]


def test_who_is_set_apart_on_either_side_is_told_the_finer_reason() -> None:
    assert places((5, 1, 1), (5, 1, 0), (5, 0, 0)) == [
        (0, 1, "guards"),
        (1, 2, "guards"),
        (2, 3, "coins"),
    ]


def test_full_ties_share_a_place_and_leave_the_next_one_out() -> None:
    assert places((5, 1), (7, 0), (5, 1), (1, 1)) == [
        (1, 1, "score"),
        (0, 2, "shared"),
        (2, 2, "shared"),
        (3, 4, "score"),
    ]


def test_everybody_may_be_first() -> None:
    assert {place for _, place, _ in places((3,), (3,), (3,))} == {1}


def test_something_weightier_than_the_score_may_decide() -> None:
    rows = {Seat(0): {"stayed": 0, "score": 9}, Seat(1): {"stayed": 1, "score": 2}}
    assert ranked(rows) == (Place(Seat(1), 1, 2, "stayed"), Place(Seat(0), 2, 9, "stayed"))


def test_a_lone_seat_is_first() -> None:
    assert places((4,)) == [(0, 1, "score")]
