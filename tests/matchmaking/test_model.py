"""Which tables are formed: by example, and properties of every crowd."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from services.matchmaking import matching
from services.matchmaking.arrays.columns import columns
from services.matchmaking.arrays.layout import laid, worth_by_key
from services.matchmaking.greedy import greedy
from services.matchmaking.matching import form
from services.matchmaking.model import (
    LATE,
    Group,
    Waiting,
    admissible,
    objective,
    quality,
)
from services.matchmaking.policy import CASUAL, RANKED, Policy, overdue, sentence, tolerance
from tests.matchmaking.crowds import (
    EVERY_SIZE,
    NOW,
    POLICIES,
    STRICT,
    by_id,
    crowd,
    crowds,
    sitting,
    ticket,
)
from tests.matchmaking.exact import best_groups, passed_over

policies = st.sampled_from(POLICIES)
some = settings(max_examples=25, deadline=None)


def formed(*waiting: Waiting, policy: Policy = RANKED) -> set[frozenset[str]]:
    return sitting(form(waiting, policy, NOW))


def test_nobody_waits_and_nothing_is_formed() -> None:
    assert form([], CASUAL, NOW) == []


def test_four_of_a_strength_get_a_table() -> None:
    (group,) = form([ticket(n) for n in range(4)], RANKED, NOW)
    assert group == Group(("t0", "t1", "t2", "t3"), 4, 0, 1.0, 0.0)


def test_three_wait_for_a_fourth() -> None:
    assert not formed(*(ticket(n) for n in range(3)))


def test_the_nearest_sit_together() -> None:
    ratings = [20.0, 27.0, 20.5, 27.5]
    tickets = (ticket(n, mu, waited=100.0, seats=(2,)) for n, mu in enumerate(ratings))
    assert formed(*tickets) == {frozenset({"t0", "t2"}), frozenset({"t1", "t3"})}


def test_a_party_stays_together_and_gets_company() -> None:
    tables = formed(ticket(0, size=2), ticket(1), ticket(2), ticket(3))
    assert len(tables) == 1
    assert all(len(table) == 3 and "t0" in table for table in tables)


def test_a_party_that_is_a_table_of_its_own_waits_for_nobody() -> None:
    assert formed(ticket(0, size=4)) == {frozenset({"t0"})}


def test_a_party_without_a_table_large_enough_waits() -> None:
    assert not formed(ticket(0, size=3, seats=(2,)), ticket(1, seats=(2,)))


def test_everybody_wants_the_seats_of_his_table() -> None:
    assert not formed(ticket(0, seats=(2,)), ticket(1, seats=(3,)), ticket(2, seats=(3,)))
    assert formed(ticket(0, seats=(2, 3)), ticket(1, seats=(3,)), ticket(2, seats=(3,)))


def test_a_queue_forms_only_its_own_sizes() -> None:
    two = replace(RANKED, seats=(2,))
    assert not formed(*(ticket(n, seats=(3,)) for n in range(3)), policy=two)


def test_what_must_agree_agrees() -> None:
    assert not formed(ticket(0, seats=(2,), key="a"), ticket(1, seats=(2,), key="b"))


def test_tolerance_widens_with_the_wait_of_each() -> None:
    assert tolerance(RANKED, 0.0) == 2.0
    assert tolerance(RANKED, 100.0) == 7.0
    assert tolerance(RANKED, 1e6) == 12.0
    near = ticket(0, 20.0, waited=100.0, seats=(2,))
    assert not formed(near, ticket(1, 26.0, waited=0.0, seats=(2,)))
    assert formed(near, ticket(1, 26.0, waited=100.0, seats=(2,)))


def test_somebody_overdue_is_welcome_up_to_the_cap() -> None:
    old = ticket(0, 14.0, waited=180.0, seats=(2,))
    assert formed(old, ticket(1, 25.5, seats=(2,)))
    assert not formed(old, ticket(1, 26.5, seats=(2,)))


def test_a_ticket_alone_gets_bots_after_its_time_and_not_before() -> None:
    assert form([ticket(0, waited=29.0)], CASUAL, NOW) == []
    (group,) = form([ticket(0, waited=30.0)], CASUAL, NOW)
    assert (group.seats, group.bots, group.quality) == (4, 3, 0.0)
    assert form([ticket(0, waited=1e5)], RANKED, NOW) == []


def test_bots_only_fill_what_people_leave_open() -> None:
    (group,) = form([ticket(n, waited=40.0 * (n == 0)) for n in range(3)], CASUAL, NOW)
    assert (group.tickets, group.bots) == (("t0", "t1", "t2"), 1)
    (group,) = form([ticket(n, waited=40.0) for n in range(4)], CASUAL, NOW)
    assert group.bots == 0


def test_recent_opponents_part_when_there_are_others() -> None:
    pair = [ticket(0, seats=(2,), avoid=("p1",)), ticket(1, seats=(2,))]
    assert formed(*pair) == {frozenset({"t0", "t1"})}
    others = [ticket(2, 25.5, seats=(2,)), ticket(3, 25.5, seats=(2,))]
    assert frozenset({"t0", "t1"}) not in formed(*pair, *others)


def test_the_longest_wait_goes_first_when_not_all_can_sit() -> None:
    waits = {0: 5.0, 1: 50.0, 2: 20.0}
    tables = formed(*(ticket(n, waited=wait, seats=(2,)) for n, wait in waits.items()))
    assert tables == {frozenset({"t1", "t2"})}


def test_a_fuller_table_is_preferred_among_equals() -> None:
    (group,) = form([ticket(n, seats=(2, 4)) for n in range(4)], RANKED, NOW)
    assert group.seats == 4


def test_a_ticket_is_told_what_it_matches_now() -> None:
    assert sentence(RANKED, (4,), 50.0) == "now matching ±4.5 for 4 seats"
    assert sentence(CASUAL, (4, 2, 3), 10.0) == (
        "now matching ±5.5 for 2, 3 or 4 seats, bots from 30 s on"
    )
    assert sentence(CASUAL, (2, 4), 60.0) == (
        "now matching ±25.0 for 2 or 4 seats, bots may fill in"
    )


@pytest.mark.parametrize(
    "wrong",
    [{"base": -1.0}, {"base": 9.0, "cap": 8.0}, {"bound_s": 0.0}, {"again": 1.5}, {"seats": (1,)},
     {"seats": ()}, {"bots_after_s": -1.0}, {"per_s": float("nan")}],
)  # fmt: skip
def test_a_policy_that_no_queue_can_have_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        Policy(**wrong)  # type: ignore[arg-type] # each is one wrong field


@given(crowds(20), policies)
@some
def test_tables_are_disjoint_and_admissible(waiting: list[Waiting], policy: Policy) -> None:
    known, groups = by_id(waiting), form(waiting, policy, NOW)
    seated = [name for one in groups for name in one.tickets]
    assert len(seated) == len(set(seated))
    for one in groups:
        table = [known[name] for name in one.tickets]
        assert admissible(table, one.seats, policy, NOW)
        assert one.bots == one.seats - sum(len(each.party) for each in table)
        assert one.quality == pytest.approx(quality(table, one.seats, policy))
        assert one.spread == known[one.tickets[-1]].rating - known[one.tickets[0]].rating


@given(crowds(20), policies)
@some
def test_never_worse_than_the_plain_way(waiting: list[Waiting], policy: Policy) -> None:
    ours, plain = form(waiting, policy, NOW), greedy(waiting, policy, NOW)
    known = by_id(waiting)
    better = objective(ours, known, policy, NOW) >= objective(plain, known, policy, NOW) - 1e-6
    assert better or any(passed_over(waiting, plain, policy, NOW))


@given(crowds(10), policies)
@settings(max_examples=25, deadline=None)
def test_few_tickets_have_the_best_tables_there_are(waiting: list[Waiting], policy: Policy) -> None:
    """The best of those that pass over nobody overdue."""
    ours, best = form(waiting, policy, NOW), best_groups(waiting, policy, NOW)
    assert comes_near(ours, best, waiting, policy) or any(passed_over(waiting, best, policy, NOW))


def comes_near(
    ours: Sequence[Group], best: Sequence[Group], waiting: Sequence[Waiting], policy: Policy
) -> bool:
    """As many overdue have tables, and what else counts comes to 95 % of the best."""
    known = by_id(waiting)
    late, worth = [], []
    for groups in (ours, best):
        names = [name for one in groups for name in one.tickets]
        late.append(sum(overdue(policy, known[name].waited(NOW)) for name in names))
        worth.append(objective(groups, known, policy, NOW) - LATE * late[-1])
    return late[0] == late[1] and worth[0] >= 0.95 * worth[1] - 1e-6


@pytest.mark.parametrize("policy", [CASUAL, EVERY_SIZE, STRICT])
@pytest.mark.parametrize("seed", range(4))
def test_a_few_more_are_within_five_percent_of_the_best(policy: Policy, seed: int) -> None:
    patient = replace(policy, bound_s=1e6)
    waiting = crowd(14, seed, spread=4.0)
    ours, best = form(waiting, patient, NOW), best_groups(waiting, patient, NOW)
    known = by_id(waiting)
    assert objective(best, known, patient, NOW) > 0
    assert objective(ours, known, patient, NOW) >= 0.95 * objective(best, known, patient, NOW)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("policy", [CASUAL, RANKED])
def test_a_crowd_does_better_than_the_plain_way(policy: Policy, seed: int) -> None:
    waiting = crowd(1100, seed, keys=2)
    assert len(waiting) > matching.FEW
    known = by_id(waiting)
    ours, plain = form(waiting, policy, NOW), greedy(waiting, policy, NOW)
    assert objective(ours, known, policy, NOW) > objective(plain, known, policy, NOW)


@given(crowds(20), policies, st.randoms(use_true_random=False))
@some
def test_the_order_of_arrival_changes_nothing(
    waiting: list[Waiting], policy: Policy, rng: Random
) -> None:
    shuffled = rng.sample(waiting, len(waiting))
    assert form(shuffled, policy, NOW) == form(waiting, policy, NOW)


def test_the_order_of_a_crowd_changes_nothing() -> None:
    waiting = crowd(3000, 1, keys=3)
    shuffled = Random(2).sample(waiting, len(waiting))
    assert form(shuffled, CASUAL, NOW) == form(waiting, CASUAL, NOW)


@given(crowds(20), policies)
@some
def test_arrays_and_objective_agree(waiting: list[Waiting], policy: Policy) -> None:
    cols = columns(waiting, policy, NOW)
    groups = form(waiting, policy, NOW)
    worth = np.sum(worth_by_key(cols, policy, laid(cols, groups))) if groups else 0.0
    assert worth == pytest.approx(objective(groups, by_id(waiting), policy, NOW))
