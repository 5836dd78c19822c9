"""What is written down of a match, and the chain of hashes over it (docs/fairness.md)."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from typing import Any, Union, cast

import msgspec

from services.gamekit.chance import Draw
from services.gamekit.game import Action, Game, Record, Seat
from services.referee.clocks import TimeControl
from services.referee.events import EVENTS, TableEvent

FORMAT = 1


class Occupant(Record, frozen=True, omit_defaults=True):
    """Who was seated: a player's id, or a bot's policy."""

    player: str = ""
    bot: str = ""


class Header(Record, frozen=True, omit_defaults=True):
    """What a match began with. Its canonical JSON is the root of the chain."""

    format: int
    name: str
    game: str
    rules_version: str
    seats: tuple[Occupant, ...]
    options: msgspec.Raw
    seed_commitment: str
    create_time_ms: int
    clock: TimeControl | None = None


class LogEntry(Record, frozen=True):
    """One entry, as it is logged. `origin` is "" for a move of the game, "host" for a
    TableEvent."""

    version: int
    origin: str
    seat: Seat
    action: msgspec.Raw
    request_id: str
    time_ms: int
    draws: tuple[Draw, ...] = ()


canonical = msgspec.json.Encoder().encode
"""Canonical JSON: keys in the order of the fields, no spaces, UTF-8."""

read_entry = msgspec.json.Decoder(LogEntry).decode


def root(header: Header) -> bytes:
    """h0 of the chain, 32 bytes."""
    return hashlib.sha256(canonical(header)).digest()


def linked(previous: bytes, version: int, entry: bytes, seed: bytes) -> bytes:
    """The chain's hash after an entry's canonical JSON, 32 bytes. The salt comes from the seed:
    otherwise a secret choice could be guessed from its hash."""
    salt = hmac.digest(seed, f"salt/{version}".encode(), "sha256")
    return hashlib.sha256(previous + entry + salt).digest()


class Script:
    """Reads and writes the moves of one game."""

    def __init__(self, game: Game[Any]) -> None:
        kinds = {kind for answers in game.moves.values() for kind in answers}
        self.kinds: dict[str, type[Action[Any]]] = {
            cast(str, kind.__struct_config__.tag): kind
            for kind in sorted(kinds, key=lambda kind: kind.__name__)
        }
        self._action = msgspec.json.Decoder(one_of(tuple(self.kinds.values())))
        self._event = msgspec.json.Decoder(one_of(EVENTS))
        self._options = msgspec.json.Decoder(game.Options)

    def write(
        self,
        version: int,
        seat: Seat,
        move: Action[Any] | TableEvent,
        draws: tuple[Draw, ...],
        request_id: str,
        time_ms: int,
    ) -> LogEntry:
        """A move as it is logged."""
        origin = "host" if isinstance(move, TableEvent) else ""
        action = msgspec.Raw(canonical(move))
        return LogEntry(version, origin, seat, action, request_id, time_ms, draws)

    def read(self, entry: LogEntry) -> Action[Any] | TableEvent:
        """The move of an entry. Raises msgspec.ValidationError where it is none of this game."""
        decoder = self._event if entry.origin == "host" else self._action
        return cast("Action[Any] | TableEvent", decoder.decode(entry.action))

    def action(self, raw: msgspec.Raw | bytes) -> Action[Any]:
        """An action from its canonical JSON."""
        return cast("Action[Any]", self._action.decode(raw))

    def clock(self, text: str) -> TimeControl | None:
        """The time control of a record. Raises msgspec.ValidationError."""
        return msgspec.json.decode(text, type=TimeControl) if text else None

    def options(self, raw: msgspec.Raw | str) -> Any:
        """The options of a header."""
        return self._options.decode(raw)


def one_of(kinds: Sequence[type]) -> Any:
    """The union of some types, for a decoder."""
    return Union[tuple(kinds)]  # noqa: UP007  # made at run time
