"""How a match moves ratings."""

from __future__ import annotations

import math
from itertools import permutations
from random import Random

import pytest
from openskill.models import PlackettLuce

from services.scoring.formula import (
    DAILY,
    DAY_MS,
    MU,
    PATIENCE_DAYS,
    SIGMA,
    Belief,
    Finish,
    aged,
    compared,
    moved,
    orders,
    reset,
)

PUBLISHED = {
    2: [(27.635389, 8.065901), (22.364611, 8.065901)],
    3: [(27.869049, 8.205243), (25.717262, 8.058224), (21.413689, 8.058224)],
    4: [
        (27.795253, 8.263572),
        (26.552918, 8.179618),
        (24.689416, 8.084128),
        (20.962413, 8.084128),
    ],
}
RESULTS = 10_000


def openskill(ranks: list[int], before: list[Belief]) -> list[tuple[float, float]]:
    """What openskill says when it is asked with nothing of ours in between."""
    model = PlackettLuce()
    teams = [[model.rating(mu=one.mu, sigma=one.sigma)] for one in before]
    answer = model.rate(teams, ranks=[float(rank) for rank in ranks])
    return [(team[0].mu, team[0].sigma) for team in answer]


def anybody(rng: Random, count: int) -> list[Belief]:
    return [Belief(rng.uniform(5, 45), rng.uniform(0.8, SIGMA)) for _ in range(count)]


def close(one: Belief, two: tuple[float, float]) -> bool:
    return abs(one.mu - two[0]) < 1e-9 and abs(one.sigma - two[1]) < 1e-9


@pytest.mark.parametrize("seats", PUBLISHED)
def test_strangers_end_where_openskill_publishes(seats: int) -> None:
    after = compared(range(1, seats + 1), [Belief()] * seats)
    assert [(round(one.mu, 6), round(one.sigma, 6)) for one in after] == PUBLISHED[seats]


def test_ten_thousand_results_move_ratings_as_openskill_says() -> None:
    rng = Random(1)
    for _ in range(RESULTS):
        before = anybody(rng, rng.randint(2, 6))
        ranks = rng.sample(range(1, len(before) + 1), len(before))
        after = compared(ranks, before)
        assert all(map(close, after, openskill(ranks, before)))


def test_a_shared_place_counts_as_the_mean_of_the_orders_that_it_allows() -> None:
    rng = Random(2)
    for _ in range(300):
        before = anybody(rng, rng.randint(2, 5))
        ranks = [rng.randint(1, 3) for _ in before]
        allowed = [
            order
            for order in permutations(range(1, len(before) + 1))
            if all(
                (order[one] < order[two]) == (ranks[one] < ranks[two])
                for one in range(len(ranks))
                for two in range(len(ranks))
                if ranks[one] != ranks[two]
            )
        ]
        assert sorted(allowed) == sorted(tuple(order) for order in orders(ranks))
        answers = [openskill(list(order), before) for order in allowed]
        for seat, after in enumerate(compared(ranks, before)):
            mu = math.fsum(answer[seat][0] for answer in answers) / len(answers)
            sigma = math.fsum(answer[seat][1] for answer in answers) / len(answers)
            assert close(after, (mu, sigma))


def test_who_shares_the_first_place_gains_more_than_the_third() -> None:
    first, also_first, third, fourth = compared([1, 1, 3, 4], [Belief()] * 4)
    assert first == also_first
    assert first.mu > MU > third.mu > fourth.mu
    alone, second, *_ = compared([1, 2, 3, 4], [Belief()] * 4)
    assert alone.mu > first.mu > second.mu


def test_a_draw_of_equals_moves_nobody() -> None:
    for one in compared([1, 1], [Belief(30.0, 4.0)] * 2):
        assert one.mu == pytest.approx(30.0, abs=1e-12)
        assert one.sigma < math.hypot(4.0, 25 / 300)


def test_the_leaver_alone_pays() -> None:
    before = [Belief(20 + 3.0 * seat, 6.0) for seat in range(4)]
    finishes = [Finish(1), Finish(2), Finish(3), Finish(4, left=True)]
    after = moved(finishes, before)
    whole = compared([1, 2, 3, 4], before)
    assert after[3] == whole[3]
    assert after[3].mu < before[3].mu
    for seat in range(3):
        assert after[seat].mu >= before[seat].mu
        assert after[seat] in (whole[seat], before[seat])


def test_who_wins_against_a_leaver_gains_as_by_any_win() -> None:
    before = [Belief(), Belief()]
    left = moved([Finish(1), Finish(2, left=True)], before)
    assert left == compared([1, 2], before)


def test_leaving_second_is_no_better_than_leaving_first() -> None:
    before = [Belief()] * 4
    *_, third, fourth = moved(
        [Finish(1), Finish(2), Finish(3, left=True), Finish(4, left=True)], before
    )
    assert third.mu == pytest.approx(fourth.mu, abs=1e-12)
    assert third.mu < MU


def test_a_leaver_never_gains_though_he_was_thought_weak() -> None:
    before = [Belief(40.0, 8.0), Belief(40.0, 8.0), Belief(5.0, 8.0)]
    after = moved([Finish(1, left=True), Finish(1, left=True), Finish(1, left=True)], before)
    assert all(new.mu <= old.mu for new, old in zip(after, before, strict=True))


def test_absence_makes_uncertain_after_two_weeks_and_never_beyond_a_stranger() -> None:
    known = Belief(30.0, 3.0)
    assert aged(known, (PATIENCE_DAYS + 1) * DAY_MS - 1) == known
    month = aged(known, (PATIENCE_DAYS + 30) * DAY_MS)
    assert month.mu == 30.0
    assert month.sigma == pytest.approx(math.sqrt(9 + 30 * DAILY))
    assert aged(known, 10_000 * DAY_MS).sigma == SIGMA
    assert aged(Belief(30.0, 9.0), 10_000 * DAY_MS).sigma == 9.0


def test_a_new_season_takes_everybody_a_quarter_of_the_way_back() -> None:
    known = Belief(33.0, 3.0)
    assert reset(known, "2026-q4", "2026-q4") == known
    fresh = reset(known, "2026-q4", "2027-q1")
    assert fresh.mu == 31.0
    assert fresh.sigma == pytest.approx(math.sqrt(9 + (SIGMA**2 - 9) / 4))
    twice = reset(fresh, "2027-q1", "2027-q2")
    skipped = reset(known, "2026-q4", "2027-q2")
    assert (twice.mu, twice.sigma) == pytest.approx((skipped.mu, skipped.sigma))
