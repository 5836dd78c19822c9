"""The logistics center (R7.9): soldiers move from one section to one other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from msgspec.structs import replace

from services.gamekit.game import Action, IllegalAction, Seat
from services.great_wall.field import free_firing, to_firing, to_rest
from services.great_wall.goods import AT, SOLDIERS, Section, Soldier, Zone, added
from services.great_wall.state import State, instead, pop, top, with_clan
from services.great_wall.tasks.locations import Marching

WAYS = ((Zone.REST, Zone.REST), (Zone.FIRING, Zone.FIRING), (Zone.FIRING, Zone.REST))
"""From zone to zone; never from a Rest Zone to a Firing spot."""


def standing(state: State, clan: int, zone: Zone, section: Section, soldier: Soldier) -> int:
    """Soldiers of a type in a zone."""
    one, at = state.clans[clan], AT[section]
    if zone is Zone.FIRING:
        return one.firing[at] if soldier is Soldier.ARCHER else 0
    return one.rest[at * len(SOLDIERS) + AT[soldier]]


def march(state: State, task: Marching) -> State:
    """Ask on while a soldier can move."""
    if task.left > 0 and any(True for _ in MoveSoldier.candidates(state, Seat(0))):
        return state
    return pop(state)


class MoveSoldier(Action[State], frozen=True):
    """Move a soldier; the first one of a logistics move fixes the two sections."""

    soldier: Soldier
    origin: Section
    source: Zone
    target: Section
    goal: Zone

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        task = top(state, Marching)
        for origin in [task.origin] if task.origin else state.setup.sections:
            for source, goal in WAYS:
                for soldier in SOLDIERS:
                    if standing(state, task.clan, source, origin, soldier):
                        for target in [task.target] if task.target else state.setup.sections:
                            if target is not origin:
                                yield cls(soldier, origin, source, target, goal)

    def check(self, state: State, seat: Seat) -> None:
        task = top(state, Marching)
        if (self.source, self.goal) not in WAYS:
            raise IllegalAction("wrong_way", source=self.source, goal=self.goal)
        if self.origin is self.target or self.target not in state.setup.sections:
            raise IllegalAction("wrong_section", section=self.target)
        if task.origin and (task.origin, task.target) != (self.origin, self.target):
            raise IllegalAction("another_move", origin=task.origin)
        if not standing(state, task.clan, self.source, self.origin, self.soldier):
            raise IllegalAction("no_soldier_there", section=self.origin)
        if self.goal is Zone.FIRING and free_firing(state, AT[self.target]) < 1:
            raise IllegalAction("no_firing_spot", section=self.target)

    def apply(self, state: State, seat: Seat) -> State:
        task = top(state, Marching)
        clan, at = state.clans[task.clan], AT[self.origin]
        if self.source is Zone.FIRING:
            clan = replace(clan, firing=added(clan.firing, at, -1))
        else:
            rest = added(clan.rest, at * len(SOLDIERS) + AT[self.soldier], -1)
            clan = replace(clan, rest=rest)
        state = with_clan(state, task.clan, clan)
        state = instead(state, replace(task, origin=self.origin, target=self.target))
        if self.goal is Zone.FIRING:
            return to_firing(state, task.clan, AT[self.target])
        return to_rest(state, task.clan, AT[self.target], AT[self.soldier])
