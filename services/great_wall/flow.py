"""How a match goes on: what each task does by itself, and what it asks of whom."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from services.gamekit.game import NATURE, Decision, Seat
from services.great_wall import tasks as t
from services.great_wall.deciders import seat_for
from services.great_wall.resolve import perform
from services.great_wall.rules import (
    attacks,
    building,
    choices,
    clerks,
    defeat,
    embassy,
    fall,
    killing,
    locations,
    logistics,
    overseers,
    production,
    recruiting,
    responses,
    setup,
    shame,
    spring,
    summer,
    tactics,
    taking,
    winter,
    wounds,
)
from services.great_wall.state import State
from services.great_wall.tasks import Begin, Phase, Task, Window

SEASONS: dict[Phase, Callable[[State], State]] = {
    Phase.SPRING: spring.begin_spring,
    Phase.SUMMER: summer.begin_summer,
    Phase.FALL: fall.begin_fall,
    Phase.WINTER: winter.begin_winter,
}


def begin(state: State, task: Begin) -> State:
    """A season begins."""
    return SEASONS[task.phase](state)


def waits(state: State, _task: Task) -> State:
    """A task that only an answer or NATURE takes off."""
    return state


STEP: dict[type[Task], Callable[[State, Any], State]] = {
    t.Begin: begin,
    t.SettingOut: waits,
    t.Invading: spring.invade,
    t.Leading: setup.lead,
    t.Unveiling: waits,
    t.Promoting: waits,
    t.Refilling: spring.refill,
    t.Drawing: tactics.draw,
    t.Discarding: tactics.discard_down,
    t.Commanding: fall.command,
    t.Revealing: waits,
    t.Placing: fall.place,
    t.SoloDraw: waits,
    t.Turn: fall.turn,
    t.EndTurn: fall.end_turn,
    t.Frames: fall.frame,
    t.Perform: perform,
    t.Fire: tactics.open_fire,
    t.Window: tactics.window,
    t.Responding: waits,
    t.Moving: clerks.move_clerks,
    t.Choosing: choices.choose,
    t.Copying: choices.copy_card,
    t.Advancing: clerks.advance_locations,
    t.ActivationStep: locations.list_locations,
    t.Activating: locations.activate,
    t.Visit: locations.visit,
    t.Serving: locations.serve,
    t.Accepting: waits,
    t.Gathering: production.gather,
    t.Leaving: locations.leave,
    t.Upgrading: overseers.upgrade,
    t.Yielding: overseers.give_income,
    t.Donating: production.donate,
    t.Recruiting: recruiting.recruit,
    t.Mustering: recruiting.muster,
    t.Attacking: attacks.attack,
    t.LastWounds: attacks.last_wounds,
    t.Wounding: wounds.place_wounds,
    t.Taking: taking.take,
    t.Losing: taking.lose,
    t.Building: building.build,
    t.Stocking: building.stock,
    t.Paying: waits,
    t.Hiring: embassy.hire,
    t.Dismissing: embassy.dismiss,
    t.Marching: logistics.march,
    t.Shaming: shame.take_shame,
    t.Returning: shame.return_shame,
    t.Reclaiming: choices.reclaim,
    t.Sweeping: summer.sweep,
    t.Counting: summer.count_cards,
    t.DefeatCheck: defeat.check_defeats,
    t.Defeat: defeat.defeat,
    t.Killing: killing.kill,
    t.Dooming: killing.dooming,
    t.Saving: killing.save,
    t.Shooting: winter.shoot,
    t.Assaulting: winter.assault,
    t.Aftermath: winter.aftermath,
}
"""What a task does when it is on top; the same position: it waits for an answer."""

NATURE_DUE: dict[type[Task], str] = {
    t.SettingOut: "set_out",
    t.Invading: "invasion",
    t.Unveiling: "unveil",
    t.Promoting: "promotion",
    t.Refilling: "refill",
    t.Drawing: "tactic_draw",
    t.Revealing: "reveal",
    t.SoloDraw: "solo_draw",
    t.Assaulting: "assault",
}
"""What NATURE does."""

ASKS: dict[type[Task], str] = {
    t.Discarding: "discard",
    t.Placing: "space",
    t.Moving: "clerk",
    t.Choosing: "choice",
    t.Copying: "copy",
    t.Advancing: "advanced",
    t.Activating: "activation",
    t.Accepting: "visit",
    t.Upgrading: "overseer",
    t.Yielding: "yield",
    t.Donating: "donation",
    t.Recruiting: "recruit",
    t.Attacking: "attack",
    t.Wounding: "wound",
    t.Taking: "resource",
    t.Losing: "loss",
    t.Building: "build",
    t.Stocking: "warehouse",
    t.Paying: "payment",
    t.Hiring: "hire",
    t.Dismissing: "dismissal",
    t.Marching: "march",
    t.Shaming: "shame",
    t.Returning: "shame_return",
    t.Reclaiming: "reclaim",
    t.Dooming: "doom",
    t.Saving: "save",
}
"""What a task asks of the one who decides for its clan."""


def advance(state: State) -> State:
    """Run tasks until one waits."""
    while state.stack:
        task = state.stack[-1]
        after = STEP[type(task)](state, task)
        if after is state:
            return state
        state = after
    return state


def decisions(state: State) -> tuple[Decision, ...]:
    """The open questions of the task on top."""
    if not state.stack:
        return ()
    task = state.stack[-1]
    kind = type(task)
    if kind in ASKS:
        return (asked(state, task, kind),)
    if kind in NATURE_DUE:
        about = task.section if isinstance(task, t.Assaulting) else ""
        return (Decision(NATURE, NATURE_DUE[kind], about),)
    return several(state, task)


def asked(state: State, task: Any, kind: type[Task]) -> Decision:
    """The question to the seat that decides for a task's clan."""
    clan = task.clans[0] if isinstance(task, t.Placing) else task.clan
    prompt = ASKS[kind]
    if isinstance(task, t.Attacking) and task.mandatory:
        prompt = "forced_attack"
    about = "neutral_clan" if clan == state.reed else ""
    return Decision(seat_for(state, clan), prompt, about)


def several(state: State, task: Any) -> tuple[Decision, ...]:
    """Questions that are asked in their own way."""
    if isinstance(task, Window):
        prompt = "trigger" if task.abilities else "tactic"
        return (Decision(Seat(task.clan), prompt, task.trigger),)
    if isinstance(task, t.Counting):
        return (Decision(Seat(task.clans[0]), "command_cards"),)
    if isinstance(task, t.Responding):
        waiting = responses.waiting(state, task)
        if not waiting:
            return (Decision(NATURE, "show_responses", task.trigger),)
        return tuple(Decision(Seat(clan), "response", task.trigger) for clan in sorted(waiting))
    if isinstance(task, t.Leading):
        return tuple(
            Decision(Seat(seat), "leader")
            for seat in range(state.seats)
            if state.clans[seat].leader is None
        )
    assert isinstance(task, t.Commanding)
    return tuple(
        Decision(Seat(seat), "command")
        for seat in range(state.seats)
        if state.clans[seat].chosen is None
    )
