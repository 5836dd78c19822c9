"""`legal` lists exactly what `check` accepts, and `check` accepts exactly what the rules allow.

Brute force: every move that can be said is tried, in positions from play and in positions made up.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from services.gamekit.game import NATURE, Seat
from services.gamekit.play import legal, open_decision
from services.gamekit.testing import playout
from services.hadrians_wall.cards import PlayerCard
from services.hadrians_wall.effects import Choice
from services.hadrians_wall.game import GAME
from services.hadrians_wall.goods import Cohort, Difficulty
from services.hadrians_wall.state import HadriansWallOptions, Phase, Sheet, State
from tests.hadrians_wall.independent import facts
from tests.hadrians_wall.independent.arguments import said
from tests.hadrians_wall.independent.facts import LAYS
from tests.hadrians_wall.independent.permits import objections
from tests.hadrians_wall.independent.referee import compare, refusal
from tests.hadrians_wall.independent.world import world


def examine(state: State, seat: int, rng: Random | None) -> int:
    """Try everything that can be said; how much of it is legal."""
    decision = open_decision(GAME, state, Seat(seat))
    assert decision is not None
    position, accepted = world(state), set()
    for move in said(decision.prompt, rng):
        reasons, code = objections(position, seat, move), refusal(state, move, seat)
        assert code in (reasons or {""}), f"{move}: {code}, but the rules say {reasons}"
        if not code:
            accepted.add(move)
    listed = list(legal(GAME, state, Seat(seat)))
    assert set(listed) == accepted
    assert len(listed) == len(accepted)
    return len(accepted)


def some(rng: Random, most: int, often_full: float = 0.2) -> int:
    """How far a track is filled: all of it now and then."""
    return most if rng.random() < often_full else rng.randint(0, most)


def years(rng: Random, year: int, boxes: int, most_a_year: int = 1) -> tuple[int, ...]:
    """A row in which boxes record the years up to this one."""
    free = [one for one in range(1, year + 1) for _ in range(most_a_year)]
    rng.shuffle(free)
    filled = [free.pop() if free and rng.random() < 0.4 else 0 for _ in range(boxes)]
    return tuple(filled)


def marked(rng: Random, year: int, boxes: int) -> tuple[int, ...]:
    """The years of the boxes that were filled one after the other."""
    return tuple(one for one in range(1, year + 1) if rng.random() < 0.5)[:boxes]


def left_sheet(rng: Random, year: int) -> dict[str, Any]:
    """A left sheet made up."""
    granary = rng.randint(0, 2)
    fields: dict[str, Any] = {"granary": granary}
    for track, line in facts.LINES.items():
        fields[track] = some(rng, line.ends[granary], 0.3)
    fields |= {one: some(rng, 25) for one in facts.ATTRIBUTES}
    fields |= {one: rng.randint(0, 2) for one in ("hotel", "workshop", "road")}
    fields |= {one: rng.randint(0, 1) for one in facts.LANDMARKS}
    fields |= {f"cohort_{side}": some(rng, 6) for side in facts.COHORTS}
    fields["production"] = rng.randint(1, 9)
    return fields | {"training": marked(rng, year, 5), "forum": marked(rng, year, 4)}


def right_sheet(rng: Random, year: int) -> dict[str, Any]:
    """A right sheet made up."""
    fields: dict[str, Any] = {one: some(rng, 9) for one in facts.CITIZENS}
    for plan in facts.BUILDINGS.values():
        if plan.track != "fort":
            fields[plan.family] = rng.randint(0, plan.size)
    for gladiator in ("red", "blue"):
        circled = rng.randint(0, 6)
        fields |= {gladiator: circled, f"{gladiator}_wounds": rng.randint(0, circled)}
        fields[f"{gladiator}_battles"] = marked(rng, year, 6)
    courts = [rng.sample(range(1, year + 1), rng.randint(0, min(3, year))) for _ in range(3)]
    return fields | {
        "goods": tuple(rng.choice((0, rng.randint(1, 6))) for _ in range(8)),
        "plays": years(rng, year, 6),
        "pools": years(rng, year, 6, 2),
        "courts": tuple(one for column in courts for one in (*column, 0, 0, 0)[:3]),
        "temple_boxes": some(rng, (0, 2, 8, 14)[fields["temples"]]),
        "diplomats": tuple(rng.sample(tuple(Cohort), rng.randint(0, 3))),
        "scouts": some(rng, 5),
        "map": rng.getrandbits(20) & rng.getrandbits(20) | rng.choice((0, 31, 31 << 10)),
        "disdain": rng.randint(0, 3),
    }


def hand(rng: Random, most: int) -> dict[str, Any]:
    """Some goods."""
    return {good: rng.randint(0, most) for good in facts.GOODS}


def made_up(rng: Random) -> State:
    """A year's actions as no game may have brought them about, but as any could."""
    seats, year = rng.randint(1, 4), rng.randint(1, 6)
    options = HadriansWallOptions(
        difficulty=rng.choice(tuple(Difficulty)),
        resource_passing=rng.random() < 0.7,
        campaign=rng.randint(0, 16) if seats == 1 else 0,
    )
    rich = rng.choice((1, 2, 4))
    sheets = tuple(
        Sheet(
            **left_sheet(rng, year),
            **right_sheet(rng, year),
            **hand(rng, rich),
            prospects=(rng.choice(tuple(PlayerCard)),),
            passed=seat > 0 and rng.random() < 0.5,
        )
        for seat in range(seats)
    )
    due = 2 if seats == 1 else 1 if seats == 2 else 0
    if options.campaign in facts.FACTS["forts"]["one_neutral"]:
        due = 1
    neutral = tuple(rng.sample(tuple(PlayerCard), due))
    return State(options, sheets, year=year, phase=Phase.ACTIONS, neutral=neutral)


@pytest.mark.parametrize("seed", range(12))
def test_in_positions_made_up_all_that_is_allowed_is_listed_and_has_its_effect(seed: int) -> None:
    rng = Random(seed)
    for _ in range(10):
        state = made_up(rng)
        examine(state, 0, rng)
        moves = list(legal(GAME, state, Seat(0)))
        for move in rng.sample(moves, min(25, len(moves))):
            compare(state, 0, move, GAME.advance(move.apply(state, Seat(0))))


def test_every_four_cells_are_tried_for_every_source() -> None:
    filled = {0, 7, 15, 16}
    fields: dict[str, Any] = {"patricians": 9, "soldier": 1, "map": sum(2**one for one in filled)}
    state = State(
        HadriansWallOptions(),
        (Sheet(**fields, prospects=(PlayerCard.DEFENDER,)),),
        phase=Phase.ACTIONS,
        neutral=(PlayerCard.RANGER, PlayerCard.PLANNER),
    )
    # a soldier may also guard the wall or build the fort; and one may stop
    free = [len([one for one in LAYS[pattern] if filled.isdisjoint(one)]) for pattern in "lis"]
    assert examine(state, 0, None) == sum(free) + 3


@pytest.mark.parametrize("seats", range(1, 7))
def test_in_positions_of_play_all_that_is_allowed_is_listed(seats: int) -> None:
    rng = Random(seats)
    options = HadriansWallOptions(
        difficulty=tuple(Difficulty)[seats % 3], resource_passing=seats % 2 == 0
    )
    prompts = set()
    steps = [step for step in playout(GAME, seats, options, seats) if step.seat != NATURE]
    rare = [step for step in steps if open_question(step.state, step.seat) != "actions"]
    for step in rng.sample(steps, 12) + rng.sample(rare, min(25, len(rare))):
        examine(step.state, step.seat, rng)
        prompts.add(open_question(step.state, step.seat))
    assert {"path_card", "actions", "cohort"} <= prompts


def open_question(state: State, seat: Seat) -> str:
    """What a seat is asked."""
    decision = open_decision(GAME, state, seat)
    assert decision is not None
    return decision.prompt


@pytest.mark.parametrize("choice", list(Choice))
def test_every_open_choice_is_answered_with_what_is_not_full(choice: Choice) -> None:
    rng = Random(3)
    for _ in range(40):
        fields: dict[str, Any] = {one: rng.choice((0, 24, 25, 25)) for one in facts.ATTRIBUTES}
        fields |= {f"cohort_{side}": rng.choice((0, 5, 6, 6)) for side in facts.COHORTS}
        sheet = Sheet(**fields, agenda=(choice,), prospects=(PlayerCard.RANGER,))
        state = State(HadriansWallOptions(), (sheet,), phase=Phase.ACTIONS)
        full = {
            "cohort": [fields[f"cohort_{side}"] == 6 for side in facts.COHORTS],
            "small_road": [fields["piety"] == 25, fields["discipline"] == 25],
            "large_road": [fields["renown"] == 25, fields["valour"] == 25],
            "road_income": [fields[one] == 25 for one in facts.ATTRIBUTES],
        }[choice.value]
        if not all(full):  # the engine asks only what can be answered
            assert examine(state, 0, None) == full.count(False)
