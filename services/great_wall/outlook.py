"""What tasks that are still to be done promise a seat, for bots."""

from __future__ import annotations

from services.great_wall.cards.board import BARRICADE_COST, CLERK_COST, WALL
from services.great_wall.goods import AT, Work, Zone
from services.great_wall.rules.attacks import can_strike
from services.great_wall.state import Clan, State
from services.great_wall.tasks import (
    Advancing,
    Attacking,
    Building,
    Choosing,
    Copying,
    Drawing,
    Hiring,
    Moving,
    Mustering,
    Paying,
    Perform,
    Reclaiming,
    Recruiting,
    Taking,
    Upgrading,
    Window,
    Wounding,
    Yielding,
)
from services.great_wall.weights import WEIGHTS as W

EACH = {
    Moving: 0.25,
    Advancing: 0.8,
    Wounding: 0.3,
    Taking: 0.55,
    Upgrading: 0.2,
    Yielding: 0.5,
    Reclaiming: 0.2,
    Copying: 1.2,
}
"""What each of what is left of a task is worth."""


def promised(state: State, seat: int) -> float:
    """What all tasks of a seat promise together."""
    value = 0.0
    clan = state.clans[seat]
    for task in state.stack:
        if getattr(task, "clan", -1) == seat:
            value += promise(state, clan, task)
    return value


def promise(  # noqa: C901  # a case a task
    state: State, clan: Clan, task: object
) -> float:
    """What one task promises."""
    match task:
        case Building():
            return build_promise(state, clan, task)
        case Paying():
            return -0.8 * task.units
        case Hiring():
            price = CLERK_COST if task.what is Work.CLERK else 1 + len(clan.active)
            return 0.8 if task.left and clan.goods.gold >= price else 0.0
        case Recruiting():
            return 0.4 * min(task.left, clan.goods.total() // 3) + sum(
                W.plan_recruit if one.attacks else W.rest for one in task.recruits
            )
        case Mustering():
            return sum(W.plan_recruit if one.attacks else W.rest for one in task.recruits)
        case Attacking():
            able = sum(unit.count for unit in task.squad if can_strike(state, task, unit))
            return (W.plan_recruit if task.squad[0].zone is Zone.RECRUIT else 0.6) * min(
                task.left, able
            )
        case Drawing():
            return 0.8 * task.count
        case Window():
            return 0.4 * len(task.abilities)
        case Choosing():
            return 0.5
        case Perform():
            return 0.3
    kind = type(task)
    few = min(6, getattr(task, "left", 0))
    return next((each * few for one, each in EACH.items() if kind is one), 0.0)


def build_promise(state: State, clan: Clan, task: Building) -> float:
    """Something to build, as far as it can be paid."""
    if not task.left:
        return 0.0
    goods = clan.goods
    building = goods.wood + goods.stone + goods.gold + state.warehouse.total()
    if task.what is Work.BARRICADE:
        return 1.2 if task.free or building >= BARRICADE_COST else 0.0
    levels = [state.walls[AT[section]] for section in state.setup.sections]
    costs = [WALL[level + 1] for level in levels if level + 1 < len(WALL)]
    return max((0.4 * level.honour for level in costs if level.cost <= building), default=0.0)
