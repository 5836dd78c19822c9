"""Checking a match's record: its seed, draws, moves, chain of hashes, scores (docs/fairness.md).

Everything is computed anew from the header and the moves; what is written beside them must agree.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import zip_longest
from typing import Any, NamedTuple

import msgspec

from services.gamekit.chance import Chance, Draw, commitment
from services.gamekit.game import NATURE, Refusal, Seat
from services.gamekit.hosted import Hosted
from services.gamekit.play import check_options, nature_due
from services.referee.events import Outage, TableEvent
from services.referee.messages import draw_message, result_message
from services.referee.record import (
    FORMAT,
    Header,
    LogEntry,
    Occupant,
    Script,
    canonical,
    linked,
    root,
)
from services.referee.table import Chair, Table, laid, moved, result_of
from vallum.client import record_from_json
from vallum.match.v1 import match_pb2 as pb


class Wrong(Exception):
    """What is wrong with a record. `entry` is the first wrong entry's version, 0 for what stands
    before the entries, None for what stands after them; `code` is stable."""

    def __init__(self, entry: int | None, code: str, text: str) -> None:
        super().__init__(text)
        self.entry = entry
        self.code = code

    @property
    def where(self) -> str:
        """The place, in words."""
        match self.entry:
            case None:
                return "the result"
            case 0:
                return "the header"
            case number:
                return f"entry {number}"


class Verified(NamedTuple):
    """What a good record is of."""

    name: str
    game: str
    entries: int


def verify(text: bytes, games: Mapping[str, Hosted]) -> Verified:
    """Check a record's JSON. Raises Wrong at the first thing that does not hold."""
    record = read(text)
    hosted = games.get(record.game)
    if hosted is None:
        raise Wrong(0, "unknown_game", f"{record.game!r} is not hosted here")
    Replay(hosted, record).run()
    return Verified(record.name, record.game, len(record.entries))


def read(text: bytes) -> pb.Record:
    """The record in a file. Raises Wrong, which names the entry that cannot be read."""
    try:
        return record_from_json(text.decode())
    except UnicodeDecodeError as error:
        raise Wrong(entry_at(text, error.start), "not_a_record", str(error)) from None
    except ValueError as error:
        raise Wrong(entry_of(text, str(error)), "not_a_record", str(error)) from None


def entry_of(text: bytes, complaint: str) -> int:
    """The entry that a JSON reader complains of."""
    if path := re.search(r"\bentries\[(\d+)\]", complaint):
        return int(path[1]) + 1
    place = re.search(r"\(char (\d+)\)", complaint)
    return entry_at(text, len(text.decode()[: int(place[1])].encode())) if place else 0


def entry_at(text: bytes, position: int) -> int:
    """The entry that a position in the file lies in, as far as the text before it tells."""
    return text[:position].count(b'"version"')


class Replay:
    """One record, played again."""

    def __init__(self, hosted: Hosted, record: pb.Record) -> None:
        self.game = hosted.game
        self.script = Script(hosted.game)
        self.record = record
        self.seed = self._seed()
        self.table, self.hash = self._start()

    def run(self) -> None:
        """Raises Wrong."""
        for version, entry in enumerate(self.record.entries, 1):
            try:
                self._step(version, entry)
            except Refusal as refusal:
                raise Wrong(version, "illegal", f"the rules refuse it: {refusal}") from None
            except Wrong:
                raise
            except Exception as error:  # a forged entry may break anything  # noqa: BLE001
                raise Wrong(version, "unreadable", f"{type(error).__name__}: {error}") from None
        self._end()

    def _seed(self) -> bytes:
        meta, record = self.game.meta, self.record
        if record.format != FORMAT:
            raise Wrong(0, "other_format", f"format {record.format}, not {FORMAT}")
        if record.rules_version != meta.rules_version:
            text = f"played under rules {record.rules_version!r}, here are {meta.rules_version!r}"
            raise Wrong(0, "other_rules_version", text)
        if not re.fullmatch(r"(?:[0-9a-f]{2})+", record.seed):
            raise Wrong(0, "bad_seed", "the seed is not hexadecimal")
        seed = bytes.fromhex(record.seed)
        if commitment(seed) != record.seed_commitment:
            raise Wrong(0, "bad_seed", "the seed is not the one that was committed to")
        return seed

    def _start(self) -> tuple[Table, bytes]:
        record = self.record
        seats = tuple(Occupant(player=one.player, bot=one.bot) for one in record.seats)
        try:
            options = self.script.options(record.options_json)
            check_options(self.game, len(seats), options)
            created = integer(record.create_time_ms)
            clock = self.script.clock(record.clock_json)
            if clock and canonical(clock).decode() != record.clock_json:
                raise ValueError("the clock is not in canonical form")
        except (msgspec.MsgspecError, Refusal, ValueError) as error:
            raise Wrong(0, "bad_header", str(error)) from None
        header = Header(
            format=record.format,
            name=record.name,
            game=record.game,
            rules_version=record.rules_version,
            seats=seats,
            options=msgspec.Raw(record.options_json.encode()),
            seed_commitment=record.seed_commitment,
            create_time_ms=created,
            clock=clock,
        )
        chairs = tuple(Chair(player=one.player, bot=one.bot) for one in seats)
        state = self.game.setup(len(seats), options)
        return laid(self.game, state, chairs, clock, created), root(header)

    def _step(self, version: int, entry: pb.RecordEntry) -> None:
        if entry.version != version:
            raise Wrong(version, "out_of_order", f"it is numbered {entry.version}")
        if not NATURE <= entry.seat < len(self.table.chairs):
            raise Wrong(version, "no_such_seat", f"there is no seat {entry.seat}")
        logged = LogEntry(
            version=version,
            origin=entry.origin,
            seat=Seat(entry.seat),
            action=msgspec.Raw(entry.action_json.encode()),
            request_id=entry.request_id,
            time_ms=integer(entry.time_ms),
        )
        move = self.script.read(logged)
        draws = self._drawn(version, logged, move)
        told = [draw_message(draw) for draw in draws]
        if list(entry.draws) != told:
            raise Wrong(version, "wrong_draw", differing(entry.draws, told))
        self.table = moved(self.game, self.table, logged.seat, move, logged.time_ms)
        text = canonical(msgspec.structs.replace(logged, draws=draws))
        self.hash = linked(self.hash, version, text, self.seed)
        if self.hash.hex() != entry.hash:
            culprit = "it (or the header)" if version == 1 else "it"
            raise Wrong(version, "wrong_hash", f"{culprit} is not what the chain was made of")

    def _drawn(self, version: int, entry: LogEntry, move: Any) -> tuple[Draw, ...]:
        """What chance gave for a move. Raises Wrong where another one was due."""
        if isinstance(move, TableEvent):
            if move.seat != entry.seat or (entry.seat < 0) != isinstance(move, Outage):
                raise Wrong(version, "no_such_seat", "an event of a seat must be its own")
            return ()
        due = nature_due(self.game, self.table.state, deferred=entry.seat == NATURE)
        if due is None:
            return ()
        if type(move) is not due or entry.seat != NATURE:
            raise Wrong(version, "nature_is_due", f"{due.__name__} must come first")
        chance = Chance(self.seed)
        if due.resolve(self.table.state, chance) != move:
            raise Wrong(version, "wrong_draw", "the seed gives something else")
        return chance.taken()

    def _end(self) -> None:
        result = result_of(self.game, self.table)
        if result is None:
            after = len(self.record.entries) + 1
            raise Wrong(after, "unfinished", "it is missing: the match has not ended")
        final = result_message(result, self.game.score(self.table.state))
        if final != self.record.result:
            raise Wrong(None, "wrong_result", "the moves lead to other places or scores")


def integer(text: str) -> int:
    """A number in the one form that a record has. Raises ValueError."""
    if not re.fullmatch(r"0|-?[1-9][0-9]*", text):
        raise ValueError(f"not a number: {text!r}")
    return int(text)


def differing(found: Iterable[pb.Draw], due: Iterable[pb.Draw]) -> str:
    """Which draw is not as it must be."""
    for number, (one, other) in enumerate(zip_longest(found, due)):
        if one != other:
            return f"draw {number} ({(other or one).label}) is not what the seed gives"
    raise AssertionError("they are the same")
