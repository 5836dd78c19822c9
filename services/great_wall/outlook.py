"""What tasks that are still to be done promise a seat, for bots."""

from __future__ import annotations

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
from services.great_wall.tasks.war import Attacking, Mustering, Recruiting, Wounding
from services.great_wall.weights import Weights

SOME = (Wounding, Yielding, Reclaiming, Copying)
"""Tasks of which each thing that is left is worth something."""


def advances(state: State, seat: int) -> int:
    """Advanced activations that a seat has coming in this turn."""
    count = 0
    for task in state.stack:
        if isinstance(task, Advancing):
            count += task.left if task.clan == seat else 0
        elif isinstance(task, Perform) and task.clan == seat and not task.at:
            if task.script == "despotism/bottom":
                count += 1
            elif task.script == "work_harder/bottom":
                count += on_track(state, Command.ATTACK_ORDER)
    return count


def promised(state: State, seat: int, w: Weights) -> float:
    """What all tasks of a seat promise together."""
    value = 0.0
    clan = state.clans[seat]
    for task in state.stack:
        if getattr(task, "clan", -1) == seat:
            value += promise(state, clan, task, w)
    return value


def promise(  # noqa: C901, PLR0912  # a case a task
    state: State, clan: Clan, task: object, w: Weights
) -> float:
    """What one task promises."""
    match task:
        case Building():
            return build_promise(state, clan, task, w)
        case Paying():
            return -w.plan_pay * task.units
        case Hiring():
            price = CLERK_COST if task.what is Work.CLERK else 1 + len(clan.active)
            return w.plan_hire if task.left and clan.goods.gold >= price else 0.0
        case Recruiting():
            more = 0.4 * min(task.left, recruits(state, clan.goods))
            return more + sum(w.plan_recruit if one.attacks else w.rest for one in task.recruits)
        case Mustering():
            return sum(w.plan_recruit if one.attacks else w.rest for one in task.recruits)
        case Attacking():
            able = sum(unit.count for unit in task.squad if can_strike(state, task, unit))
            each = w.plan_recruit if task.squad[0].zone is Zone.RECRUIT else w.plan_sortie
            return each * min(task.left, able)
        case Moving():
            return w.plan_move * min(task.left, 6)
        case Upgrading():
            return w.plan_upgrade * task.left
        case Drawing():
            return 0.9 * w.tactic * task.count
        case Taking():
            return w.plan_take * task.left
        case Window():
            return 0.4 * len(task.abilities)
        case Choosing():
            return w.plan_few
        case Perform():
            return 0.3
    return w.plan_few * min(6, task.left) if isinstance(task, SOME) else 0.0


def build_promise(state: State, clan: Clan, task: Building, w: Weights) -> float:
    """Something to build, as far as it can be paid."""
    if not task.left:
        return 0.0
    units = stock(state, clan.goods)
    if task.what is Work.BARRICADE:
        return w.plan_barricade if task.free or units >= BARRICADE_COST else 0.0
    levels = [state.walls[AT[section]] for section in state.setup.sections]
    costs = [WALL[level + 1] for level in levels if level + 1 < len(WALL)]
    return max((w.plan_build * level.honour for level in costs if level.cost <= units), default=0.0)
