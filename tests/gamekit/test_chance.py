"""Chance: fair, keyed by its label, and the same on every machine."""

from __future__ import annotations

from collections import Counter
from enum import StrEnum

import pytest

from services.gamekit import chance
from services.gamekit.chance import Chance, Dealt, Draw, commitment, digest

SEED = b"a seed for tests"


class Suit(StrEnum):
    CUPS = "cups"
    SWORDS = "swords"


def chi_square(counts: Counter[int], faces: int) -> float:
    """How far the counts are from equal ones."""
    expected = counts.total() / faces
    return sum((counts[face] - expected) ** 2 / expected for face in range(faces))


CRITICAL = {2: 10.8, 3: 13.8, 6: 20.5, 7: 22.5, 52: 87.0}
"""Chi-square that one fair run in a thousand exceeds, by number of faces."""


@pytest.mark.parametrize("faces", CRITICAL)
def test_every_card_is_drawn_equally_often(faces: int) -> None:
    ours = Chance(SEED)
    counts = Counter(ours.draw(f"roll/{n}", range(faces)) for n in range(200 * faces))
    assert chi_square(counts, faces) < CRITICAL[faces]


def test_a_card_that_is_there_twice_is_drawn_twice_as_often() -> None:
    ours = Chance(SEED)
    counts = Counter(ours.draw(f"draw/{n}", {"raid": 2, "feint": 1}) for n in range(3000))
    assert counts["raid"] == pytest.approx(2000, abs=90)


def test_every_place_of_a_deal_is_fair() -> None:
    firsts, lasts = Counter[int](), Counter[int]()
    for n in range(1200):
        first, *_, last = Chance(SEED).deal(f"deal/{n}", range(6), 6)
        firsts[first] += 1
        lasts[last] += 1
    assert chi_square(firsts, 6) < CRITICAL[6]
    assert chi_square(lasts, 6) < CRITICAL[6]


def words(monkeypatch: pytest.MonkeyPatch, *given: int) -> list[bytes]:
    """Make the HMAC give these words; returns the messages it is asked for."""
    asked: list[bytes] = []

    def stub(key: bytes, message: bytes, name: str) -> bytes:
        assert (key, name) == (SEED, "sha256")
        asked.append(message)
        return given[len(asked) - 1].to_bytes(8, "big") + bytes(24)

    monkeypatch.setattr("services.gamekit.chance.hmac.digest", stub)
    return asked


def test_a_word_of_the_uneven_tail_is_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    last_fair = 2**64 - 2**64 % 6 - 1
    asked = words(monkeypatch, 2**64 - 1, last_fair + 1, last_fair)
    assert chance.index(SEED, "die", 6) == last_fair % 6 == 5
    assert asked == [b"die#0", b"die#1", b"die#2"]


def test_a_power_of_two_has_no_tail(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = words(monkeypatch, 2**64 - 1)
    assert chance.index(SEED, "coin", 2) == 1
    assert asked == [b"coin#0"]


def test_a_draw_depends_on_seed_label_and_candidates_alone() -> None:
    alone, after_others = Chance(SEED), Chance(SEED)
    for n in range(20):
        after_others.draw(f"other/{n}", range(9))
    cards = range(1000)
    assert alone.draw("mine", cards) == after_others.draw("mine", cards)
    assert alone.draw("mine", cards) == alone.draw("mine", cards)
    assert alone.draw("mine", cards) != alone.draw("yours", cards)
    assert alone.draw("mine", cards) != Chance(b"another").draw("mine", cards)


def test_the_order_of_the_candidates_means_nothing() -> None:
    one = Chance(SEED).draw("card", ["raid", "feint", "raid", "scout"])
    assert one == Chance(SEED).draw("card", ["scout", "raid", "raid", "feint"])
    assert one == Chance(SEED).draw("card", {"scout": 1, "feint": 1, "raid": 2, "shield": 0})


def test_numbers_are_sorted_by_size() -> None:
    ours = Chance(SEED)
    ours.draw("n", [10, 9, -1])
    assert ours.taken()[0].digest == digest([-1, 9, 10])
    assert digest([-1, 9, 10]) != digest(["-1", "10", "9"])


def test_a_game_draws_its_own_words() -> None:
    drawn = Chance(SEED).draw("suit", list(Suit))
    assert isinstance(drawn, Suit)
    assert digest(Suit) == digest(["cups", "swords"])


def test_nothing_cannot_be_drawn() -> None:
    with pytest.raises(ValueError, match="nothing to draw for empty"):
        Chance(SEED).draw("empty", [])


def test_a_die_shows_one_to_six() -> None:
    ours = Chance(SEED)
    assert {ours.die(f"die/{n}") for n in range(99)} == {1, 2, 3, 4, 5, 6}
    assert {ours.die(f"d4/{n}", sides=4) for n in range(99)} == {1, 2, 3, 4}


def test_a_deal_takes_each_card_once_and_stops_when_they_run_out() -> None:
    ours = Chance(SEED)
    assert sorted(ours.deal("all", [1, 1, 2, 3], 9)) == [1, 1, 2, 3]
    assert [draw.label for draw in ours.taken()] == ["all/0", "all/1", "all/2", "all/3"]
    assert ours.deal("none", [], 2) == ()


def test_draws_are_noted_once_with_what_they_were_drawn_from() -> None:
    ours = Chance(SEED)
    card = ours.draw("a", ["x", "y"])
    roll = ours.die("b")
    assert ours.taken() == (
        Draw("a", digest(["x", "y"]), card),
        Draw("b", digest([1, 2, 3, 4, 5, 6]), roll),
    )
    assert ours.taken() == ()


def test_a_digest_commits_to_every_copy() -> None:
    assert digest(["b", "a"]) == digest(["a", "b"])
    assert digest(["a", "b"]) != digest(["a", "b", "b"])


def test_given_results_repeat_draws_without_the_seed() -> None:
    def both(source: Chance) -> tuple[object, ...]:
        return (
            source.draw("suit", list(Suit)),
            source.deal("cards", [3, 3, 4, 5], 2),
            source.die("die"),
        )

    ours = Chance(SEED)
    drawn, draws = both(ours), ours.taken()
    for results in (
        {draw.label: draw.result for draw in draws},
        {draw.label: str(draw.result) for draw in draws},
    ):
        dealt = Dealt(results)
        assert both(dealt) == drawn
        assert dealt.taken() == draws


def test_a_result_that_was_not_given_or_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="no result was given for die"):
        Dealt({}).die("die")
    with pytest.raises(ValueError, match="no result was given for die"):
        Dealt({"die": 7}).die("die")


def test_the_commitment_does_not_give_the_seed_away() -> None:
    assert len(commitment(SEED)) == 64
    assert SEED.hex() not in commitment(SEED)
    assert SEED.decode() not in repr(Chance(SEED))
