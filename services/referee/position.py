"""What a worker may know of a match: a position as the seat it plays imagines it."""

from __future__ import annotations

from typing import Any

from google.protobuf.message import Message

from services.gamekit.chance import Chance
from services.gamekit.game import NATURE, Seat
from services.gamekit.play import nature_due
from services.referee.contract import Contract
from services.referee.folder import Live
from services.referee.host import imagining
from services.referee.messages import decision_message, draw_message


def position_of(contract: Contract, live: Live, seat: Seat) -> Message:
    """For a bot's seat the imagined position; for NATURE the true one with the results of just
    the draws that its due move needs, never the seed."""
    decision = live.table.decision(seat)
    state = live.table.state
    if seat != NATURE:
        state = live.game.imagine(state, seat, imagining(live, seat, "position"))
    response: Message = contract.GetPositionResponse(
        version=live.version,
        decision=decision_message(live.table, decision) if decision else None,
        position=live.folder.encode_state(state),
        rules_version=live.head.header.rules_version,
        policy=live.table.chairs[seat].bot if seat != NATURE else "",
        draws=[draw_message(draw) for draw in pending(live)] if seat == NATURE else (),
    )
    return response


def pending(live: Live) -> tuple[Any, ...]:
    """The draws of NATURE's due move, deferred or not."""
    kind = nature_due(live.game, live.table.state, deferred=True)
    if kind is None:
        return ()
    chance = Chance(live.seed)
    kind.resolve(live.table.state, chance)
    return chance.taken()
