"""Choices of a card: one of its lists, a card to copy, cards to reclaim; and being done."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from msgspec.structs import replace

from services.gamekit.game import Action, IllegalAction, Seat
from services.great_wall.cards.commands import Command
from services.great_wall.cards.scripts import SCRIPTS, branch
from services.great_wall.effects import Choose, Effects
from services.great_wall.idle import copyable, idle
from services.great_wall.state import State, instead, pop, push, top, with_clan, without
from services.great_wall.tasks.cards import Choosing, Copying, Perform, Reclaiming


def options_of(task: Choosing) -> tuple[Effects, ...]:
    """The lists to choose from."""
    effect = SCRIPTS[task.script][task.at]
    assert isinstance(effect, Choose)
    return effect.options


def open_options(state: State, task: Choosing) -> list[int]:
    """The lists that would publicly do something."""
    return [
        number
        for number, effects in enumerate(options_of(task))
        if not idle(state, task.clan, effects, task.event)
    ]


def choose(state: State, task: Choosing) -> State:
    """Ask which list, where there is one."""
    return state if open_options(state, task) else pop(state)


class PickOption(Action[State], frozen=True):
    """Pick one of the lists of a card, counted from 0."""

    option: int

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        return (cls(number) for number in open_options(state, top(state, Choosing)))

    def check(self, state: State, seat: Seat) -> None:
        if self.option not in open_options(state, top(state, Choosing)):
            raise IllegalAction("not_offered", option=self.option)

    def apply(self, state: State, seat: Seat) -> State:
        task = top(state, Choosing)
        script = branch(task.script, task.at, self.option)
        return instead(state, Perform(task.clan, script, task.event))


def copy_card(state: State, task: Copying) -> State:
    """Ask which card, where there is one."""
    return state if task.left > 0 and copyable(state, task.clan) else pop(state)


class CopyCommand(Action[State], frozen=True):
    """Resolve the owner parts of another's card; the general's counts as the human one (R15.2)."""

    space: int

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        return (cls(space) for space in copyable(state, top(state, Copying).clan))

    def check(self, state: State, seat: Seat) -> None:
        if self.space not in copyable(state, top(state, Copying).clan):
            raise IllegalAction("cannot_copy", space=self.space)

    def apply(self, state: State, seat: Seat) -> State:
        task = top(state, Copying)
        played = state.track[self.space]
        assert played is not None
        return instead(
            state,
            Perform(task.clan, f"{played.command}/top"),
            Perform(task.clan, f"{played.command}/bottom"),
        )


def reclaim(state: State, task: Reclaiming) -> State:
    """Ask on while there is a discarded card."""
    return state if task.left > 0 and state.clans[task.clan].discard else pop(state)


class ReclaimCard(Action[State], frozen=True):
    """Take a discarded command card back to hand (R18.8)."""

    command: Command

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        return (cls(command) for command in state.clans[top(state, Reclaiming).clan].discard)

    def check(self, state: State, seat: Seat) -> None:
        if self.command not in state.clans[top(state, Reclaiming).clan].discard:
            raise IllegalAction("not_in_discard", command=self.command)

    def apply(self, state: State, seat: Seat) -> State:
        task = top(state, Reclaiming)
        clan = state.clans[task.clan]
        back = replace(
            clan,
            discard=without(clan.discard, self.command),
            commands=(*clan.commands, self.command),
        )
        state = instead(state, replace(task, left=task.left - 1))
        return with_clan(state, task.clan, back)


class Done(Action[State], frozen=True):
    """Nothing more of what is asked: what is optional is declined (R0.2)."""

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        yield cls()

    def check(self, state: State, seat: Seat) -> None:
        """Prompts that must be answered do not take it."""

    def apply(self, state: State, seat: Seat) -> State:
        task = state.stack[-1]
        if "left" in task.__struct_fields__:
            return push(pop(state), replace(task, left=0))
        return pop(state)
