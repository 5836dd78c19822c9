"""Tickets and policies as the contract's messages."""

from __future__ import annotations

import msgspec

from services.matchmaking.asked import RANKED
from services.matchmaking.games import union
from services.matchmaking.policy import Policy, bots_may_fill, overdue, sentence, tolerance
from services.matchmaking.tickets import MATCHED, OFFERED, WAITING, Ticket
from services.matchmaking.times import moment
from services.runtime.errors import InvalidRequest
from vallum.match.v1 import match_pb2 as pb
from vallum.matchmaking.v1 import matchmaking_pb2 as mm


def ticket_message(ticket: Ticket, policy: Policy, now_ms: int) -> mm.Ticket:
    """A ticket as it is now."""
    asked = ticket.asked
    message = mm.Ticket(
        name=f"tickets/{ticket.id}",
        game=asked.queue.game,
        options_json=asked.queue.options_json,
        mode=asked.queue.mode_message(),
        clock=asked.queue.clock_message(),
        min_seats=min(asked.seats),
        max_seats=max(asked.seats),
        party=members(ticket),
        attributes=dict(asked.attributes),
        state=mm.TicketState.Value(f"TICKET_STATE_{ticket.state.upper()}"),
        reason=ticket.reason,
        create_time=moment(ticket.created),
        expire_time=moment(ticket.expires),
        queue=asked.queue.id,
        policy=policy_name(asked.queue.game, asked.queue.mode),
        backfill=asked.backfill,
        version=ticket.version,
    )
    if ticket.state == WAITING:
        message.search.CopyFrom(search_message(ticket, policy, now_ms))
    if ticket.state == OFFERED and ticket.offer:
        message.offer.CopyFrom(
            mm.Offer(
                deadline=moment(ticket.offer.deadline),
                people=ticket.offer.people,
                accepted=len(ticket.offer.accepted),
            )
        )
    if ticket.state == MATCHED:
        message.match = f"matches/{ticket.match}"
    return message


def members(ticket: Ticket) -> list[mm.Member]:
    """The party."""
    accepted = ticket.offer.accepted if ticket.offer else frozenset()
    return [
        mm.Member(
            player=one.player,
            mu=one.mu,
            sigma=one.sigma,
            joined=one.player not in ticket.awaited,
            accepted=one.player in accepted or ticket.state == MATCHED,
        )
        for one in ticket.asked.party
    ]


def search_message(ticket: Ticket, policy: Policy, now_ms: int) -> mm.Search:
    """What a ticket looks for at a time."""
    seats = union(ticket.asked.seats, policy.seats)
    waited = max(0.0, (now_ms - ticket.since) / 1000)
    search = mm.Search(
        text=sentence(policy, seats, waited) if seats else "the queue has no such table now",
        tolerance=policy.cap if overdue(policy, waited) else tolerance(policy, waited),
        seats=seats,
        bots=bots_may_fill(policy, waited),
    )
    search.waited.FromMilliseconds(int(waited * 1000))
    return search


def policy_message(policy: Policy) -> mm.Policy:
    """A policy."""
    values = msgspec.structs.asdict(policy)
    return mm.Policy(**{name: value for name, value in values.items() if value is not None})


def policy_of(message: mm.Policy) -> Policy:
    """A policy as it was stated. Raises InvalidRequest `bad_policy`."""
    values = {field.name: getattr(message, field.name) for field in mm.Policy.DESCRIPTOR.fields}
    values["seats"] = tuple(sorted(message.seats))
    if not message.HasField("bots_after_s"):
        values["bots_after_s"] = None
    try:
        return Policy(**values)
    except ValueError as error:
        raise InvalidRequest("bad_policy", fields=[("policy", str(error))]) from None


def policy_name(game: str, mode: str) -> str:
    """ "games/{game}/policies/{mode}"."""
    return f"games/{game}/policies/{mode}"


def policy_key(name: str) -> tuple[str, str]:
    """(game, mode) of a policy's name."""
    _, game, _, mode = name.split("/")
    return game, mode


def mode_name(mode: pb.Mode.ValueType) -> str:
    """ "ranked" or "casual"."""
    return RANKED if mode == pb.MODE_RANKED else "casual"
