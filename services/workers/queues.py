"""The queues, and how a task is addressed."""

from __future__ import annotations

import hashlib
from typing import NamedTuple, Protocol

from services.gamekit.game import NATURE, Seat

CLOCKS = "clocks"
INVASIONS = "invasions"
BOTS = "bots"
WEBHOOKS = "webhooks"

QUEUES = (CLOCKS, INVASIONS, BOTS, WEBHOOKS)
"""Most urgent first: a worker of several queues empties them in this order."""

TAKE_TURN = "vallum.take_turn"
DELIVER = "vallum.deliver"
CANARY = "vallum.canary"

NUMBER = "vallum-number"
"""The header that says the how-manieth in its queue a task was."""

LONGEST = 55
"""Characters of a turn's id: with FALLBACK it fits a request_id."""

FALLBACK = ":fallback"
"""Ends the request_id of a turn that the fallback policy took."""


class Queued(Protocol):
    """What a task is about."""

    @property
    def id(self) -> str:
        """Names it among all that is queued."""
        raise NotImplementedError

    @property
    def queue(self) -> str:
        """Where it waits."""
        raise NotImplementedError


class Turn(NamedTuple):
    """An automatic turn: all that a task is told of it."""

    game: str
    match_id: str
    seat: Seat
    decision_id: int

    @property
    def id(self) -> str:
        """The id of its task and of its request: the same whoever takes the turn, and again."""
        tail = f":{self.decision_id}:{self.seat}"
        if len(self.match_id) + len(tail) <= LONGEST:
            return self.match_id + tail
        return hashlib.sha256(self.match_id.encode()).hexdigest()[:32] + tail

    @property
    def queue(self) -> str:
        """Where it waits."""
        return INVASIONS if self.seat == NATURE else BOTS


class Delivery(NamedTuple):
    """A delivery of a webhook."""

    id: str

    @property
    def queue(self) -> str:
        """Where it waits."""
        return WEBHOOKS


def canary_queue(worker: str) -> str:
    """The queue that only this worker consumes."""
    return f"canary.{worker}"
