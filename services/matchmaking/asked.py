"""What a ticket asks for, as it is stored, and the queue that this puts it in."""

from __future__ import annotations

import hashlib

import msgspec

from services.gamekit.record import Record
from services.matchmaking.model import Entrant, Waiting
from vallum.match.v1 import match_pb2 as pb

RANKED, CASUAL = "ranked", "casual"


class Queue(Record, frozen=True):
    """Those who may meet: one game, mode, set of options and time control of a tenant. `clock` is
    the contract's message, empty for none."""

    game: str
    mode: str
    options_json: str
    clock: bytes = b""

    @property
    def id(self) -> str:
        """Its name in keys."""
        return hashlib.sha256(encode(self)).hexdigest()[:16]

    @property
    def ranked(self) -> bool:
        """Whether its matches are rated."""
        return self.mode == RANKED

    def mode_message(self) -> pb.Mode.ValueType:
        """The mode in the contract's words."""
        return pb.MODE_RANKED if self.ranked else pb.MODE_CASUAL

    def clock_message(self) -> pb.Clock | None:
        """The time control in the contract's words."""
        return pb.Clock.FromString(self.clock) if self.clock else None


class Asked(Record, frozen=True):
    """What does not change of a ticket."""

    queue: Queue
    party: tuple[Entrant, ...]
    seats: tuple[int, ...]
    attributes: tuple[tuple[str, str], ...] = ()
    avoid: tuple[str, ...] = ()
    backfill: bool = False

    def players(self) -> list[str]:
        """Their ids."""
        return [one.player for one in self.party]

    def waiting(self, ticket: str, since_ms: int) -> Waiting:
        """As matching sees it."""
        return Waiting(
            ticket=ticket,
            since_s=since_ms / 1000,
            party=self.party,
            seats=self.seats,
            key=encode(self.attributes).hex() if self.attributes else "",
            avoid=self.avoid,
        )


encode = msgspec.msgpack.Encoder().encode
read_queue = msgspec.msgpack.Decoder(Queue).decode
read_asked = msgspec.msgpack.Decoder(Asked).decode


def queue_clock(clock: pb.Clock | None) -> bytes:
    """A time control in the one form that queues are told apart by."""
    return clock.SerializeToString(deterministic=True) if clock else b""
