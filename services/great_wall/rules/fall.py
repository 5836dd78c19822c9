"""Fall (R5): command cards chosen unseen, placed in tea order, resolved from left to right."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from msgspec.structs import replace

from services.gamekit.chance import Chance
from services.gamekit.game import Action, IllegalAction, NatureMove, Record, Seat
from services.great_wall.cards.board import SPACES
from services.great_wall.cards.commands import Command
from services.great_wall.cards.scripts import APART
from services.great_wall.rules import solo
from services.great_wall.rules.solo_clerks import frame_moves
from services.great_wall.state import (
    NOBODY,
    Played,
    State,
    instead,
    pop,
    push,
    top,
    with_clan,
    without,
)
from services.great_wall.tasks.cards import Fire, Perform
from services.great_wall.tasks.seasons import (
    ActivationStep,
    Begin,
    Commanding,
    EndTurn,
    Frames,
    Placing,
    Revealing,
    SoloDraw,
    Turn,
)
from services.great_wall.tasks.task import Phase
from services.great_wall.tasks.war import DefeatCheck
from services.great_wall.triggers import Trigger


def begin_fall(state: State) -> State:
    """Choose, reveal, place, resolve; then winter."""
    return instead(
        replace(state, phase=Phase.FALL),
        Commanding(),
        Revealing(),
        Placing(state.tea),
        Turn(),
        Begin(Phase.WINTER),
    )


def command(state: State, _task: Commanding) -> State:
    """Ask until everybody has chosen."""
    waiting = any(state.clans[seat].chosen is None for seat in range(state.seats))
    return state if waiting else pop(state)


class ChooseCommand(Action[State], frozen=True):
    """Choose a command card; others do not see which until all are revealed."""

    command: Command | None

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        return (cls(command) for command in state.clans[seat].commands)

    def check(self, state: State, seat: Seat) -> None:
        if self.command is None or self.command not in state.clans[seat].commands:
            raise IllegalAction("not_in_hand", command=self.command or "")

    def apply(self, state: State, seat: Seat) -> State:
        clan = state.clans[seat]
        assert self.command is not None
        hand = without(clan.commands, self.command)
        return with_clan(state, seat, replace(clan, commands=hand, chosen=self.command))

    def shown(self, actor: Seat, viewer: Seat | None) -> ChooseCommand:
        return self if viewer == actor else ChooseCommand(None)


class Revealed(Record, frozen=True):
    """A command card turned up."""

    seat: Seat
    command: Command


class RevealCommands(NatureMove[State], frozen=True):
    """All chosen command cards are turned up."""

    commands: tuple[Revealed, ...]

    @classmethod
    def resolve(cls, state: State, chance: Chance) -> Self:
        chosen = [(Seat(seat), state.clans[seat].chosen) for seat in range(state.seats)]
        return cls(tuple(Revealed(seat, card) for seat, card in chosen if card))

    def check(self, state: State, seat: Seat) -> None:
        if self != self.resolve(state, Chance(b"")):
            raise IllegalAction("wrong_cards")

    def apply(self, state: State, seat: Seat) -> State:
        return instead(state)


def place(state: State, task: Placing) -> State:
    """In tea order; the neutral clan and the general take the first free space (R14.3, R15.2)."""
    if not task.clans:
        return pop(state)
    clan = task.clans[0]
    free = [space for space, played in enumerate(state.track) if played is None]
    if clan == state.reed:
        return placed(state, clan, Command.REED_STIRRING, free[0])
    if clan == state.qin:
        return push(state, SoloDraw())
    if len(free) == 1:
        return PlaceCommand(free[0]).apply(state, Seat(clan))
    return state


def placed(state: State, clan: int, card: Command, space: int) -> State:
    """A card lies on the track, and the next clan is due."""
    task = top(state, Placing)
    track = list(state.track)
    track[space] = Played(clan, card)
    return instead(replace(state, track=tuple(track)), replace(task, clans=task.clans[1:]))


class PlaceCommand(Action[State], frozen=True):
    """Put the revealed card on a free space of the track, counted from 0."""

    space: int

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        return (cls(space) for space, played in enumerate(state.track) if played is None)

    def check(self, state: State, seat: Seat) -> None:
        if not 0 <= self.space < SPACES or state.track[self.space]:
            raise IllegalAction("space_taken", space=self.space)

    def apply(self, state: State, seat: Seat) -> State:
        index = top(state, Placing).clans[0]
        clan = state.clans[index]
        assert clan.chosen is not None
        state = placed(state, index, clan.chosen, self.space)
        return with_clan(state, index, replace(clan, chosen=None))


class DrawSolo(NatureMove[State], frozen=True):
    """The automated general's card is turned; after all six his deck is shuffled again."""

    command: Command

    @classmethod
    def resolve(cls, state: State, chance: Chance) -> Self:
        return cls(chance.draw(f"solo/{state.solo_drawn}", solo.deck(state)))

    def check(self, state: State, seat: Seat) -> None:
        if self.command not in solo.deck(state):
            raise IllegalAction("not_in_deck", command=self.command)

    def apply(self, state: State, seat: Seat) -> State:
        left = without(solo.deck(state), self.command)
        state = replace(pop(state), solo_deck=left, solo_drawn=state.solo_drawn + 1)
        free = state.track.index(None)
        return placed(state, state.qin, self.command, free)


def turn(state: State, task: Turn) -> State:
    """The next card's owner is active (R5.3)."""
    if task.space >= SPACES:
        return pop(state)
    played = state.track[task.space]
    after = Turn(task.space + 1)
    if played is None:
        return instead(state, after)
    clan = played.clan
    name = f"qin_{played.command}" if clan == state.qin else str(played.command)
    solo_reed = clan == state.reed and state.seats == 1
    others = tuple(one for one in state.tea if one != clan)
    return instead(
        replace(state, active=clan),
        Perform(clan, f"{name}/top"),
        Frames(others, f"{name}/others"),
        Perform(clan, f"{name}/{'solo' if solo_reed else 'bottom'}"),
        Fire(Trigger.AFTER_COMMAND_STEP, clan),
        ActivationStep(),
        Fire(Trigger.AFTER_ACTIVATION_STEP, clan),
        DefeatCheck(),
        EndTurn(),
        after,
    )


def frame(state: State, task: Frames) -> State:
    """Every other clan resolves the frame, in tea order; the general has his own (R15.3)."""
    if not task.clans:
        return pop(state)
    clan, *rest = task.clans
    state = instead(state, replace(task, clans=tuple(rest)))
    if clan == state.qin:
        return frame_moves(state)
    smuggling = [Fire(Trigger.ON_FRAME_MOVE, clan)] if task.script in APART else []
    return push(state, Perform(clan, task.script), *smuggling)


def end_turn(state: State, _task: EndTurn) -> State:
    """Nobody is active."""
    return replace(pop(state), active=NOBODY)
