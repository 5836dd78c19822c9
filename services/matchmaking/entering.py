"""A request to enter a queue becomes a ticket: checked, rated, named."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from services.matchmaking.asked import Asked, Queue
from services.matchmaking.forming import opponents
from services.matchmaking.games import Games, union
from services.matchmaking.model import Entrant
from services.matchmaking.policies import Policies
from services.matchmaking.ratings import Ratings
from services.matchmaking.storage import Corner
from services.matchmaking.tickets import New, Request
from services.runtime.auth import Caller, Role
from services.runtime.errors import InvalidRequest
from vallum.matchmaking.v1 import matchmaking_pb2 as mm

LIFETIME_MS = 24 * 3600 * 1000
NEWCOMER = Entrant("")


class Entering:
    """What it takes to make a ticket."""

    def __init__(self, games: Games, policies: Policies, ratings: Ratings) -> None:
        self._games = games
        self._policies = policies
        self._ratings = ratings

    async def new(
        self, corner: Corner, who: Caller, request: mm.CreateTicketRequest, now: int
    ) -> New:
        """The ticket that a request asks for. Raises InvalidRequest `unknown_game`, `bad_options`,
        `bad_seats`, `bad_party`, `no_player`, `rating_by_tenant_only`, `backfill_casual_alone`."""
        queue = self._games.queue(request)
        party = self._party(who, request)
        sizes = self._games.sizes(queue, request.min_seats, request.max_seats)
        stated = await self._policies.of(who.tenant, queue.game, queue.mode)
        if not any(len(party) <= seats for seats in union(sizes, stated.policy.seats)):
            text = f"the queue has tables of {', '.join(map(str, stated.policy.seats))}"
            raise InvalidRequest("bad_seats", fields=[("max_seats", text)])
        if request.backfill and (queue.ranked or len(party) > 1):
            raise InvalidRequest("backfill_casual_alone", fields=[("backfill", "casual, alone")])
        players = [one.player for one in party]
        lifetime = request.lifetime.ToMilliseconds() if request.HasField("lifetime") else 0
        return New(
            id=ticket_id(who, request.request_id),
            body=body_hash(request),
            asked=Asked(
                queue=queue,
                party=await self._strengths(who, queue, max(sizes), party),
                seats=sizes,
                attributes=tuple(sorted(request.attributes.items())),
                avoid=await opponents(corner, queue.game, players),
                backfill=request.backfill,
            ),
            awaited=tuple(one for one in players if who.role == Role.PLAYER and one != who.subject),
            now=now,
            expires=now + (lifetime or LIFETIME_MS),
        )

    def _party(self, who: Caller, request: mm.CreateTicketRequest) -> Sequence[mm.Entry]:
        party = list(request.party)
        if who.role == Role.PLAYER:
            if any(one.HasField("mu") or one.HasField("sigma") for one in party):
                text = "a player's rating is what scoring says"
                raise InvalidRequest("rating_by_tenant_only", fields=[("party", text)])
            party = party or [mm.Entry(player=who.subject)]
            if all(one.player != who.subject for one in party):
                raise InvalidRequest("bad_party", fields=[("party", "the caller is not in it")])
        if not party:
            raise InvalidRequest("no_player", fields=[("party", "name the players")])
        if len({one.player for one in party}) < len(party):
            raise InvalidRequest("bad_party", fields=[("party", "somebody is in it twice")])
        return party

    async def _strengths(
        self, who: Caller, queue: Queue, seats: int, party: Sequence[mm.Entry]
    ) -> tuple[Entrant, ...]:
        unknown = [one.player for one in party if not one.HasField("mu")]
        asked = await self._ratings.of(who.tenant, queue, seats, unknown)
        known = {one.player: one for one in asked}
        return tuple(
            known.get(one.player)
            or Entrant(one.player, one.mu, one.sigma if one.HasField("sigma") else NEWCOMER.sigma)
            for one in party
        )


def ticket_id(who: Caller, request_id: str) -> str:
    """A new ticket's id: the same for the same request of the same caller."""
    return digest("ticket", who, request_id)[:20]


def request_of(who: Caller, message: Any) -> Request:
    """A request's own id, in the caller's name, and the hash of what it asks."""
    method = message.DESCRIPTOR.name
    return Request(
        digest("request", who, message.request_id)[:24], f"{method}:{body_hash(message)}"
    )


def digest(kind: str, who: Caller, request_id: str) -> str:
    """Names what a caller asks for once."""
    text = "\0".join((kind, who.tenant, str(int(who.role)), who.subject, request_id))
    return hashlib.sha256(text.encode()).hexdigest()


def body_hash(message: Any) -> str:
    """What two requests under one id must agree in."""
    return hashlib.sha256(message.SerializeToString(deterministic=True)).hexdigest()[:16]
