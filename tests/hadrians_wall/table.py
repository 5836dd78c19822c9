"""Builders for positions of Hadrian's Wall, and a way to play that reads like the rulebook."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from services.gamekit.chance import Dealt
from services.gamekit.game import Action, IllegalAction, Seat
from services.gamekit.play import guard, play, settle
from services.hadrians_wall.cards import FATE, PlayerCard
from services.hadrians_wall.game import GAME
from services.hadrians_wall.goods import Cohort
from services.hadrians_wall.state import HadriansWallOptions, Phase, Sheet, State

DULL = PlayerCard.PLANNER
"""A prospect that a test does not care about: good 1, pattern S."""


def given(
    seats: int = 1,
    year: int = 1,
    neutral: tuple[PlayerCard, ...] = (PlayerCard.FIGHTER, PlayerCard.MERCHANT),
    options: HadriansWallOptions | None = None,
    **fields: Any,
) -> State:
    """The actions of a year: seat 0's sheet has `fields`, the others' are blank and may act."""
    mine = {"prospects": (DULL,), **fields}
    others = (Sheet(prospects=(DULL,)),) * (seats - 1)
    return State(
        options or HadriansWallOptions(),
        (Sheet(**mine), *others),
        year=year,
        phase=Phase.ACTIONS,
        neutral=neutral[: 3 - seats],
    )


def seated(state: State, seat: int, **fields: Any) -> State:
    """The same position with other fields on the sheet of `seat`."""
    sheets = list(state.sheets)
    sheets[seat] = replace(sheets[seat], **fields)
    return replace(state, sheets=tuple(sheets))


def after(state: State, *actions: Action[Any], seat: int = 0, fate: tuple[int, ...] = ()) -> State:
    """The position after `seat` did all this; what NATURE then draws for it is `fate`."""
    for action in actions:
        state = play(GAME, state, Seat(seat), action)
        labels = {f"fate/{state.drawn + number}": card for number, card in enumerate(fate)}
        if state.draws:
            state, _ = settle(GAME, state, Dealt(labels))
    return state


def sheet(state: State, *actions: Action[Any], fate: tuple[int, ...] = ()) -> Sheet:
    """Seat 0's sheet after it did all this."""
    return after(state, *actions, fate=fate).sheets[0]


def refused(state: State, action: Action[Any], seat: int = 0) -> str:
    """The code that `action` is refused with."""
    with pytest.raises(IllegalAction) as refusal:
        guard(GAME, state, Seat(seat), action)
    return refusal.value.code


def allowed(state: State, action: Action[Any], seat: int = 0) -> bool:
    """Whether `seat` may do it."""
    try:
        guard(GAME, state, Seat(seat), action)
    except IllegalAction:
        return False
    return True


def fate_card(**wanted: Any) -> int:
    """The number of the first fate card that has all this on its face."""
    return next(
        number
        for number, face in enumerate(FATE)
        if all(getattr(face, name) == value for name, value in wanted.items())
    )


def attackers(left: int = 0, centre: int = 0, right: int = 0) -> tuple[int, ...]:
    """Numbers of fate cards that attack in these directions."""
    wanted = {Cohort.LEFT: left, Cohort.CENTRE: centre, Cohort.RIGHT: right}
    cards: list[int] = []
    for cohort, count in wanted.items():
        facing = [number for number, face in enumerate(FATE) if face.direction is cohort]
        cards += facing[:count]
    return tuple(cards)
