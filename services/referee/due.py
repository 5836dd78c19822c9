"""What a match waits for: the deadlines that each append sets and clears."""

from __future__ import annotations

from typing import Any, NamedTuple

from services.gamekit.game import Decision, Game, Seat
from services.referee.table import Table

TURN_LEASE_MS = 5_000
"""An automatic turn that nobody took by then is announced again."""

STANDING_DELAY_MS = 2_000
"""A standing answer is given this long after its window opened, whoever holds one."""


class Due(NamedTuple):
    """A deadline: `kind` is "turn", "standing" or "clock"."""

    kind: str
    match_id: str
    seat: Seat
    decision_id: int

    def member(self) -> str:
        """As the sorted set holds it."""
        return f"{self.kind}|{self.match_id}|{self.seat}|{self.decision_id}"

    @classmethod
    def read(cls, member: str) -> Due:
        """The inverse of `member`."""
        kind, match_id, seat, decision_id = member.split("|")
        return cls(kind, match_id, Seat(int(seat)), int(decision_id))


def deadlines(
    game: Game[Any], match_id: str, before: Table, after: Table, now_ms: int
) -> tuple[list[tuple[str, int]], list[str]]:
    """The deadlines that a step from `before` to `after` sets and those that it clears."""
    old = waits(game, match_id, before)
    new = waits(game, match_id, after)
    due = [
        (member, wait.at or now_ms + wait.delay)
        for member, wait in new.items()
        if old.get(member) != wait
    ]
    return due, [member for member in old if member not in new]


class Wait(NamedTuple):
    """When a deadline is: at a time, or some milliseconds after its question was put."""

    at: int = 0
    delay: int = 0


LEASE = Wait(delay=TURN_LEASE_MS)
STANDING = Wait(delay=STANDING_DELAY_MS)


def waits(game: Game[Any], match_id: str, table: Table) -> dict[str, Wait]:
    """What a table waits for."""
    found: dict[str, Wait] = {}
    for decision in table.open:
        if table.automatic(decision.seat):
            found[due_of("turn", match_id, table, decision)] = LEASE
            continue
        if decision.prompt in game.meta.windows:
            found[due_of("standing", match_id, table, decision)] = STANDING
        if until := table.deadline(decision.seat):
            found[due_of("clock", match_id, table, decision)] = Wait(at=until)
    return found


def due_of(kind: str, match_id: str, table: Table, decision: Decision) -> str:
    """The member of one deadline."""
    return Due(kind, match_id, decision.seat, table.decision_id(decision.seat)).member()
