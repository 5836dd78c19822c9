"""A request to enter a queue becomes a ticket: checked, rated, named."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from typing import Any, NamedTuple

from services.gamekit.game import Refusal
from services.matchmaking.asked import Asked, Queue
from services.matchmaking.forming import opponents
from services.matchmaking.games import Games, union
from services.matchmaking.model import Entrant
from services.matchmaking.policies import Policies
from services.matchmaking.ratings import Ratings
from services.matchmaking.storage import Corner
from services.matchmaking.tickets import New, Request
from services.runtime.auth import Caller, Role
from services.runtime.errors import InvalidRequest, VallumError
from vallum.matchmaking.v1 import matchmaking_pb2 as mm

LIFETIME_MS = 24 * 3600 * 1000
NEWCOMER = Entrant("")


Refused = VallumError | Refusal


class Draft(NamedTuple):
    """A request that can be met."""

    request: mm.CreateTicketRequest
    queue: Queue
    party: Sequence[mm.Entry]
    sizes: tuple[int, ...]

    def players(self) -> list[str]:
        """Their ids."""
        return [one.player for one in self.party]


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
        (found,) = await self.new_all(corner, who, [request], now)
        if isinstance(found, Exception):
            raise found
        return found

    async def new_all(
        self, corner: Corner, who: Caller, requests: Sequence[mm.CreateTicketRequest], now: int
    ) -> list[New | Refused]:
        """The tickets that several requests ask for, or why there is none: what is asked of others
        for them is asked together."""
        drafts = [await self._draft(who, one) for one in requests]
        good = [one for one in drafts if isinstance(one, Draft)]
        met = await opponents(corner, [(one.queue.game, one.players()) for one in good])
        strengths = await asyncio.gather(*(self._strengths(who, one) for one in good))
        made = iter(
            [
                _new(who, draft, party, avoid, now)
                for draft, party, avoid in zip(good, strengths, met, strict=True)
            ]
        )
        return [next(made) if isinstance(one, Draft) else one for one in drafts]

    async def _draft(self, who: Caller, request: mm.CreateTicketRequest) -> Draft | Refused:
        """What can be said of a request by itself."""
        try:
            queue = self._games.queue(request)
            party = self._party(who, request)
            sizes = self._games.sizes(queue, request.min_seats, request.max_seats)
            stated = await self._policies.of(who.tenant, queue.game, queue.mode)
            if not any(len(party) <= seats for seats in union(sizes, stated.policy.seats)):
                text = f"the queue has tables of {', '.join(map(str, stated.policy.seats))}"
                raise InvalidRequest("bad_seats", fields=[("max_seats", text)])
            if request.backfill and (queue.ranked or len(party) > 1):
                raise InvalidRequest(
                    "backfill_casual_alone", fields=[("backfill", "casual, alone")]
                )
        except (VallumError, Refusal) as refusal:
            return refusal
        return Draft(request, queue, party, sizes)

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

    async def _strengths(self, who: Caller, draft: Draft) -> tuple[Entrant, ...]:
        unknown = [one.player for one in draft.party if not one.HasField("mu")]
        asked = await self._ratings.of(who.tenant, draft.queue, max(draft.sizes), unknown)
        known = {one.player: one for one in asked}
        return tuple(known.get(one.player) or _stated(one) for one in draft.party)


def _stated(entry: mm.Entry) -> Entrant:
    """A player's strength as his tenant states it."""
    sigma = entry.sigma if entry.HasField("sigma") else NEWCOMER.sigma
    return Entrant(entry.player, entry.mu, sigma)


def _new(
    who: Caller, draft: Draft, party: tuple[Entrant, ...], avoid: tuple[str, ...], now: int
) -> New:
    request, players = draft.request, draft.players()
    lifetime = request.lifetime.ToMilliseconds() if request.HasField("lifetime") else 0
    return New(
        id=ticket_id(who, request.request_id),
        body=body_hash(request),
        asked=Asked(
            queue=draft.queue,
            party=party,
            seats=draft.sizes,
            attributes=tuple(sorted(request.attributes.items())),
            avoid=avoid,
            backfill=request.backfill,
        ),
        awaited=tuple(one for one in players if who.role == Role.PLAYER and one != who.subject),
        now=now,
        expires=now + (lifetime or LIFETIME_MS),
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
