"""Tables, scores and records as the contract's messages."""

from __future__ import annotations

from collections.abc import Iterable

from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

from services.gamekit.chance import Draw
from services.gamekit.game import Decision, Result, ScoreSheet, Seat
from services.referee.clocks import Expiry, TimeControl
from services.referee.folder import Live
from services.referee.record import FORMAT, canonical
from services.referee.store import Linked
from services.referee.table import Table, result_of
from services.runtime.errors import InvalidRequest
from vallum.match.v1 import match_pb2 as pb


def timestamp(milliseconds: int) -> Timestamp:
    """Milliseconds since 1970 as a Timestamp."""
    return Timestamp(seconds=milliseconds // 1000, nanos=milliseconds % 1000 * 1_000_000)


def clock_message(control: TimeControl) -> pb.Clock:
    """A time control."""
    clock = pb.Clock(expiry=pb.Expiry.Value(f"EXPIRY_{control.expiry.upper()}"))
    if control.per_question_ms:
        clock.per_decision.FromMilliseconds(control.per_question_ms)
    else:
        clock.bank.start.FromMilliseconds(control.bank_ms)
        clock.bank.increment.FromMilliseconds(control.increment_ms)
    return clock


def control_of(clock: pb.Clock, mode: int) -> TimeControl:
    """The time control that a caller asks for. Who says nothing of its expiry gets a substitute
    in a casual match and forfeits in a ranked one. Raises InvalidRequest."""
    ranked = mode == pb.MODE_RANKED
    forfeit = clock.expiry == pb.EXPIRY_FORFEIT or (ranked and not clock.expiry)
    expiry: Expiry = "forfeit" if forfeit else "substitute"
    if clock.HasField("per_decision"):
        return TimeControl(expiry, per_question_ms=span(clock.per_decision, "per_decision"))
    bank = clock.bank
    return TimeControl(
        expiry, span(bank.start, "bank.start"), span(bank.increment, "bank.increment")
    )


def span(duration: Duration, field: str) -> int:
    """Milliseconds of a field of the clock. Raises InvalidRequest for what is no duration: its
    nanoseconds out of range, or of the other sign."""
    try:
        duration.ToJsonString()  # it alone looks
    except ValueError:
        raise InvalidRequest(fields=[(f"clock.{field}", "no valid duration")]) from None
    return duration.ToMilliseconds()


def decision_message(table: Table, decision: Decision) -> pb.Decision:
    """One open question with its number."""
    return pb.Decision(
        seat=decision.seat,
        prompt=decision.prompt,
        decision_id=table.decision_id(decision.seat),
        about=decision.about,
        deadline=timestamp(until) if (until := table.deadline(decision.seat)) else None,
    )


def decision_messages(table: Table) -> list[pb.Decision]:
    """Every open question."""
    return [decision_message(table, one) for one in table.open]


def seat_message(table: Table, seat: Seat) -> pb.Seat:
    """A seat as it is now."""
    chair = table.chairs[seat]
    return pb.Seat(index=seat, player=chair.player, bot=chair.bot, retired=chair.retired)


def sheet_messages(sheets: Iterable[ScoreSheet]) -> list[pb.ScoreSheet]:
    """Score sheets, line by line."""
    return [
        pb.ScoreSheet(
            seat=sheet.seat,
            total=sheet.total,
            lines=[
                pb.ScoreLine(key=line.key, points=line.points, detail=line.detail)
                for line in sheet.lines
            ],
        )
        for sheet in sheets
    ]


def result_message(result: Result, sheets: Iterable[ScoreSheet]) -> pb.Result:
    """The end of a match."""
    return pb.Result(
        outcome=result.outcome,
        sheets=sheet_messages(sheets),
        places=[
            pb.Place(seat=one.seat, place=one.place, score=one.score, decided_by=one.decided_by)
            for one in result.places
        ],
    )


def final(live: Live, table: Table) -> pb.Result | None:
    """The result of a finished match."""
    result = result_of(live.game, table)
    return result_message(result, live.game.score(table.state)) if result else None


def match_message(
    live: Live, table: Table, version: int, update_time_ms: int, epoch: str
) -> pb.Match:
    """A match at a version."""
    head = live.head
    result = final(live, table)
    return pb.Match(
        name=head.header.name,
        game=head.header.game,
        rules_version=head.header.rules_version,
        state=pb.MATCH_STATE_FINISHED if result else pb.MATCH_STATE_ACTIVE,
        mode=pb.Mode.Value(head.mode),
        seats=[seat_message(table, Seat(index)) for index in range(len(table.chairs))],
        clock=clock_message(head.header.clock) if head.header.clock else None,
        version=version,
        seed_commitment=head.header.seed_commitment,
        create_time=timestamp(head.header.create_time_ms),
        update_time=timestamp(update_time_ms),
        decisions=decision_messages(table),
        result=result,
        epoch=epoch,
    )


def draw_message(draw: Draw) -> pb.Draw:
    """One keyed draw."""
    return pb.Draw(label=draw.label, digest=draw.digest, result=str(draw.result))


def record_message(live: Live, log: Iterable[Linked]) -> pb.Record:
    """A finished match, whole, its seed included."""
    header = live.head.header
    return pb.Record(
        format=FORMAT,
        name=header.name,
        game=header.game,
        rules_version=header.rules_version,
        seats=[
            pb.Occupant(player=one.player) if one.player else pb.Occupant(bot=one.bot)
            for one in header.seats
        ],
        options_json=bytes(header.options).decode(),
        clock_json=canonical(header.clock).decode() if header.clock else "",
        seed_commitment=header.seed_commitment,
        seed=live.head.seed,
        create_time_ms=str(header.create_time_ms),
        result=final(live, live.table),
        entries=[
            pb.RecordEntry(
                version=one.entry.version,
                origin=one.entry.origin,
                seat=one.entry.seat,
                action_json=bytes(one.entry.action).decode(),
                request_id=one.entry.request_id,
                time_ms=str(one.entry.time_ms),
                draws=[draw_message(draw) for draw in one.entry.draws],
                hash=one.hash.hex(),
            )
            for one in log
        ],
    )
