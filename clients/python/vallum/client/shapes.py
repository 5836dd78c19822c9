"""What a game's answers have in common, whatever the game, for type checkers and readers.

The messages themselves are generated from the contract: `vallum.<game>.v1.rules_pb2`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from vallum.match.v1 import match_pb2 as pb


class ViewReply(Protocol):
    """The position as the caller's seat sees it; without the field `seat` as a spectator does."""

    version: int
    seat: int
    view: Any
    decisions: Sequence[pb.Decision]
    sheets: Sequence[pb.ScoreSheet]


class ActionsReply(Protocol):
    """Every legal action, and the question they answer (`decision_id` 0: none)."""

    version: int
    decision: pb.Decision
    actions: Sequence[Any]


class PlayReply(Protocol):
    """What became of a sequence: the versions it wrote, and the questions open now."""

    first_version: int
    version: int
    decisions: Sequence[pb.Decision]
    finished: bool


class PreviewReply(Protocol):
    """Each step that was accepted, and the code of what stopped it, or ""."""

    version: int
    steps: Sequence[Any]
    refused: str


class PositionReply(Protocol):
    """What a worker may know of a match."""

    version: int
    decision: pb.Decision
    position: bytes
    rules_version: str
    policy: str
    draws: Sequence[pb.Draw]


class Update(Protocol):
    """One entry of a match's log as the watcher may see it."""

    version: int
    seat: int
    action: Any
    event: str
    decisions: Sequence[pb.Decision]
    view: Any


class End(Protocol):
    """The last message of a match's stream."""

    version: int
    result: pb.Result
