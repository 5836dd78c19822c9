"""The activation step and visiting a location (R7.1 - R7.3, R7.8, R7.10)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from msgspec.structs import replace

from services.gamekit.game import Action, IllegalAction, Seat
from services.great_wall.cards.board import PLACES, PRODUCTION
from services.great_wall.cards.commands import REED_VISIT
from services.great_wall.cards.scripts import SOLE_TEA
from services.great_wall.goods import AT, Location
from services.great_wall.rules import solo
from services.great_wall.rules.clerks import clerks_in, is_full, slots
from services.great_wall.rules.production import produce
from services.great_wall.rules.solo_clerks import raised
from services.great_wall.state import State, instead, pop, push, top, with_clan
from services.great_wall.tasks import AnyTask
from services.great_wall.tasks.cards import Fire, Perform
from services.great_wall.tasks.locations import (
    Accepting,
    Activating,
    Dismissing,
    Leaving,
    Serving,
    Visit,
)
from services.great_wall.tasks.seasons import ActivationStep
from services.great_wall.tasks.task import Event
from services.great_wall.tasks.war import Shaming
from services.great_wall.triggers import Trigger

TOGETHER_ASKED = (Location.TEA_HOUSE, Location.WAR_ACADEMY)
"""What they give asks for nothing, so it has to be accepted."""


def visitors(state: State, location: Location) -> list[int]:
    """The clans with clerks there, in tea order."""
    at = AT[location]
    return [clan for clan in state.tea if state.clans[clan].desks[at]]


def activates(state: State, location: Location) -> bool:
    """Whether a location is on the list of the activation step (R7.1, R14.4)."""
    if slots(state, location) is not None:
        return is_full(state, location)
    return any(clan != state.reed for clan in visitors(state, location))


def list_locations(state: State, _task: ActivationStep) -> State:
    """The list is fixed at the start of the step."""
    found = tuple(location for location in PLACES if activates(state, location))
    return instead(state, Activating(state.active, found))


def activate(state: State, task: Activating) -> State:
    """The active clan orders the locations; one that lost its clerks is dropped."""
    left = tuple(location for location in task.locations if clerks_in(state, location))
    if not left:
        return pop(state)
    first = solo.first_location(state, task.clan, left)
    if first is None and len(left) == 1:
        first = left[0]
    if first:
        return ActivateLocation(first).apply(state, Seat(0))
    return state


class ActivateLocation(Action[State], frozen=True):
    """Choose the location that is activated next."""

    location: Location

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        return (cls(location) for location in top(state, Activating).locations)

    def check(self, state: State, seat: Seat) -> None:
        listed = top(state, Activating).locations
        if self.location not in listed or not clerks_in(state, self.location):
            raise IllegalAction("not_on_the_list", location=self.location)

    def apply(self, state: State, seat: Seat) -> State:
        task = top(state, Activating)
        left = tuple(one for one in task.locations if one is not self.location)
        state = instead(state, replace(task, locations=left))
        return push(state, Visit(self.location, advanced=False))


def visit(state: State, task: Visit) -> State:
    """Shame of a lone colour, the windows, the effect, and the clerks go home."""
    location = task.location
    clans = visitors(state, location)
    tasks: list[AnyTask] = []
    lone = PLACES[location].shame_icon and not task.advanced and len(clans) == 1
    if lone and clans[0] < state.seats:
        tasks.append(Shaming(clans[0]))
    event = Event(location=location)
    tasks += [Fire(Trigger.ON_LOCATION_ACTIVATED, clan, event) for clan in clans]
    if location in PRODUCTION:
        tasks += produce(state, location, clans)
    else:
        tasks += [Serving(clan, location) for clan in clans]
    return instead(state, *tasks, Leaving(location))


def serve(state: State, task: Serving) -> State:
    """A clan resolves its clerks: once for each, or once for all together."""
    clan, location = task.clan, task.location
    event = Event(location=location)
    if clan == state.reed:
        return instead(state, *reed_visit(location, clan))
    if clan == state.qin:
        return solo.visit(instead(state), location)
    place = PLACES[location]
    clerks = state.clans[clan].desks[AT[location]]
    if place.each:
        return instead(state, *[Perform(clan, f"{location}/each", event)] * clerks)
    script = f"{location}/together"
    if location is Location.TEA_HOUSE and clerks == slots(state, location):
        script = SOLE_TEA
    if location in TOGETHER_ASKED:
        return instead(state, Accepting(clan, script, event))
    return instead(state, Perform(clan, script, event))


def reed_visit(location: Location, clan: int) -> list[AnyTask]:
    """What the neutral clan's clerk does (R14.4)."""
    if location is Location.EMPERORS_EMBASSY:
        return [Dismissing(clan)]
    if location not in REED_VISIT:
        return []
    return [Perform(clan, f"reed/{location}", Event(location=location))]


class Accept(Action[State], frozen=True):
    """Take what a location gives."""

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        yield cls()

    def check(self, state: State, seat: Seat) -> None:
        """Always allowed."""

    def apply(self, state: State, seat: Seat) -> State:
        task = top(state, Accepting)
        return instead(state, Perform(task.clan, task.script, task.event))


def leave(state: State, task: Leaving) -> State:
    """All clerks go home but the neutral clan's; the general's entry goes to the top (R15.4)."""
    at = AT[task.location]
    state = pop(state)
    for clan in visitors(state, task.location):
        one = state.clans[clan]
        if clan != state.reed:
            desks = (*one.desks[:at], 0, *one.desks[at + 1 :])
            home = replace(one, clerks=one.clerks + one.desks[at], desks=desks)
            state = with_clan(state, clan, home)
        if clan == state.qin:
            state = raised(state, task.location)
    return state
