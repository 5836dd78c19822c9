"""Summer (R4): income, shame returned, command cards taken back or scored."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from msgspec.structs import replace

from services.gamekit.game import Action, Seat
from services.great_wall.cards.board import DISCARD_HONOUR, SHAME_PRICE
from services.great_wall.rules.overseers import all_income
from services.great_wall.rules.tea import humans
from services.great_wall.state import State, honoured, instead, push, top, with_clan
from services.great_wall.tasks.cards import Fire
from services.great_wall.tasks.seasons import Begin, Counting, Sweeping
from services.great_wall.tasks.task import Phase
from services.great_wall.tasks.war import Returning
from services.great_wall.triggers import Trigger

ALL_TOKENS = 99


def begin_summer(state: State) -> State:
    """Overseers yield; then abilities, shame, cards, in tea order."""
    clans = humans(state)
    for clan in clans:
        state = all_income(state, clan)
    return instead(
        replace(state, phase=Phase.SUMMER),
        *[Fire(Trigger.INCOME, clan) for clan in clans],
        *[Returning(clan, ALL_TOKENS, SHAME_PRICE) for clan in clans],
        Sweeping(),
        Counting(tuple(clans)),
        Begin(Phase.FALL),
    )


def sweep(state: State, _task: Sweeping) -> State:
    """All cards of the command track go to their owners' discards."""
    for played in state.track:
        if played and played.clan < state.seats:
            clan = state.clans[played.clan]
            clan = replace(clan, discard=(*clan.discard, played.command))
            state = with_clan(state, played.clan, clan)
    return instead(replace(state, track=(None,) * len(state.track)))


def count_cards(state: State, task: Counting) -> State:
    """Ask each; an empty hand has to be filled, which everybody can count (R4.4)."""
    if not task.clans:
        return instead(state)
    if not state.clans[task.clans[0]].commands:
        return TakeBack().apply(state, Seat(task.clans[0]))
    return state


class TakeBack(Action[State], frozen=True):
    """Take all discarded command cards back to hand."""

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        yield cls()

    def check(self, state: State, seat: Seat) -> None:
        """Always allowed."""

    def apply(self, state: State, seat: Seat) -> State:
        task = top(state, Counting)
        index = task.clans[0]
        clan = state.clans[index]
        clan = replace(clan, commands=(*clan.commands, *clan.discard), discard=())
        return with_clan(instead(state, replace(task, clans=task.clans[1:])), index, clan)


class ScoreDiscard(Action[State], frozen=True):
    """Score the discarded command cards and leave them there."""

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        yield cls()

    def check(self, state: State, seat: Seat) -> None:
        """Allowed with cards in hand: nobody else is asked."""

    def apply(self, state: State, seat: Seat) -> State:
        task = top(state, Counting)
        clan = task.clans[0]
        state = instead(state, replace(task, clans=task.clans[1:]))
        state = honoured(state, clan, DISCARD_HONOUR * len(state.clans[clan].discard))
        return push(state, Fire(Trigger.ON_RECLAIM_HONOUR, clan))
