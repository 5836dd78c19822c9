"""Nobody waits for ever: what happens to tickets tick after tick."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from services.matchmaking.matching import form
from services.matchmaking.model import Group, Waiting
from services.matchmaking.policy import CASUAL, RANKED, Policy, overdue
from tests.matchmaking.crowds import NOW, POLICIES, STRICT, crowd, crowds, ticket
from tests.matchmaking.exact import passed_over

TICK = 10.0
BRISK = replace(RANKED, bound_s=40.0)


@given(crowds(9), st.sampled_from(POLICIES))
@settings(max_examples=60, deadline=None)
def test_nobody_overdue_is_passed_over_for_a_shorter_wait(
    waiting: list[Waiting], policy: Policy
) -> None:
    groups = form(waiting, policy, NOW)
    assert not list(passed_over(waiting, groups, policy, NOW))


@pytest.mark.parametrize("seed", range(3))
def test_nobody_overdue_is_passed_over_in_a_crowd(seed: int) -> None:
    hasty = replace(STRICT, bound_s=20.0, cap=3.0)
    waiting = [one for one in crowd(260, seed, keys=12) if max(one.seats) < 4]
    groups = form(waiting, hasty, NOW)
    assert any(overdue(hasty, one.waited(NOW)) for one in waiting)
    assert not list(passed_over(waiting, groups, hasty, NOW))


@given(st.lists(crowds(4), min_size=6, max_size=6))
@settings(max_examples=20, deadline=None)
def test_where_bots_fill_in_everybody_has_a_table_by_then(arrivals: list[list[Waiting]]) -> None:
    bound = (CASUAL.bots_after_s or 0.0) + TICK
    for now, waiting, groups in evening(arrivals, CASUAL):
        seated = {name for one in groups for name in one.tickets}
        for one in waiting:
            fits = len(one.party) <= max(one.seats)
            assert one.ticket in seated or not fits or one.waited(now) < bound


@given(st.booleans(), st.lists(st.floats(-2.0, 2.0), min_size=24, max_size=24))
@settings(max_examples=20, deadline=None)
def test_a_stranger_among_newcomers_has_a_table_at_the_bound(
    strong: bool, strengths: list[float]
) -> None:
    """Each newcomer would refuse him, and is gone before his own tolerance is wide."""
    far = (BRISK.cap - 2.0) * (1 if strong else -1)
    arrivals = [[ticket(n, 25.0 + strengths[4 * tick + n]) for n in range(4)] for tick in range(6)]
    arrivals[0].append(ticket(99, 25.0 + far))
    times = {
        name: now - NOW
        for now, _, groups in evening(arrivals, BRISK)
        for one in groups
        for name in one.tickets
    }
    assert times["0/t99"] == BRISK.bound_s


def test_whom_nobody_may_meet_waits_on() -> None:
    arrivals = [[ticket(tick, seats=(2,))] for tick in range(8)]
    arrivals[0].append(ticket(99, 25.0 + BRISK.cap + 0.1, seats=(2,)))
    seated = {
        name for _, _, groups in evening(arrivals, BRISK) for one in groups for name in one.tickets
    }
    assert "0/t99" not in seated
    assert "0/t0" in seated


def evening(
    arrivals: Sequence[Sequence[Waiting]], policy: Policy
) -> Iterator[tuple[float, list[Waiting], list[Group]]]:
    """(now, who waited, the tables) of each tick: some arrive, and whoever has no table waits
    on. Ids get the tick of the arrival before them."""
    waiting: list[Waiting] = []
    for tick, new in enumerate(arrivals):
        now = NOW + tick * TICK
        waiting += [
            replace(one, ticket=f"{tick}/{one.ticket}", since_s=now, avoid=()) for one in new
        ]
        groups = form(waiting, policy, now)
        yield now, list(waiting), groups
        gone = {name for one in groups for name in one.tickets}
        waiting = [one for one in waiting if one.ticket not in gone]
