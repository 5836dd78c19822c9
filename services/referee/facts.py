"""The facts that a match gives off, as events for the bus. Nothing secret is in any of them."""

from __future__ import annotations

from collections.abc import Iterable

from services.gamekit.game import Seat
from services.referee.events import TableEvent
from services.referee.folder import Live
from services.referee.messages import decision_message, match_message, seat_message, timestamp
from services.referee.table import Table, newly_asked
from services.referee.turn import Step
from services.runtime.telemetry import current_traceparent
from vallum.events.v1 import events_pb2 as ev


class Facts:
    """The events of one append, numbered under the version that brings them."""

    def __init__(self, live: Live, version: int, time_ms: int, cause: str) -> None:
        self.live = live
        self._version = version
        self._time_ms = time_ms
        self._cause = cause
        self.events: list[ev.Event] = []

    def add(self, **fact: object) -> None:
        """One more fact, named as in the envelope."""
        self.events.append(
            ev.Event(
                id=f"{self.live.id}/{self._version}/{len(self.events)}",
                subject=self.live.head.header.name,
                version=self._version,
                occurred_at=timestamp(self._time_ms),
                cause=self._cause,
                traceparent=current_traceparent(),
                tenant=self.live.head.tenant,
                **fact,  # type: ignore[arg-type]  # one field of the oneof, named by the caller
            )
        )

    def created(self, table: Table) -> None:
        """The match was created."""
        match = match_message(self.live, table, self._version, self._time_ms, "")
        self.add(match_created=ev.MatchCreated(match=match))

    def turns(self, before: Table, after: Table, mover: Seat | None) -> None:
        """Every new question, but for the one that the mover has brought upon himself."""
        game = self.live.head.header.game
        for decision in newly_asked(before, after):
            automatic = after.automatic(decision.seat)
            if decision.seat == mover and not automatic:
                continue
            player = "" if automatic else after.chairs[decision.seat].player
            self.add(
                turn_opened=ev.TurnOpened(
                    game=game,
                    decision=decision_message(after, decision),
                    automatic=automatic,
                    player=player,
                )
            )

    def seats(self, steps: Iterable[Step]) -> None:
        """Every change of who plays a seat."""
        for step in steps:
            if isinstance(step.move, TableEvent):
                self.add(
                    seat_changed=ev.SeatChanged(
                        game=self.live.head.header.game,
                        seat=seat_message(step.table, step.seat),
                        reason=step.move.kind,
                    )
                )

    def kept(self, table: Table, seat: Seat) -> None:
        """A player who was found for a seat could not have it."""
        changed = ev.SeatChanged(
            game=self.live.head.header.game, seat=seat_message(table, seat), reason="kept"
        )
        self.add(seat_changed=changed)
        self.events[-1].id = f"{self._cause}/kept"

    def finished(self, table: Table) -> None:
        """The result, once there is one."""
        if not table.open:
            match = match_message(self.live, table, self._version, self._time_ms, "")
            self.add(match_finished=ev.MatchFinished(game=match.game, match=match))


def facts_of(live: Live, steps: list[Step], version: int, time_ms: int, cause: str) -> list[bytes]:
    """What `steps`, the last of which is entry `version`, are to the world outside."""
    facts = Facts(live, version, time_ms, cause)
    after = steps[-1].table
    facts.seats(steps)
    facts.turns(live.table, after, steps[0].seat)
    facts.finished(after)
    return [event.SerializeToString() for event in facts.events]
