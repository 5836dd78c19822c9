"""Recruiting (R7.5, R18.2, R18.10): declare and pay, then the window, then all attack together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from msgspec.structs import replace

from services.gamekit.game import Action, IllegalAction, Seat
from services.great_wall.counting import recruit_prices
from services.great_wall.field import (
    available,
    free_firing,
    full_hordes,
    has_target,
    targets,
    to_rest,
)
from services.great_wall.goods import AT, Goods, Section, Soldier, Zone, added
from services.great_wall.state import State, instead, paid, push, top, with_clan
from services.great_wall.tasks.cards import Fire
from services.great_wall.tasks.task import Event
from services.great_wall.tasks.war import Attacking, Mustering, Recruited, Recruiting, Unit
from services.great_wall.triggers import Trigger


def recruit(state: State, task: Recruiting) -> State:
    """Ask on while soldiers are left; then the window and the attacks."""
    clan = task.clan
    if task.left > 0 and any(available(state, clan, AT[kind]) for kind in task.types):
        neutral = clan >= state.seats
        if not neutral or any(has_target(state, *one) for one in placements(state, task)):
            return state
    if not task.recruits:
        return instead(state)
    event = Event(
        types=tuple(dict.fromkeys(one.soldier for one in task.recruits)),
        sections=tuple(dict.fromkeys(one.section for one in task.recruits)),
        each=len(task.recruits),
    )
    return instead(state, Fire(Trigger.ON_RECRUIT, clan, event), Mustering(clan, task.recruits))


def placements(state: State, task: Recruiting) -> list[tuple[Soldier, Section]]:
    """Types and sections on offer."""
    return [(kind, section) for kind in task.types for section in state.setup.sections]


def muster(state: State, task: Mustering) -> State:
    """Some go to Rest Zones, the others form one attack step."""
    state = instead(state)
    units: dict[tuple[Soldier, Section], int] = {}
    for one in task.recruits:
        if one.attacks:
            key = one.soldier, one.section
            units[key] = units.get(key, 0) + 1
        else:
            state = to_rest(state, task.clan, AT[one.section], AT[one.soldier])
    if not units:
        return state
    squad = tuple(
        Unit(Zone.RECRUIT, soldier, section, count) for (soldier, section), count in units.items()
    )
    count = sum(units.values())
    return push(state, Attacking(task.clan, count, squad, True, full_hordes(state)))


class RecruitSoldier(Action[State], frozen=True):
    """Recruit a soldier for a section, to attack there at once or to rest; `paid` says how."""

    soldier: Soldier
    section: Section
    attacks: bool
    paid: Goods

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        task = top(state, Recruiting)
        clan = state.clans[task.clan]
        for soldier in task.types:
            if not available(state, task.clan, AT[soldier]):
                continue
            for price in recruit_prices(clan, soldier, task.discount, task.price):
                if clan.goods.covers(price):
                    for section in state.setup.sections:
                        yield cls(soldier, section, True, price)
                        yield cls(soldier, section, False, price)

    def check(self, state: State, seat: Seat) -> None:
        task = top(state, Recruiting)
        clan = state.clans[task.clan]
        if self.soldier not in task.types:
            raise IllegalAction("wrong_soldier", soldier=self.soldier)
        if not available(state, task.clan, AT[self.soldier]):
            raise IllegalAction("no_soldier_left", soldier=self.soldier)
        if self.section not in state.setup.sections:
            raise IllegalAction("section_closed", section=self.section)
        if self.paid not in recruit_prices(clan, self.soldier, task.discount, task.price):
            raise IllegalAction("wrong_payment")
        if not clan.goods.covers(self.paid):
            raise IllegalAction("cannot_afford")
        self.check_place(state, task)

    def check_place(self, state: State, task: Recruiting) -> None:
        """An attack needs a spot that no earlier recruit of this effect is meant for."""
        if not self.attacks:
            if task.clan >= state.seats:
                raise IllegalAction("cannot_rest")
            return
        before = sum(
            one.attacks and one.soldier is self.soldier and one.section is self.section
            for one in task.recruits
        )
        if self.soldier is Soldier.ARCHER:
            if free_firing(state, AT[self.section]) <= before:
                raise IllegalAction("no_firing_spot", section=self.section)
        elif len(targets(state, self.soldier, self.section)) <= before:
            raise IllegalAction("no_target", section=self.section)

    def apply(self, state: State, seat: Seat) -> State:
        task = top(state, Recruiting)
        clan = state.clans[task.clan]
        recruits = (*task.recruits, Recruited(self.soldier, self.section, self.attacks))
        state = instead(state, replace(task, left=task.left - 1, recruits=recruits))
        pool = added(clan.pool, AT[self.soldier], -1)
        return paid(with_clan(state, task.clan, replace(clan, pool=pool)), task.clan, self.paid)
