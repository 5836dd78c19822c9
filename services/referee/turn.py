"""What one request does to a table: a sequence of moves, then what NATURE answers. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from services.gamekit.chance import Chance, Draw
from services.gamekit.game import NATURE, Action, Game, IllegalAction, NatureMove, Record, Seat
from services.gamekit.play import nature_answer
from services.referee.table import Table, TableEvent, moved


class Step(Record, frozen=True):
    """One entry to be: who moved and what was drawn, and the table after it. `requested` is
    False for what NATURE answered."""

    seat: Seat
    move: Any
    draws: tuple[Draw, ...]
    table: Table
    requested: bool = True


def sequence(
    game: Game[Any], table: Table, seat: Seat, actions: Sequence[Action[Any]], chance: Chance
) -> list[Step]:
    """`actions` of `seat`, all or nothing, and NATURE's answers after the last of them.

    Raises `IllegalAction`: the rules' codes with `index` among the details; and
    `sequence_crosses_chance`, before anything is drawn, when one that is not the last makes a
    move of NATURE due; `false_claim` when a move of NATURE is not what chance and rules say.
    """
    steps: list[Step] = []
    for index, action in enumerate(actions):
        if index and table.decision(NATURE):
            raise IllegalAction("sequence_crosses_chance", index=index)
        try:
            steps.append(one_move(game, table, seat, action, chance))
        except IllegalAction as refusal:
            raise IllegalAction(refusal.code, **{**refusal.detail, "index": index}) from None
        table = steps[-1].table
    return steps + settled(game, table, chance)


def event(game: Game[Any], table: Table, happening: TableEvent, chance: Chance) -> list[Step]:
    """Something that happens to the table, and NATURE's answers."""
    after = moved(game, table, happening.seat, happening)
    return [Step(happening.seat, happening, (), after), *settled(game, after, chance)]


def settled(game: Game[Any], table: Table, chance: Chance) -> list[Step]:
    """NATURE's moves until a person, a bot or a deferred move of NATURE is due."""
    steps = []
    while kind := nature_answer(game, table.decision(NATURE)):
        move = kind.resolve(table.state, chance)
        table = moved(game, table, NATURE, move)
        steps.append(Step(NATURE, move, chance.taken(), table, requested=False))
    return steps


def one_move(
    game: Game[Any], table: Table, seat: Seat, action: Action[Any], chance: Chance
) -> Step:
    """One action; a move of NATURE must be the one that chance makes due."""
    after = moved(game, table, seat, action)
    if isinstance(action, NatureMove):
        due = type(action).resolve(table.state, chance)
        if due != action:
            raise IllegalAction("false_claim")
    return Step(seat, action, chance.taken(), after)
