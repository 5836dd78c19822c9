"""Planning, on a toy: three sacks, one action for each stone that is taken from them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Self

from msgspec.structs import replace

from services.bots.beam import Beam, Budget
from services.gamekit.chance import Chance
from services.gamekit.game import (
    Action,
    Decision,
    Game,
    IllegalAction,
    Meta,
    Options,
    Record,
    Result,
    ScoreSheet,
    Seat,
)

SEAT = Seat(0)


class Sacks(Record, frozen=True):
    """Stones left in each sack, and the worth of what was taken."""

    left: tuple[int, ...] = (2, 2, 2)
    worth: int = 0
    over: bool = False


class Draw(Action[Sacks], frozen=True):
    """Take a stone. The last of a sack is worth ten, any other costs one."""

    sack: int

    @classmethod
    def candidates(cls, state: Sacks, seat: Seat) -> Iterator[Self]:
        return (cls(sack) for sack in range(len(state.left)))

    def check(self, state: Sacks, seat: Seat) -> None:
        if not state.left[self.sack]:
            raise IllegalAction("empty")

    def apply(self, state: Sacks, seat: Seat) -> Sacks:
        left = list(state.left)
        left[self.sack] -= 1
        return replace(state, left=tuple(left), worth=state.worth + (-1 if left[self.sack] else 10))


class Stop(Action[Sacks], frozen=True):
    """Enough."""

    @classmethod
    def candidates(cls, state: Sacks, seat: Seat) -> Iterator[Self]:
        yield cls()

    def check(self, state: Sacks, seat: Seat) -> None:
        """Always."""

    def apply(self, state: Sacks, seat: Seat) -> Sacks:
        return replace(state, over=True)


class Toy(Game[Sacks]):
    """One seat, one phase."""

    meta = Meta(key="toy", title="Toy", min_seats=1, max_seats=1, rules_version="1")
    State = Sacks
    View = Sacks
    Options = Options
    moves: Mapping[str, tuple[type[Action[Any]], ...]] = {"stones": (Draw, Stop)}

    def decisions(self, state: Sacks) -> tuple[Decision, ...]:
        return () if state.over else (Decision(SEAT, "stones"),)

    def advance(self, state: Sacks) -> Sacks:
        return state

    def imagine(self, state: Sacks, seat: Seat | None, chance: Chance) -> Sacks:
        return state

    def setup(self, seats: int, options: Any) -> Sacks:
        return Sacks()

    def view(self, state: Sacks, seat: Seat | None) -> Record:
        return state

    def score(self, state: Sacks) -> tuple[ScoreSheet, ...]:
        return (ScoreSheet(SEAT, (), state.worth),)

    def result(self, state: Sacks) -> Result | None:
        return None

    def evaluate(self, state: Sacks, seat: Seat) -> float:
        return float(state.worth)


def plans(width: int, nodes: int, most: int = 3) -> tuple[Beam, list[Any]]:
    beam = Beam(Toy(), SEAT, width, Budget(nodes))
    return beam, beam.plans(Sacks(), most)


def test_a_plan_pays_now_for_what_it_gains_later() -> None:
    _, found = plans(width=8, nodes=10_000)
    assert found[0].value == 27
    assert found[0].sequence()[-1] == Stop()
    assert len(found[0].sequence()) == 7


def test_plans_that_lead_to_the_same_position_are_one() -> None:
    _, found = plans(width=100, nodes=10_000, most=100)
    assert len(found) == 27
    assert len({plan.state for plan in found}) == 27


def test_a_budget_bounds_what_is_looked_at_but_not_how_far() -> None:
    for nodes in (1, 5, 20):
        beam, found = plans(width=100, nodes=nodes)
        assert found[0].sequence()[-1] == Stop()
        assert -4 * 7 <= beam.budget.left <= 0


def test_plans_come_best_first() -> None:
    _, found = plans(width=8, nodes=10_000, most=10)
    values = [plan.value for plan in found]
    assert values == sorted(values, reverse=True)
