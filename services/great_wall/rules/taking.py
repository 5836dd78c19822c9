"""Resources of choice, taken or lost one by one (R18.4, R18.9)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from msgspec.structs import replace

from services.gamekit.game import Action, IllegalAction, Seat
from services.great_wall.goods import ONE, RESOURCES, Resource
from services.great_wall.state import State, earned, instead, pop, top
from services.great_wall.tasks.cards import Losing, Taking


def take(state: State, task: Taking) -> State:
    """Ask for each unit."""
    return state if task.left > 0 and task.kinds else pop(state)


class TakeGood(Action[State], frozen=True):
    """Take a unit of a resource."""

    resource: Resource

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        return (cls(resource) for resource in top(state, Taking).kinds)

    def check(self, state: State, seat: Seat) -> None:
        if self.resource not in top(state, Taking).kinds:
            raise IllegalAction("not_offered", resource=self.resource)

    def apply(self, state: State, seat: Seat) -> State:
        task = top(state, Taking)
        kinds = task.kinds
        if task.different:
            kinds = tuple(kind for kind in kinds if kind is not self.resource)
        state = instead(state, replace(task, left=task.left - 1, kinds=kinds))
        return earned(state, task.clan, ONE[self.resource])


def lose(state: State, task: Losing) -> State:
    """Ask, whether or not there is anything to lose: that is hidden."""
    return state if task.left > 0 else pop(state)


class LoseGood(Action[State], frozen=True):
    """Lose a unit of a resource; none only with nothing to lose."""

    resource: Resource | None

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        yield from (cls(resource) for resource in RESOURCES)
        yield cls(None)

    def check(self, state: State, seat: Seat) -> None:
        goods = state.clans[top(state, Losing).clan].goods
        if self.resource is None:
            if goods:
                raise IllegalAction("must_lose")
        elif not goods.of(self.resource):
            raise IllegalAction("cannot_afford", resource=self.resource)

    def apply(self, state: State, seat: Seat) -> State:
        task = top(state, Losing)
        if self.resource is None:
            return pop(state)
        state = instead(state, replace(task, left=task.left - 1))
        return earned(state, task.clan, ONE[self.resource] * -1)
