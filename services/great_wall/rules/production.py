"""Production locations (R7.4): gather, upgrade, donate; each step by all before the next."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from msgspec.structs import replace

from services.gamekit.game import Action, IllegalAction, Seat
from services.great_wall.cards.board import DONATION_HONOUR, PRODUCTION, RESOURCE_AT
from services.great_wall.cards.commands import REED_VISIT
from services.great_wall.cards.generals import GENERALS, General
from services.great_wall.counting import amount
from services.great_wall.deciders import AUTOMATIC, decider
from services.great_wall.goods import AT, ONE, Location, Resource
from services.great_wall.passives import ModifyValue, Printed
from services.great_wall.rules import solo
from services.great_wall.state import State, earned, honoured, instead, push, top
from services.great_wall.tasks import AnyTask
from services.great_wall.tasks.cards import Fire, Perform
from services.great_wall.tasks.locations import Donating, Gathering, Upgrading
from services.great_wall.tasks.task import Event
from services.great_wall.tasks.war import Returning
from services.great_wall.triggers import Trigger


def produce(state: State, location: Location, clans: list[int]) -> list[AnyTask]:
    """The steps of an activation. The neutral clan donates; at the temple it frees the active
    seat of a shame (R14.4)."""
    tasks: list[AnyTask] = [Gathering(location, tuple(clans))]
    humans = [clan for clan in clans if clan < state.seats]
    tasks += [Upgrading(clan, 1, location, 0) for clan in humans]
    for clan in clans:
        if clan == state.reed:
            tasks += reed_part(state, location)
        elif clan < state.seats and location is not Location.TEMPLE:
            tasks.append(Donating(clan, 1, RESOURCE_AT[location]))
    return tasks


def reed_part(state: State, location: Location) -> list[AnyTask]:
    """What the neutral clan does at a production location."""
    if location in REED_VISIT:
        return [Perform(state.reed, f"reed/{location}", Event(location=location))]
    if 0 <= state.active < state.seats:
        return [Returning(state.active, 1, price=0)]
    return []


def gather(state: State, task: Gathering) -> State:
    """A resource for each clerk, and the overseer's level; then the windows."""
    state = instead(state)
    windows = []
    event = Event(location=task.location)
    for clan in task.clans:
        if clan == state.qin:
            state = solo.gathered(state, task.location)
        elif clan < state.seats:
            units = harvest(state, clan, event)
            state = earned(state, clan, ONE[RESOURCE_AT[task.location]] * units)
            windows.append(Fire(Trigger.ON_GATHER, clan, event))
    return push(state, *windows)


def harvest(state: State, clan: int, event: Event) -> int:
    """What a clan gathers."""
    assert event.location is not None
    one = state.clans[clan]
    level = one.overseers[PRODUCTION.index(event.location)]
    more = clerks_of_overseer(state, clan) if level else 0
    return one.desks[AT[event.location]] + more + level


def clerks_of_overseer(state: State, clan: int) -> int:
    """Additional clerks that an overseer counts as: Qin Hui (R18.5)."""
    general = state.clans[clan].general
    if general is not General.QIN_HUI:
        return 0
    (effect,) = GENERALS[general].ability.do
    assert isinstance(effect, ModifyValue)
    assert effect.what is Printed.CLERKS_PER_OWN_OVERSEER
    return amount(state, clan, effect.by, Event())


def donate(state: State, task: Donating) -> State:
    """Ask on while something may be donated; the neutral clan gives from the supply."""
    if decider(state, task.clan) == AUTOMATIC and task.left > 0:
        return DonateGood(task.resource).apply(state, Seat(0))
    if task.left > 0:
        return state
    event = Event(each=task.given)
    return instead(state, *[Fire(Trigger.ON_DONATE, task.clan, event)] if task.given else [])


class DonateGood(Action[State], frozen=True):
    """Put a unit of the location's resource into the warehouse."""

    resource: Resource

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        yield cls(top(state, Donating).resource)

    def check(self, state: State, seat: Seat) -> None:
        task = top(state, Donating)
        if self.resource is not task.resource:
            raise IllegalAction("wrong_resource", resource=self.resource)
        if task.clan < state.seats and not state.clans[task.clan].goods.of(self.resource):
            raise IllegalAction("cannot_afford", resource=self.resource)

    def apply(self, state: State, seat: Seat) -> State:
        task = top(state, Donating)
        state = instead(state, replace(task, left=task.left - 1, given=task.given + 1))
        state = replace(state, warehouse=state.warehouse + ONE[self.resource])
        if task.clan < state.seats:
            state = earned(state, task.clan, ONE[self.resource] * -1)
        return honoured(state, task.clan, DONATION_HONOUR)
