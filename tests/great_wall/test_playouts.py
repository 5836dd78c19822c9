"""Whole matches of random moves: what holds at every step, at every number of seats."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.gamekit.chance import Chance
from services.gamekit.game import NATURE, IllegalAction, Seat
from services.gamekit.play import guard, legal, play, settle, start
from services.gamekit.testing import Step, playout
from services.great_wall.cards.advisors import Advisor
from services.great_wall.cards.board import BARRICADES_PER_SECTION, HORDE_ROWS, PLACES, WALL
from services.great_wall.cards.commands import Command
from services.great_wall.cards.hordes import SECTION_OF, SPOTS, HordeCard
from services.great_wall.cards.tactics import Tactic
from services.great_wall.field import free_firing, soldiers_on
from services.great_wall.game import GAME
from services.great_wall.goods import LOCATIONS, RESOURCES
from services.great_wall.options import Difficulty, GreatWallOptions
from services.great_wall.rules.choices import Done
from services.great_wall.rules.clerks import clerks_in, slots
from services.great_wall.state import State
from services.great_wall.tasks.task import Phase
from services.great_wall.tasks.war import Mustering, Recruiting

SEATS = st.integers(1, 4)
SEEDS = st.integers(0, 2**32)
HAND_AND_DRAWN = 5 + 8


@settings(max_examples=12, deadline=None)
@given(seats=SEATS, seed=SEEDS)
def test_every_match_ends_and_nothing_is_ever_lost(seats: int, seed: int) -> None:
    options = GreatWallOptions(
        Random(seed).choice(list(Difficulty)) if seats == 1 else Difficulty.NORMAL
    )
    steps = playout(GAME, seats, options, seed)
    for step in steps:
        check(step.after)
    end = steps[-1].after
    assert end.phase is Phase.OVER
    assert end.ending in ("shame", "walls", "years")
    assert end.year <= len(end.setup.years)
    check_order(steps)


def check(state: State) -> None:
    """What holds in every position."""
    check_piles(state)
    check_board(state)
    for seat in range(state.seats):
        check_seat(state, seat)
    for clan in range(len(state.clans)):
        check_clerks(state, clan)


def check_piles(state: State) -> None:
    """Every card is in one place."""
    hordes = [*state.horde_deck, *state.horde_discard]
    hordes += [horde.card for row in state.hordes for horde in row]
    hordes += [claim.card for clan in state.clans for claim in clan.claimed]
    assert sorted(hordes) == sorted(
        card for card in HordeCard if SECTION_OF[card] in state.setup.sections
    )
    tactics = [*state.tactic_deck, *state.tactic_discard]
    tactics += [tactic for clan in state.clans for tactic in clan.tactics]
    assert sorted(tactics) == sorted(Tactic)
    advisors = [*state.advisor_deck, *state.advisor_discard, *state.advisor_track]
    for clan in state.clans:
        advisors += [*clan.active, *clan.supporting, *clan.advisors]
    if state.phase is not Phase.SPRING:
        assert sorted(advisors) == sorted(Advisor)


def check_board(state: State) -> None:
    """Hordes, walls and firing spots are within their limits."""
    for section, row in enumerate(state.hordes):
        assert len(row) <= HORDE_ROWS
        assert 0 <= state.walls[section] < len(WALL)
        assert 0 <= state.barricades[section] <= BARRICADES_PER_SECTION
        assert free_firing(state, section) >= 0
        for horde in row:
            assert all(
                not mark or cell in SPOTS[horde.card] for cell, mark in enumerate(horde.marks)
            )
    assert sorted(state.tea) == list(range(len(state.clans)))
    assert state.shame_pool >= 0


def check_seat(state: State, seat: int) -> None:
    """A seat's goods, soldiers, cards and honour."""
    clan = state.clans[seat]
    assert all(clan.goods.of(kind) >= 0 for kind in RESOURCES)
    assert clan.honour >= 0
    assert all(0 <= frozen <= pool for frozen, pool in zip(clan.frozen, clan.pool, strict=True))
    on = [soldiers_on(horde, seat) for row in state.hordes for horde in row]
    levels = sum(1 for level in clan.overseers if level)
    waiting = [
        task.recruits
        for task in state.stack
        if isinstance(task, Recruiting | Mustering) and task.clan == seat
    ]
    placed = (
        sum(clan.pool)
        + sum(clan.rest)
        + sum(clan.firing)
        + sum(map(sum, on))
        + levels
        + sum(map(len, waiting))
    )
    striking = sum(
        unit.count
        for task in state.stack
        for unit in getattr(task, "squad", ())
        if unit.zone == "recruit" and getattr(task, "clan", -1) == seat
    )
    assert placed + striking == 16
    cards = [*clan.commands, *clan.discard, *([clan.chosen] if clan.chosen else [])]
    cards += [one.command for one in state.track if one and one.clan == seat]
    assert sorted(set(cards)) == sorted(tuple(Command)[:6])
    assert len(clan.tactics) <= HAND_AND_DRAWN
    assert all(claim.shame in (0, 1, 2) for claim in clan.claimed)


def check_clerks(state: State, index: int) -> None:
    """Clerks are never lost, and no location holds more than its slots."""
    clan = state.clans[index]
    total = clan.clerks + clan.reserve + sum(clan.desks)
    assert total == (3 if index == state.reed else 8)
    assert clan.desks[-1] == 0
    for at, location in enumerate(LOCATIONS[: len(PLACES)]):
        most = slots(state, location)
        assert most is None or clerks_in(state, location) <= most
        assert index != state.reed or clan.desks[at] <= 1


def check_order(steps: list[Step[State]]) -> None:
    """Years go on one by one; walls only grow."""
    for step in steps:
        assert step.after.year - step.state.year in (0, 1)
        assert all(new >= old for new, old in zip(step.after.walls, step.state.walls, strict=True))
        assert step.after.breaches >= step.state.breaches


@settings(max_examples=6, deadline=None)
@given(seats=SEATS, seed=SEEDS)
def test_the_legal_answers_are_all_that_are_accepted(seats: int, seed: int) -> None:
    """Moves of the whole match, tried anywhere: one is accepted exactly when it is listed."""
    rng = Random(seed)
    steps = playout(GAME, seats, seed=seed)
    moves = list({step.action for step in steps if step.seat != NATURE})
    for step in rng.sample(steps, min(30, len(steps))):
        for decision in GAME.decisions(step.state):
            if decision.seat == NATURE:
                continue
            listed = set(legal(GAME, step.state, decision.seat))
            for move in rng.sample(moves, min(40, len(moves))):
                assert accepted(step.state, decision.seat, move) == (move in listed)


def accepted(state: State, seat: Seat, move: object) -> bool:
    """Whether a move may be played."""
    try:
        guard(GAME, state, seat, move)  # type: ignore[arg-type]  # any of the game's moves
    except IllegalAction:
        return False
    return True


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_a_match_in_which_nobody_does_what_is_optional_ends_too(seats: int) -> None:
    rng = Random(seats)
    state, chance = start(GAME, seats, GreatWallOptions()), Chance(b"idle")
    while GAME.decisions(state):
        state, _ = settle(GAME, state, chance, deferred=True)
        for decision in GAME.decisions(state)[:1]:
            answers = list(legal(GAME, state, decision.seat))
            move = Done() if Done() in answers else rng.choice(answers)
            state = play(GAME, state, decision.seat, move)
    assert state.ending
    assert GAME.result(state) is not None
