"""Windows: who may use an ability or play a tactic card, and who is asked (R0.4, R18.1, R18.14)."""

from __future__ import annotations

from collections.abc import Sequence

from services.great_wall.cards.scripts import ABILITIES, BY_TRIGGER
from services.great_wall.cards.tactics import IN_WINDOW, TACTICS, Tactic
from services.great_wall.counting import holds
from services.great_wall.idle import idle
from services.great_wall.state import State, push
from services.great_wall.tasks.cards import Fire, Perform, Responding, Window
from services.great_wall.tasks.task import Event
from services.great_wall.triggers import Trigger

KILLS = (Trigger.ON_WOULD_KILL, Trigger.ON_KILL)
"""One kill event has one tactic card a player, over both windows."""


def abilities(state: State, trigger: Trigger, clan: int, event: Event) -> tuple[str, ...]:
    """The cards that a seat may use now: not one that is being resolved (R0.4)."""
    one, cards = state.clans[clan], BY_TRIGGER[trigger]
    names = [name for name in (one.general, *one.active) if name in cards]
    return tuple(
        str(name)
        for name in names
        if name
        and holds(state, clan, ABILITIES[name].when, event)
        and not in_progress(state, clan, name)
        and not idle(state, clan, ABILITIES[name].do, event)
    )


def in_progress(state: State, clan: int, script: str) -> bool:
    """Whether an ability is being resolved."""
    return any(
        isinstance(task, Perform) and task.clan == clan and task.script == script
        for task in state.stack
    )


def playable(state: State, clan: int, tactic: Tactic, trigger: Trigger, event: Event) -> bool:
    """Whether a card fits a window, whoever holds it."""
    card = TACTICS[tactic]
    return card.window is trigger and holds(state, clan, card.when, event)


def might_play(state: State, trigger: Trigger, clan: int, event: Event) -> bool:
    """Whether a seat, as others see it, might hold a card for this window: it has a card, and
    one that fits has not been seen in the discard (R18.14)."""
    if trigger not in IN_WINDOW or not state.clans[clan].tactics:
        return False
    if trigger in KILLS and state.toll and clan in state.toll.spent:
        return False
    return any(
        tactic not in state.tactic_discard and playable(state, clan, tactic, trigger, event)
        for tactic in IN_WINDOW[trigger]
    )


def fire(state: State, trigger: Trigger, clan: int, event: Event, *, tactics: bool = True) -> State:
    """Open the window of one seat, unless it is publicly empty."""
    if clan >= state.seats:
        return state
    names = abilities(state, trigger, clan, event)
    tactic = tactics and might_play(state, trigger, clan, event)
    if not names and not tactic:
        return state
    return push(state, Window(clan, trigger, event, names, tactic))


def fire_all(state: State, trigger: Trigger, events: Sequence[tuple[int, Event]]) -> State:
    """Open the windows of several seats, given in tea order; if more than one might play a
    tactic card, they answer at once."""
    asked = [(clan, event) for clan, event in events if might_play(state, trigger, clan, event)]
    if len(asked) < 2:
        return push(state, *(Fire(trigger, clan, event) for clan, event in events))
    clans = tuple(clan for clan, _ in events)
    mine = tuple(event for _, event in events)
    return push(state, Responding(trigger, clans, mine))


def asked_of(state: State, task: Responding) -> list[int]:
    """The seats that a common window asks."""
    return [
        clan
        for clan, event in zip(task.clans, task.events, strict=True)
        if might_play(state, task.trigger, clan, event)
    ]
