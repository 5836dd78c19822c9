"""A match in memory: folding its log, freezing and thawing it. Pure but for the lock."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any, NamedTuple, Self

import msgspec

from services.gamekit.game import Record, Seat
from services.gamekit.hosted import Hosted
from services.referee.clocks import Clocks, TimeControl
from services.referee.log import Keys
from services.referee.record import Header, LogEntry, Script, canonical, linked, root
from services.referee.table import Chair, Table, laid, moved
from services.referee.turn import Step
from services.runtime.errors import Refused

RECENT = 16
"""Entries that a replica keeps in memory for watchers."""


class Head(Record, frozen=True):
    """What never changes of a match. `seed` is secret until the match has ended."""

    header: Header
    tenant: str
    mode: str
    seed: str
    body: str
    """The hash of the request that created it."""


class Snapshot(Record, frozen=True):
    """A table at a version, with the game's state encoded apart."""

    version: int
    hash: bytes
    time_ms: int
    state: bytes
    chairs: tuple[Chair, ...]
    asked: tuple[int, ...]
    left: tuple[Seat, ...]
    clocks: Clocks | None


class Frame(NamedTuple):
    """An entry of the log with the table after it; `sent` keeps it as viewers have got it."""

    entry: LogEntry
    move: Any
    table: Table
    sent: dict[tuple[Seat | None, bool], bytes]


class Folder:
    """Encodes, decodes and folds the tables of one game."""

    def __init__(self, hosted: Hosted) -> None:
        self.game = hosted.game
        self.script = Script(hosted.game)
        self._encode = msgspec.msgpack.Encoder().encode
        self._state = msgspec.msgpack.Decoder(hosted.game.State)
        self._snapshot = msgspec.msgpack.Decoder(Snapshot)

    def first(self, head: Head) -> Table:
        """The table before the first entry. Raises Refused `other_rules_version`."""
        header = head.header
        if header.rules_version != self.game.meta.rules_version:
            raise Refused("other_rules_version", played_under=header.rules_version)
        options = self.script.options(header.options)
        chairs = tuple(Chair(player=one.player, bot=one.bot) for one in header.seats)
        state = self.game.setup(len(chairs), options)
        return laid(self.game, state, chairs, header.clock, header.create_time_ms)

    def frame(self, table: Table, entry: LogEntry) -> Frame:
        """One entry folded over the table before it."""
        move = self.script.read(entry)
        after = moved(self.game, table, entry.seat, move, entry.time_ms)
        return Frame(entry, move, after, {})

    def encode_state(self, state: Any) -> bytes:
        """A position, byte-identical on every replica."""
        return self._encode(state)

    def freeze(self, table: Table, version: int, chain: bytes, time_ms: int) -> bytes:
        """A snapshot."""
        shot = Snapshot(
            version=version,
            hash=chain,
            time_ms=time_ms,
            state=self._encode(table.state),
            chairs=table.chairs,
            asked=table.asked,
            left=table.left,
            clocks=table.clocks,
        )
        return self._encode(shot)

    def thaw(self, data: bytes, control: TimeControl | None) -> tuple[int, bytes, int, Table]:
        """(version, chain hash, time, table) of a snapshot."""
        shot = self._snapshot.decode(data)
        state = self._state.decode(shot.state)
        table = Table(
            state=state,
            chairs=shot.chairs,
            open=self.game.decisions(state),
            asked=shot.asked,
            left=shot.left,
            control=control,
            clocks=shot.clocks,
        )
        return shot.version, shot.hash, shot.time_ms, table


class Live:
    """A match in memory, as of `version`."""

    def __init__(self, match_id: str, head: Head, folder: Folder, keys: Keys) -> None:
        self.id = match_id
        self.head = head
        self.folder = folder
        self.keys = keys
        self.seed = bytes.fromhex(head.seed)
        self.lock = asyncio.Lock()
        self.watchers: set[asyncio.Event] = set()
        self.lost = False
        """Set when acknowledged entries turned out to be gone: watchers must start anew."""
        self.begin(0, root(head.header), head.header.create_time_ms, folder.first(head))

    def begin(self, version: int, chain: bytes, time_ms: int, table: Table) -> None:
        """Take up a snapshot; `time_ms` is when its last entry was written."""
        self.version, self.hash, self.time_ms, self.table = version, chain, time_ms, table
        self.recent: deque[Frame] = deque(maxlen=RECENT)

    def step(self, frame: Frame, chain: bytes) -> None:
        """Go one entry on."""
        self.version, self.hash, self.table = frame.entry.version, chain, frame.table
        self.time_ms = frame.entry.time_ms
        self.recent.append(frame)

    def wake(self) -> None:
        """Tell the watchers that there may be something new."""
        for watcher in self.watchers:
            watcher.set()

    @property
    def game(self) -> Any:
        """The rules."""
        return self.folder.game

    def since(self, version: int) -> list[Frame] | None:
        """The entries after `version`, if memory still has them all."""
        if version >= self.version:
            return []
        if self.recent and self.recent[0].entry.version <= version + 1:
            return [frame for frame in self.recent if frame.entry.version > version]
        return None


class Written(NamedTuple):
    """What steps become in the log."""

    entries: list[tuple[bytes, bytes]]
    frames: list[Frame]
    hash: bytes

    @classmethod
    def of(cls, live: Live, steps: list[Step], request_id: str, time_ms: int) -> Self:
        """The entries of some steps after the match's last one."""
        entries, frames, chain = [], [], live.hash
        for version, step in enumerate(steps, live.version + 1):
            request = request_id if step.requested else ""
            entry = live.folder.script.write(
                version, step.seat, step.move, step.draws, request, time_ms
            )
            text = canonical(entry)
            chain = linked(chain, version, text, live.seed)
            entries.append((text, chain))
            frames.append(Frame(entry, step.move, step.table, {}))
        return cls(entries, frames, chain)
