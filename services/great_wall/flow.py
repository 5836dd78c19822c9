"""How a match goes on: what each task does by itself, and what it asks of whom."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from services.gamekit.game import NATURE, Decision, Seat
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
from services.great_wall.tasks import cards, seasons, war
from services.great_wall.tasks import locations as places
from services.great_wall.tasks.cards import Window
from services.great_wall.tasks.seasons import Begin
from services.great_wall.tasks.task import Phase, Task

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
    seasons.Begin: begin,
    seasons.SettingOut: waits,
    seasons.Invading: spring.invade,
    seasons.Leading: setup.lead,
    seasons.Unveiling: waits,
    seasons.Promoting: waits,
    seasons.Refilling: spring.refill,
    seasons.Commanding: fall.command,
    seasons.Revealing: waits,
    seasons.Placing: fall.place,
    seasons.SoloDraw: waits,
    seasons.Turn: fall.turn,
    seasons.EndTurn: fall.end_turn,
    seasons.Frames: fall.frame,
    seasons.ActivationStep: locations.list_locations,
    seasons.Sweeping: summer.sweep,
    seasons.Counting: summer.count_cards,
    seasons.Shooting: winter.shoot,
    seasons.Assaulting: winter.assault,
    seasons.Aftermath: winter.aftermath,
    cards.Drawing: tactics.draw,
    cards.Discarding: tactics.discard_down,
    cards.Perform: perform,
    cards.Fire: tactics.open_fire,
    cards.Window: tactics.window,
    cards.Responding: waits,
    cards.Choosing: choices.choose,
    cards.Copying: choices.copy_card,
    cards.Taking: taking.take,
    cards.Losing: taking.lose,
    cards.Reclaiming: choices.reclaim,
    places.Moving: clerks.move_clerks,
    places.Advancing: clerks.advance_locations,
    places.Activating: locations.activate,
    places.Visit: locations.visit,
    places.Serving: locations.serve,
    places.Accepting: waits,
    places.Gathering: production.gather,
    places.Leaving: locations.leave,
    places.Upgrading: overseers.upgrade,
    places.Yielding: overseers.give_income,
    places.Donating: production.donate,
    places.Building: building.build,
    places.Stocking: building.stock,
    places.Paying: waits,
    places.Hiring: embassy.hire,
    places.Dismissing: embassy.dismiss,
    places.Marching: logistics.march,
    war.Recruiting: recruiting.recruit,
    war.Mustering: recruiting.muster,
    war.Attacking: attacks.attack,
    war.LastWounds: attacks.last_wounds,
    war.Wounding: wounds.place_wounds,
    war.Shaming: shame.take_shame,
    war.Returning: shame.return_shame,
    war.DefeatCheck: defeat.check_defeats,
    war.Defeat: defeat.defeat,
    war.Killing: killing.kill,
    war.Dooming: killing.dooming,
    war.Saving: killing.save,
}
"""What a task does when it is on top; the same position: it waits for an answer."""

NATURE_DUE: dict[type[Task], str] = {
    seasons.SettingOut: "set_out",
    seasons.Invading: "invasion",
    seasons.Unveiling: "unveil",
    seasons.Promoting: "promotion",
    seasons.Refilling: "refill",
    seasons.Revealing: "reveal",
    seasons.SoloDraw: "solo_draw",
    seasons.Assaulting: "assault",
    cards.Drawing: "tactic_draw",
}
"""What NATURE does."""

ASKS: dict[type[Task], str] = {
    seasons.Placing: "space",
    cards.Discarding: "discard",
    cards.Choosing: "choice",
    cards.Copying: "copy",
    cards.Taking: "resource",
    cards.Losing: "loss",
    cards.Reclaiming: "reclaim",
    places.Moving: "clerk",
    places.Advancing: "advanced",
    places.Activating: "activation",
    places.Accepting: "visit",
    places.Upgrading: "overseer",
    places.Yielding: "yield",
    places.Donating: "donation",
    places.Building: "build",
    places.Stocking: "warehouse",
    places.Paying: "payment",
    places.Hiring: "hire",
    places.Dismissing: "dismissal",
    places.Marching: "march",
    war.Recruiting: "recruit",
    war.Attacking: "attack",
    war.Wounding: "wound",
    war.Shaming: "shame",
    war.Returning: "shame_return",
    war.Dooming: "doom",
    war.Saving: "save",
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
        about = task.section if isinstance(task, seasons.Assaulting) else ""
        return (Decision(NATURE, NATURE_DUE[kind], about),)
    return several(state, task)


def asked(state: State, task: Any, kind: type[Task]) -> Decision:
    """The question to the seat that decides for a task's clan."""
    clan = task.clans[0] if isinstance(task, seasons.Placing) else task.clan
    prompt = ASKS[kind]
    if isinstance(task, war.Attacking) and task.mandatory:
        prompt = "forced_attack"
    about = "neutral_clan" if clan == state.reed else ""
    return Decision(seat_for(state, clan), prompt, about)


def several(state: State, task: Any) -> tuple[Decision, ...]:
    """Questions that are asked in their own way."""
    if isinstance(task, Window):
        prompt = "trigger" if task.abilities else "tactic"
        return (Decision(Seat(task.clan), prompt, task.trigger),)
    if isinstance(task, seasons.Counting):
        return (Decision(Seat(task.clans[0]), "command_cards"),)
    if isinstance(task, cards.Responding):
        waiting = responses.waiting(state, task)
        if not waiting:
            return (Decision(NATURE, "show_responses", task.trigger),)
        return tuple(Decision(Seat(clan), "response", task.trigger) for clan in sorted(waiting))
    if isinstance(task, seasons.Leading):
        return tuple(
            Decision(Seat(seat), "leader")
            for seat in range(state.seats)
            if state.clans[seat].leader is None
        )
    assert isinstance(task, seasons.Commanding)
    return tuple(
        Decision(Seat(seat), "command")
        for seat in range(state.seats)
        if state.clans[seat].chosen is None
    )
