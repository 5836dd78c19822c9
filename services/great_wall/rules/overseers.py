"""Overseers: placed and upgraded (R7.4), and their income (R4.1)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from msgspec.structs import replace

from services.gamekit.game import Action, IllegalAction, Seat
from services.great_wall.cards.board import PLACES, PRODUCTION, RESOURCE_AT
from services.great_wall.field import available
from services.great_wall.goods import (
    AT,
    NO_GOODS,
    ONE,
    RESOURCES,
    SOLDIERS,
    Goods,
    Location,
    Soldier,
    added,
)
from services.great_wall.idle import upgradable
from services.great_wall.state import State, earned, instead, paid, top, with_clan
from services.great_wall.tasks.cards import Fire
from services.great_wall.tasks.locations import Upgrading, Yielding
from services.great_wall.tasks.task import Event
from services.great_wall.triggers import Trigger


def upgrade(state: State, task: Upgrading) -> State:
    """Ask on while an overseer may be placed or upgraded."""
    if task.left > 0 and upgradable(state, task.clan, task.where, task.done):
        return state
    if not task.done:
        return instead(state)
    event = Event(each=len(task.done), location=task.done[-1])
    return instead(state, Fire(Trigger.ON_OVERSEER_UPGRADE, task.clan, event))


def upgrade_price(location: Location, level: int, discount: int) -> Goods:
    """What the next level costs: the printed price is of one kind."""
    printed = PLACES[location].overseer_cost[level]
    kind = next(kind for kind in RESOURCES if printed.of(kind))
    return ONE[kind] * max(0, printed.of(kind) - discount)


class RaiseOverseer(Action[State], frozen=True):
    """Upgrade an overseer, or place one: that takes a soldier from the pool for ever."""

    location: Location
    soldier: Soldier | None

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        task = top(state, Upgrading)
        for location in upgradable(state, task.clan, task.where, task.done):
            if state.clans[task.clan].overseers[PRODUCTION.index(location)]:
                yield cls(location, None)
            else:
                yield from (cls(location, soldier) for soldier in SOLDIERS)

    def check(self, state: State, seat: Seat) -> None:
        task = top(state, Upgrading)
        if self.location not in upgradable(state, task.clan, task.where, task.done):
            raise IllegalAction("cannot_upgrade", location=self.location)
        clan = state.clans[task.clan]
        level = clan.overseers[PRODUCTION.index(self.location)]
        if level and self.soldier:
            raise IllegalAction("takes_no_soldier")
        if not level and not (self.soldier and available(state, task.clan, AT[self.soldier])):
            raise IllegalAction("no_soldier_left", soldier=self.soldier or "")
        if not clan.goods.covers(upgrade_price(self.location, level, task.discount)):
            raise IllegalAction("cannot_afford")

    def apply(self, state: State, seat: Seat) -> State:
        task = top(state, Upgrading)
        clan = state.clans[task.clan]
        at = PRODUCTION.index(self.location)
        price = upgrade_price(self.location, clan.overseers[at], task.discount)
        pool = added(clan.pool, AT[self.soldier], -1) if self.soldier else clan.pool
        done = (*task.done, self.location)
        state = instead(state, replace(task, left=task.left - 1, done=done))
        raised = replace(clan, pool=pool, overseers=added(clan.overseers, at, 1))
        return paid(with_clan(state, task.clan, raised), task.clan, price)


def income_of(state: State, clan: int, location: Location) -> Goods:
    """What an overseer yields: its level in its resource."""
    level = state.clans[clan].overseers[PRODUCTION.index(location)]
    return ONE[RESOURCE_AT[location]] * level


def all_income(state: State, clan: int) -> State:
    """The income of all overseers of a clan."""
    total = NO_GOODS
    for location in PRODUCTION:
        total += income_of(state, clan, location)
    return earned(state, clan, total) if total else state


def yielding(state: State, task: Yielding) -> list[Location]:
    """Overseers that have not given their income in this effect."""
    levels = state.clans[task.clan].overseers
    return [place for at, place in enumerate(PRODUCTION) if levels[at] and place not in task.done]


def give_income(state: State, task: Yielding) -> State:
    """Ask which overseer; a single one is not asked about."""
    choices = yielding(state, task)
    if task.left < 1 or not choices:
        return instead(state)
    if len(choices) == 1:
        return TakeIncome(choices[0]).apply(state, Seat(0))
    return state


class TakeIncome(Action[State], frozen=True):
    """Take the income of an overseer."""

    location: Location

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        return (cls(location) for location in yielding(state, top(state, Yielding)))

    def check(self, state: State, seat: Seat) -> None:
        if self.location not in yielding(state, top(state, Yielding)):
            raise IllegalAction("no_overseer_there", location=self.location)

    def apply(self, state: State, seat: Seat) -> State:
        task = top(state, Yielding)
        done = (*task.done, self.location)
        state = instead(state, replace(task, left=task.left - 1, done=done))
        return earned(state, task.clan, income_of(state, task.clan, self.location))
