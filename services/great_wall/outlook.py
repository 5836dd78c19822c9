"""What tasks that are still to be done promise a seat, for bots."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from services.great_wall.cards.board import BARRICADE_COST, CLERK_COST, WALL
from services.great_wall.cards.commands import Command
from services.great_wall.counting import on_track
from services.great_wall.goods import AT, Work, Zone
from services.great_wall.labour import recruits, stock
from services.great_wall.rules.attacks import can_strike
from services.great_wall.state import Clan, State
from services.great_wall.tasks.cards import (
    Choosing,
    Copying,
    Drawing,
    Perform,
    Reclaiming,
    Taking,
    Window,
)
from services.great_wall.tasks.locations import (
    Advancing,
    Building,
    Hiring,
    Moving,
    Paying,
    Upgrading,
    Yielding,
)
from services.great_wall.tasks.task import Task
from services.great_wall.tasks.war import Attacking, Mustering, Recruiting, Wounding
from services.great_wall.weights import Weights

LEADING = (Advancing, Perform)
"""Tasks that may bring an advanced activation."""


def advances(state: State, seat: int) -> int:
    """Advanced activations that a seat has coming in this turn."""
    count = 0
    for task in state.stack:
        if isinstance(task, LEADING) and task.clan == seat:
            count += advancing(state, task)
    return count


def advancing(state: State, task: Advancing | Perform) -> int:
    """Advanced activations that a task brings."""
    if isinstance(task, Advancing):
        return task.left
    if task.at:
        return 0
    if task.script == "despotism/bottom":
        return 1
    return on_track(state, Command.ATTACK_ORDER) if task.script == "work_harder/bottom" else 0


def promised(state: State, seat: int, w: Weights) -> float:
    """What all tasks of a seat promise together."""
    value, case = 0.0, None
    tasks: tuple[Any, ...] = state.stack
    for task in tasks:
        promise = PROMISES.get(type(task))
        if promise and task.clan == seat:
            case = case or Case(state, state.clans[seat], w)
            value += promise(case, task)
    return value


class Case(NamedTuple):
    """Whose tasks are judged, where, and by what."""

    state: State
    clan: Clan
    w: Weights


def to_build(it: Case, task: Building) -> float:
    """Something to build, as far as it can be paid."""
    if not task.left:
        return 0.0
    state, w = it.state, it.w
    units = stock(state, it.clan.goods)
    if task.what is Work.BARRICADE:
        return w.plan_barricade if task.free or units >= BARRICADE_COST else 0.0
    levels = [state.walls[AT[section]] for section in state.setup.sections]
    costs = [WALL[level + 1] for level in levels if level + 1 < len(WALL)]
    return max((w.plan_build * level.honour for level in costs if level.cost <= units), default=0.0)


def to_hire(it: Case, task: Hiring) -> float:
    """Somebody to hire, if it can be paid."""
    price = CLERK_COST if task.what is Work.CLERK else 1 + len(it.clan.active)
    return it.w.plan_hire if task.left and it.clan.goods.gold >= price else 0.0


def to_recruit(it: Case, task: Recruiting) -> float:
    """Recruits, those that are paid for and those that can be paid."""
    return 0.4 * min(task.left, recruits(it.state, it.clan.goods)) + recruited(it, task)


def recruited(it: Case, task: Recruiting | Mustering) -> float:
    """Recruits that are paid for."""
    return sum([it.w.plan_recruit if one.attacks else it.w.rest for one in task.recruits])


def to_attack(it: Case, task: Attacking) -> float:
    """Soldiers that may attack now."""
    able = sum([unit.count for unit in task.squad if can_strike(it.state, task, unit)])
    each = it.w.plan_recruit if task.squad[0].zone is Zone.RECRUIT else it.w.plan_sortie
    return each * min(task.left, able)


def some(it: Case, task: Wounding | Yielding | Reclaiming | Copying) -> float:
    """Small things, each worth a little."""
    return it.w.plan_few * min(6, task.left)


PROMISES: dict[type[Task], Callable[[Case, Any], float]] = {
    Building: to_build,
    Paying: lambda it, task: -it.w.plan_pay * task.units,
    Hiring: to_hire,
    Recruiting: to_recruit,
    Mustering: recruited,
    Attacking: to_attack,
    Moving: lambda it, task: it.w.plan_move * min(task.left, 6),
    Upgrading: lambda it, task: it.w.plan_upgrade * task.left,
    Drawing: lambda it, task: 0.9 * it.w.tactic * task.count,
    Taking: lambda it, task: it.w.plan_take * task.left,
    Window: lambda _, task: 0.4 * len(task.abilities),
    Choosing: lambda it, _: it.w.plan_few,
    Perform: lambda *_: 0.3,
    Wounding: some,
    Yielding: some,
    Reclaiming: some,
    Copying: some,
}
"""What one task promises; those that are not here promise nothing."""
