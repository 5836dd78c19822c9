"""The one place where effects are carried out: each does its part or leaves a task."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from services.great_wall.cards.scripts import SCRIPTS
from services.great_wall.counting import amount
from services.great_wall.deciders import AUTOMATIC, decider
from services.great_wall.effects import (
    AdvancedActivation,
    Attack,
    Build,
    Choose,
    CopyCard,
    DiscardShame,
    Donate,
    DrawTactics,
    Effect,
    Gain,
    Hire,
    Lose,
    MoveClerks,
    MoveSoldiers,
    MoveTea,
    OverseerIncome,
    Pay,
    Reach,
    Reclaim,
    Recruit,
    SaveSoldier,
    UpgradeOverseer,
    Wound,
)
from services.great_wall.goods import LOCATIONS
from services.great_wall.passives import Forbid, ModifyCost, ModifyValue
from services.great_wall.rules import solo
from services.great_wall.rules.attacks import muster_attack
from services.great_wall.rules.tea import moved_up
from services.great_wall.rules.wounds import woundable
from services.great_wall.state import State, earned, honoured, instead, pop, push
from services.great_wall.tasks.cards import (
    Choosing,
    Copying,
    Drawing,
    Losing,
    Perform,
    Reclaiming,
    Taking,
)
from services.great_wall.tasks.locations import (
    Advancing,
    Building,
    Donating,
    Hiring,
    Marching,
    Moving,
    Upgrading,
    Yielding,
)
from services.great_wall.tasks.task import Event
from services.great_wall.tasks.war import Recruiting, Returning, Saving, Wounding

NO_ARRIVALS = (0,) * len(LOCATIONS)


def perform(state: State, task: Perform) -> State:
    """The next step of a list of effects; the list stays below what the step sets off."""
    effects = SCRIPTS[task.script]
    if task.at >= len(effects):
        return pop(state)
    state = instead(state, replace(task, at=task.at + 1))
    effect = effects[task.at]
    if decider(state, task.clan) == AUTOMATIC:
        return solo.carried_out(state, task.clan, effect, task.event)
    return resolve(state, effect, task)


def resolve(  # noqa: C901, PLR0912, PLR0915  # one case a primitive
    state: State, effect: Effect, task: Perform
) -> State:
    """`effect`, a step of `task`, for the task's clan."""
    clan, event = task.clan, task.event
    match effect:
        case Gain():
            return gained(state, effect, clan, event)
        case Pay():
            if state.clans[clan].goods.covers(effect.goods):
                return earned(state, clan, effect.goods * -1)
            return pop(state)
        case MoveTea():
            return moved_up(state, clan, effect.steps)
        case CopyCard():
            return push(state, Copying(clan))
        case Choose():
            return push(state, Choosing(clan, task.script, task.at, event))
        case ModifyCost() | ModifyValue() | Forbid():
            return state
    count = amount(state, clan, effect.count, event)
    match effect:
        case Lose():
            return push(state, Losing(clan, count))
        case MoveClerks():
            return push(state, Moving(clan, count, effect.to is Reach.DISTINCT, NO_ARRIVALS))
        case AdvancedActivation():
            return push(state, Advancing(clan, count))
        case Recruit():
            few, price = effect.discount, effect.price
            return push(state, Recruiting(clan, count, effect.types, few, price))
        case Attack():
            return muster_attack(state, clan, effect, count)
        case Wound():
            hordes = woundable(state, clan, effect.where, event)
            return push(state, Wounding(clan, count, effect.where, hordes))
        case UpgradeOverseer():
            return push(state, Upgrading(clan, count, effect.where, effect.discount))
        case OverseerIncome():
            return push(state, Yielding(clan, count))
        case DrawTactics():
            return push(state, Drawing(clan, count))
        case DiscardShame():
            return push(state, Returning(clan, count, price=0))
        case Build():
            return push(state, Building(clan, count, effect.what, effect.free, effect.site))
        case SaveSoldier():
            return push(state, Saving(clan, count, free=True))
        case Hire():
            return push(state, Hiring(clan, count, effect.what))
        case MoveSoldiers():
            return push(state, Marching(clan, count))
        case Donate():
            return push(state, Donating(clan, count, effect.of))
        case Reclaim():
            return push(state, Reclaiming(clan, count))
        case _:
            assert_never(effect)


def gained(state: State, effect: Gain, clan: int, event: Event) -> State:
    """Goods and honour at once, then the resources of choice (R18.4)."""
    if effect.goods:
        state = earned(state, clan, effect.goods)
    state = honoured(state, clan, amount(state, clan, effect.honour, event))
    wild = amount(state, clan, effect.wild, event)
    return push(state, Taking(clan, wild, effect.kinds, effect.different)) if wild else state
