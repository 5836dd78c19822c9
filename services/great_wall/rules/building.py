"""Barricades and walls (R7.6): the warehouse pays first, then own goods of any building kind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from msgspec.structs import replace

from services.gamekit.game import Action, IllegalAction, Seat
from services.great_wall.cards.board import BARRICADE_COST, WALL
from services.great_wall.counting import lowered
from services.great_wall.deciders import AUTOMATIC, decider
from services.great_wall.goods import (
    AT,
    BUILDING,
    ONE,
    SECTIONS,
    Goods,
    Resource,
    Section,
    Work,
    mixes,
)
from services.great_wall.idle import sites
from services.great_wall.passives import Cost
from services.great_wall.rules.works import stands
from services.great_wall.state import State, earned, instead, push, top
from services.great_wall.tasks import AnyTask
from services.great_wall.tasks.cards import Fire
from services.great_wall.tasks.locations import Building, Paying, Stocking
from services.great_wall.tasks.task import Event
from services.great_wall.triggers import Trigger


def build(state: State, task: Building) -> State:
    """Ask on while there is room; then the window, once an effect."""
    if task.left > 0 and sites(state, task.what) and decider(state, task.clan) != AUTOMATIC:
        return state
    if not task.built:
        return instead(state)
    return instead(state, Fire(Trigger.ON_BUILD, task.clan, Event(what=task.what)))


def build_cost(state: State, task: Building, section: int) -> int:
    """Units that the next barricade or level costs."""
    clan = state.clans[task.clan]
    if task.free:
        return 0
    if task.what is Work.BARRICADE:
        return lowered(clan, Cost.BARRICADE, BARRICADE_COST)
    return lowered(clan, Cost.WALL, WALL[state.walls[section] + 1].cost)


def from_stock(state: State, cost: int) -> int:
    """Units of a cost that the warehouse pays."""
    return min(cost, state.warehouse.total())


def building_goods(goods: Goods) -> int:
    """Goods of the kinds that build."""
    return goods.wood + goods.stone + goods.gold


def check_build(state: State, what: Work, section: Section) -> None:
    """Refuse what the effect does not build, where there is no room, what cannot be paid."""
    task = top(state, Building)
    at = AT[section]
    if task.what is not what:
        raise IllegalAction("wrong_work", what=task.what)
    if section not in state.setup.sections:
        raise IllegalAction("section_closed", section=section)
    if at not in sites(state, what):
        raise IllegalAction("section_complete", section=section)
    cost = build_cost(state, task, at)
    if cost - from_stock(state, cost) > building_goods(state.clans[task.clan].goods):
        raise IllegalAction("cannot_afford", cost=cost)


def built(state: State, section: int) -> State:
    """One more barricade or level; the goods are still to be handed over."""
    task = top(state, Building)
    cost = build_cost(state, task, section)
    done = replace(task, left=task.left - 1, built=task.built + 1)
    state, tasks = charged(instead(state, done), task.clan, cost)
    return push(stands(state, task.what, section, task.clan), *tasks)


def charged(state: State, clan: int, cost: int) -> tuple[State, list[AnyTask]]:
    """The warehouse gives what it must; what is left to choose and to pay as tasks."""
    stock = from_stock(state, cost)
    tasks: list[AnyTask] = []
    if stock == state.warehouse.total():
        state = replace(state, warehouse=Goods())
    elif stock:
        tasks.append(Stocking(clan, stock))
    if cost > stock:
        tasks.append(Paying(clan, cost - stock))
    return state, tasks


class BuildBarricade(Action[State], frozen=True):
    """Build a barricade in a section."""

    section: Section

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        if top(state, Building).what is Work.BARRICADE:
            yield from (cls(SECTIONS[at]) for at in sites(state, Work.BARRICADE))

    def check(self, state: State, seat: Seat) -> None:
        check_build(state, Work.BARRICADE, self.section)

    def apply(self, state: State, seat: Seat) -> State:
        return built(state, AT[self.section])


class BuildWall(Action[State], frozen=True):
    """Build the next level of a section's wall; archers on it stay in Firing spots."""

    section: Section

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        if top(state, Building).what is Work.WALL:
            yield from (cls(SECTIONS[at]) for at in sites(state, Work.WALL))

    def check(self, state: State, seat: Seat) -> None:
        check_build(state, Work.WALL, self.section)

    def apply(self, state: State, seat: Seat) -> State:
        return built(state, AT[self.section])


def stock(state: State, task: Stocking) -> State:
    """Ask which goods, where the warehouse holds more than one kind."""
    kinds = [kind for kind in BUILDING if state.warehouse.of(kind)]
    if len(kinds) > 1:
        return state
    return UseStock(ONE[kinds[0]] * task.units).apply(state, Seat(0))


class UseStock(Action[State], frozen=True):
    """Choose the goods of the warehouse that go into a cost."""

    goods: Goods

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        units = top(state, Stocking).units
        return (cls(goods) for goods in mixes(units, state.warehouse, BUILDING))

    def check(self, state: State, seat: Seat) -> None:
        check_mix(self.goods, top(state, Stocking).units, state.warehouse)

    def apply(self, state: State, seat: Seat) -> State:
        return instead(replace(state, warehouse=state.warehouse - self.goods))


class PayCost(Action[State], frozen=True):
    """Choose the own goods that pay a cost."""

    goods: Goods

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        task = top(state, Paying)
        have = state.clans[task.clan].goods
        return (cls(goods) for goods in mixes(task.units, have, BUILDING))

    def check(self, state: State, seat: Seat) -> None:
        task = top(state, Paying)
        check_mix(self.goods, task.units, state.clans[task.clan].goods)

    def apply(self, state: State, seat: Seat) -> State:
        task = top(state, Paying)
        return earned(instead(state), task.clan, self.goods * -1)


def check_mix(goods: Goods, units: int, have: Goods) -> None:
    """Refuse a mix that is not exactly `units` of what is there."""
    if goods.chi or goods.total() != units or any(goods.of(kind) < 0 for kind in Resource):
        raise IllegalAction("wrong_payment", units=units)
    if not have.covers(goods):
        raise IllegalAction("cannot_afford")
