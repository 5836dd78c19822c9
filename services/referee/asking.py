"""What is asked of the host, and what it answers."""

from __future__ import annotations

import hashlib
from typing import Any, NamedTuple

from google.protobuf.message import Message

from services.gamekit.game import Options, Seat
from services.referee.clocks import TimeControl
from services.referee.folder import Live
from services.referee.record import Occupant
from services.referee.table import Table
from services.runtime.errors import Stale


class Request(NamedTuple):
    """A caller's own id for what he asks, and the hash of what he asks."""

    id: str
    body: str

    @classmethod
    def of(cls, message: Any) -> Request:
        """From a message with a request_id."""
        return cls(message.request_id, body_hash(message))


class Expectation(NamedTuple):
    """What the caller believes he acts on; None where he does not say."""

    version: int | None = None
    decision: int | None = None

    def check(self, live: Live, seat: Seat) -> None:
        """Raises Stale `stale` or `stale_decision`, with what is true now."""
        if self.version not in (None, live.version):
            raise Stale("stale", version=live.version)
        if self.decision is None:
            return
        current = live.table.decision_id(seat)
        if live.table.decision(seat) is None or current != self.decision:
            raise Stale("stale_decision", decision_id=current, version=live.version)


class Reply(NamedTuple):
    """What a request wrote: its versions, and the table after the last."""

    first: int
    last: int
    table: Table


class Proposal(NamedTuple):
    """A match to be created."""

    match_id: str
    tenant: str
    seats: tuple[Occupant, ...]
    options: Options
    mode: str
    clock: TimeControl | None
    body: str


def body_hash(message: Message) -> str:
    """What two requests under one id must agree in."""
    return hashlib.sha256(message.SerializeToString(deterministic=True)).hexdigest()[:16]
