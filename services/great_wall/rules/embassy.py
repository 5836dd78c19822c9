"""The emperor's embassy (R7.7): clerks and advisors are hired."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from msgspec.structs import replace

from services.gamekit.game import Action, IllegalAction, Seat
from services.great_wall.cards.advisors import Advisor
from services.great_wall.cards.board import CLERK_COST
from services.great_wall.counting import advisors_of, lowered
from services.great_wall.deciders import AUTOMATIC, decider
from services.great_wall.goods import Goods, Work
from services.great_wall.passives import Cost
from services.great_wall.state import (
    Clan,
    State,
    instead,
    joined,
    paid,
    pop,
    push,
    top,
    with_clan,
    without,
)
from services.great_wall.tasks.cards import Fire
from services.great_wall.tasks.locations import Dismissing, Hiring
from services.great_wall.tasks.seasons import Refilling
from services.great_wall.tasks.task import Event
from services.great_wall.triggers import Trigger


def hire(state: State, task: Hiring) -> State:
    """Ask on while there is somebody to hire; then the window."""
    clan = state.clans[task.clan]
    there = clan.reserve if task.what is Work.CLERK else state.advisor_track
    if task.left > 0 and there:
        return state
    if not task.hired:
        return instead(state)
    event = Event(what=task.what, each=task.hired)
    return instead(state, Fire(Trigger.ON_HIRE, task.clan, event))


def advisor_price(clan: Clan) -> int:
    """Gold for the next advisor: as many as are owned afterwards."""
    return lowered(clan, Cost.ADVISOR, advisors_of(clan) + 1)


def hired(state: State, gold: int) -> tuple[State, int]:
    """The seat pays, one is hired; and which clan it is."""
    task = top(state, Hiring)
    state = instead(state, replace(task, left=task.left - 1, hired=task.hired + 1))
    return paid(state, task.clan, Goods(gold=gold)), task.clan


class HireClerk(Action[State], frozen=True):
    """Take a clerk from the reserve."""

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        yield cls()

    def check(self, state: State, seat: Seat) -> None:
        task = top(state, Hiring)
        if task.what is not Work.CLERK:
            raise IllegalAction("wrong_work", what=task.what)
        if not state.clans[task.clan].reserve:
            raise IllegalAction("no_clerk_left")
        if state.clans[task.clan].goods.gold < CLERK_COST:
            raise IllegalAction("cannot_afford", gold=CLERK_COST)

    def apply(self, state: State, seat: Seat) -> State:
        state, clan = hired(state, CLERK_COST)
        one = state.clans[clan]
        one = replace(one, reserve=one.reserve - 1, clerks=one.clerks + 1)
        return with_clan(state, clan, one)


class HireAdvisor(Action[State], frozen=True):
    """Take an advisor from the track, active or supporting for good (R1.7)."""

    advisor: Advisor
    active: bool

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        if top(state, Hiring).what is Work.ADVISOR:
            for advisor in state.advisor_track:
                yield cls(advisor, True)
                yield cls(advisor, False)

    def check(self, state: State, seat: Seat) -> None:
        task = top(state, Hiring)
        if task.what is not Work.ADVISOR:
            raise IllegalAction("wrong_work", what=task.what)
        if self.advisor not in state.advisor_track:
            raise IllegalAction("not_on_the_track", advisor=self.advisor)
        price = advisor_price(state.clans[task.clan])
        if state.clans[task.clan].goods.gold < price:
            raise IllegalAction("cannot_afford", gold=price)

    def apply(self, state: State, seat: Seat) -> State:
        price = advisor_price(state.clans[top(state, Hiring).clan])
        state, clan = hired(state, price)
        one = state.clans[clan]
        if self.active:
            one = replace(one, active=(*one.active, self.advisor))
        else:
            one = replace(one, supporting=(*one.supporting, self.advisor))
        track = without(state.advisor_track, self.advisor)
        return push(with_clan(replace(state, advisor_track=track), clan, one), Refilling())


def dismiss(state: State, task: Dismissing) -> State:
    """The overlord discards an advisor of the track; the automated one the leftmost."""
    if task.left < 1 or not state.advisor_track:
        return pop(state)
    if decider(state, task.clan) == AUTOMATIC:
        return DismissAdvisor(state.advisor_track[0]).apply(state, Seat(0))
    return state


class DismissAdvisor(Action[State], frozen=True):
    """Discard an advisor of the track for the neutral clan (R14.4)."""

    advisor: Advisor

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        return (cls(advisor) for advisor in state.advisor_track)

    def check(self, state: State, seat: Seat) -> None:
        if self.advisor not in state.advisor_track:
            raise IllegalAction("not_on_the_track", advisor=self.advisor)

    def apply(self, state: State, seat: Seat) -> State:
        track = without(state.advisor_track, self.advisor)
        discard = joined(state.advisor_discard, (self.advisor,))
        return instead(replace(state, advisor_track=track, advisor_discard=discard), Refilling())
