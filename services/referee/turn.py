"""What one request does to a table: a sequence of moves, then what NATURE answers. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from services.gamekit.chance import Chance, Draw
from services.gamekit.game import NATURE, Action, Game, IllegalAction, NatureMove, Record, Seat
from services.gamekit.play import nature_answer
from services.referee.events import ClockExpired, TableEvent
from services.referee.table import Table, moved


class Step(Record, frozen=True):
    """One entry to be: who moved and what was drawn, and the table after it. `requested` is
    False for what NATURE answered."""

    seat: Seat
    move: Any
    draws: tuple[Draw, ...]
    table: Table
    requested: bool = True


def sequence(
    game: Game[Any],
    table: Table,
    seat: Seat,
    actions: Sequence[Action[Any]],
    chance: Chance,
    now: int,
) -> list[Step]:
    """`actions` of `seat` at `now`, all or nothing, and NATURE's answers after the last of them.

    Raises `IllegalAction`: the rules' codes with `index` among the details; and
    `sequence_crosses_chance`, before anything is drawn, when one that is not the last makes a
    move of NATURE due; `false_claim` when a move of NATURE is not what chance and rules say.
    """
    steps: list[Step] = []
    for index, action in enumerate(actions):
        if index and table.decision(NATURE):
            raise IllegalAction("sequence_crosses_chance", index=index)
        try:
            steps.append(one_move(game, table, seat, action, chance, now))
        except IllegalAction as refusal:
            raise IllegalAction(refusal.code, **{**refusal.detail, "index": index}) from None
        table = steps[-1].table
    return steps + settled(game, table, chance, now)


def event(
    game: Game[Any], table: Table, happening: TableEvent, chance: Chance, now: int
) -> list[Step]:
    """Something that happens to the table at `now`, what the rules say that a seat plays whose
    time has run out, and NATURE's answers."""
    after = moved(game, table, happening.seat, happening, now)
    steps = [Step(happening.seat, happening, (), after)]
    if isinstance(happening, ClockExpired):
        steps += defaulted(game, after, happening.seat, now)
    return steps + settled(game, steps[-1].table, chance, now)


def defaulted(game: Game[Any], table: Table, seat: Seat, now: int) -> list[Step]:
    """The answer that the rules give to the open question of a seat, if they do."""
    if table.decision(seat) is None:
        return []
    action = game.default(table.state, seat)
    if action is None:
        return []
    return [Step(seat, action, (), moved(game, table, seat, action, now), requested=False)]


def settled(game: Game[Any], table: Table, chance: Chance, now: int) -> list[Step]:
    """NATURE's moves until a person, a bot or a deferred move of NATURE is due."""
    steps = []
    while kind := nature_answer(game, table.decision(NATURE)):
        move = kind.resolve(table.state, chance)
        table = moved(game, table, NATURE, move, now)
        steps.append(Step(NATURE, move, chance.taken(), table, requested=False))
    return steps


def one_move(
    game: Game[Any], table: Table, seat: Seat, action: Action[Any], chance: Chance, now: int
) -> Step:
    """One action; a move of NATURE must be the one that chance makes due."""
    after = moved(game, table, seat, action, now)
    if isinstance(action, NatureMove):
        due = type(action).resolve(table.state, chance)
        if due != action:
            raise IllegalAction("false_claim")
    return Step(seat, action, chance.taken(), after)
