"""What a seat's actions would lead to, as far as that seat can know."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from services.gamekit.game import NATURE, Action, IllegalAction, Seat
from services.gamekit.play import open_decision, play
from services.referee.folder import Live
from services.referee.host import imagining


class Preview(NamedTuple):
    """The position after each accepted action, and the code of what stopped it, or ""."""

    states: list[Any]
    refused: str


def preview(live: Live, seat: Seat, actions: Sequence[Action[Any]]) -> Preview:
    """Try `actions` on the position as `seat` imagines it, up to a refusal or NATURE's move."""
    state = live.game.imagine(live.table.state, seat, imagining(live, seat, "preview"))
    states: list[Any] = []
    for action in actions:
        if states and open_decision(live.game, state, NATURE):
            return Preview(states, "sequence_crosses_chance")
        try:
            state = play(live.game, state, seat, action)
        except IllegalAction as refusal:
            return Preview(states, refusal.code)
        states.append(state)
    return Preview(states, "")
