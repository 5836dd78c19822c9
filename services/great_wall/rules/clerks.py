"""Moving clerks and advanced activations (R6.1, R6.3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from msgspec.structs import replace

from services.gamekit.game import Action, IllegalAction, Seat
from services.great_wall.cards.board import PLACES
from services.great_wall.goods import AT, LOCATIONS, Location, added
from services.great_wall.state import State, instead, pop, push, top, with_clan
from services.great_wall.tasks.locations import Advancing, Moving, Visit

SLOTS: tuple[dict[Location, int | None], ...] = tuple(
    {location: place.slots[large] if place.slots else None for location, place in PLACES.items()}
    for large in (False, True)
)
"""Slots on the small and on the large board."""


def slots(state: State, location: Location) -> int | None:
    """Slots of a regular location; None for a special one."""
    return SLOTS[state.setup.large].get(location)


def clerks_in(state: State, location: Location) -> int:
    """Clerks of all colours at a location."""
    at, count = AT[location], 0
    for clan in state.clans:
        count += clan.desks[at]
    return count


def is_full(state: State, location: Location) -> bool:
    """Whether a regular location has all slots filled."""
    most = slots(state, location)
    return most is not None and clerks_in(state, location) >= most


def may_leave(state: State, task: Moving, origin: Location | None) -> bool:
    """Whether a clerk may come from the pool (None), or from a location that is not full."""
    clan = state.clans[task.clan]
    if origin is None:
        return clan.clerks > 0
    at = AT[origin]
    return clan.desks[at] > task.arrived[at] and not is_full(state, origin)


def origins(state: State, task: Moving) -> list[Location | None]:
    """Where a clerk may come from."""
    found: list[Location | None] = [None] if state.clans[task.clan].clerks else []
    for at, count in enumerate(state.clans[task.clan].desks):
        if count and may_leave(state, task, LOCATIONS[at]):
            found.append(LOCATIONS[at])
    return found


def is_open(state: State, task: Moving, target: Location) -> bool:
    """Whether a clerk of this effect may go to a location."""
    at = AT[target]
    if target is Location.WAREHOUSE or is_full(state, target):
        return False
    if task.distinct and task.arrived[at]:
        return False
    return task.clan != state.reed or not state.clans[task.clan].desks[at]


def move_clerks(state: State, task: Moving) -> State:
    """Ask on while a clerk may move."""
    if task.left > 0 and any(True for _ in MoveClerk.candidates(state, Seat(0))):
        return state
    return pop(state)


def moved(state: State, clan: int, origin: Location | None, target: Location) -> State:
    """A clerk moves; without an origin it comes from the pool."""
    one = state.clans[clan]
    desks = added(one.desks, AT[target], 1)
    if origin is None:
        return with_clan(state, clan, replace(one, clerks=one.clerks - 1, desks=desks))
    return with_clan(state, clan, replace(one, desks=added(desks, AT[origin], -1)))


class MoveClerk(Action[State], frozen=True):
    """Move a clerk to a location, from another one or (no origin) from the pool."""

    origin: Location | None
    target: Location

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        task = top(state, Moving)
        starts = origins(state, task)
        for target in PLACES:
            if is_open(state, task, target):
                for origin in starts:
                    if origin is not target:
                        yield cls(origin, target)

    def check(self, state: State, seat: Seat) -> None:
        task = top(state, Moving)
        if self.target is Location.WAREHOUSE:
            raise IllegalAction("no_clerks_allowed", location=self.target)
        if self.origin is self.target or not is_open(state, task, self.target):
            raise IllegalAction("location_closed", location=self.target)
        if not may_leave(state, task, self.origin):
            raise IllegalAction("no_clerk_to_move", location=self.origin or "pool")

    def apply(self, state: State, seat: Seat) -> State:
        task = top(state, Moving)
        arrived = added(task.arrived, AT[self.target], 1)
        state = instead(state, replace(task, left=task.left - 1, arrived=arrived))
        return moved(state, task.clan, self.origin, self.target)


def advance_locations(state: State, task: Advancing) -> State:
    """Ask on while there is a location with a clerk."""
    if task.left > 0 and any(clerks_in(state, location) for location in PLACES):
        return state
    return pop(state)


class ActivateAdvanced(Action[State], frozen=True):
    """Activate a location that holds a clerk of anybody, full or not."""

    location: Location

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        return (cls(location) for location in PLACES if clerks_in(state, location))

    def check(self, state: State, seat: Seat) -> None:
        if self.location not in PLACES or not clerks_in(state, self.location):
            raise IllegalAction("no_clerk_there", location=self.location)

    def apply(self, state: State, seat: Seat) -> State:
        task = top(state, Advancing)
        state = instead(state, replace(task, left=task.left - 1))
        return push(state, Visit(self.location, advanced=True))
