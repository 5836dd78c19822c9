"""Finding others to play with: tickets that wait in a queue."""

from __future__ import annotations

import json
import uuid
from collections.abc import AsyncGenerator, Callable, Collection, Iterable, Mapping
from contextlib import aclosing
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import grpc

from vallum.client.errors import VallumCallError, call_error
from vallum.match.v1 import match_pb2 as pb
from vallum.matchmaking.v1 import matchmaking_pb2 as mm
from vallum.matchmaking.v1 import matchmaking_pb2_grpc as stubs

if TYPE_CHECKING:
    from vallum.client.client import Client
    from vallum.client.game import GameClient

TicketName = str | mm.Ticket
"""A ticket, or its name "tickets/…"."""

ENDED = frozenset((mm.TICKET_STATE_MATCHED, mm.TICKET_STATE_CANCELLED, mm.TICKET_STATE_EXPIRED))


class TicketEnded(Exception):
    """A ticket ended without a match; `ticket` says why."""

    def __init__(self, ticket: mm.Ticket) -> None:
        super().__init__(f"{ticket.name}: {ticket.reason}")
        self.ticket = ticket


class Matchmaking:
    """The tickets of whom a client speaks for: `Matchmaking(client)`.

    A ticket waits on while nobody is connected: remember its name, or find it by `tickets`.
    Every method raises VallumCallError. `request_id` is for one who wants to be able to repeat a
    call after a crash of his own.
    """

    def __init__(self, client: Client) -> None:
        self._client = client
        self._stub: Any = client.stub(stubs.MatchmakingServiceStub)

    async def enter(  # noqa: PLR0913 # all of it may be asked for
        self,
        game: str,
        *,
        options: Mapping[str, Any] | None = None,
        mode: pb.Mode.ValueType = pb.MODE_CASUAL,
        clock: pb.Clock | None = None,
        seats: Collection[int] = (),
        party: Iterable[str | mm.Entry] = (),
        attributes: Mapping[str, str] | None = None,
        lifetime: timedelta | None = None,
        backfill: bool = False,
        request_id: str | None = None,
    ) -> mm.Ticket:
        """Wait for a match of a game (its key), at a table of the least to the most of `seats`:
        (2,) is two, (3, 4) three or four, nothing any number that the game has.

        A party that a player names waits until everybody in it has joined.
        """
        request = mm.CreateTicketRequest(
            game=game,
            options_json=json.dumps(dict(options)) if options else "",
            mode=mode,
            clock=clock,
            min_seats=min(seats, default=0),
            max_seats=max(seats, default=0),
            party=[mm.Entry(player=one) if isinstance(one, str) else one for one in party],
            attributes=attributes,
            backfill=backfill,
            request_id=request_id or uuid.uuid4().hex,
        )
        if lifetime is not None:
            request.lifetime.FromTimedelta(lifetime)
        return ticket_of(await self._client.call(self._stub.CreateTicket, request))

    async def get(self, ticket: TicketName) -> mm.Ticket:
        """A ticket as it is now."""
        request = mm.GetTicketRequest(name=name_of(ticket))
        return ticket_of(await self._client.call(self._stub.GetTicket, request))

    async def tickets(self, player: str = "") -> list[mm.Ticket]:
        """The player's tickets, and those that he is asked to join, that have not ended."""
        request = mm.ListTicketsRequest(player=player)
        return list((await self._client.call(self._stub.ListTickets, request)).tickets)

    async def join(self, ticket: TicketName, *, request_id: str | None = None) -> mm.Ticket:
        """Join the party that names the caller."""
        return await self._change("JoinTicket", ticket, request_id)

    async def cancel(self, ticket: TicketName, *, request_id: str | None = None) -> mm.Ticket:
        """Wait no more."""
        return await self._change("CancelTicket", ticket, request_id)

    async def accept(self, ticket: TicketName, *, request_id: str | None = None) -> mm.Ticket:
        """Accept the match that is offered."""
        return await self._change("AcceptMatch", ticket, request_id)

    async def decline(self, ticket: TicketName, *, request_id: str | None = None) -> mm.Ticket:
        """Decline it, and wait no more."""
        return await self._change("DeclineMatch", ticket, request_id)

    def watch(self, ticket: TicketName) -> AsyncGenerator[mm.Ticket, None]:
        """The ticket after each change, and every ten seconds, until it has ended."""
        request = mm.WatchTicketRequest(name=name_of(ticket))

        def over(found: mm.Ticket) -> bool:
            return found.state in ENDED

        return states(self._client, self._stub.WatchTicket, request, "ticket", over)

    async def matched(self, ticket: TicketName, *, accept: bool = True) -> str:
        """Wait for the match, and accept what is offered; its name. Raises TicketEnded."""
        accepted = 0
        async with aclosing(self.watch(ticket)) as changes:
            async for found in changes:
                if found.state == mm.TICKET_STATE_MATCHED:
                    return found.match
                if found.state in ENDED:
                    raise TicketEnded(found)
                deadline = found.offer.deadline.ToMilliseconds()
                if found.state == mm.TICKET_STATE_OFFERED and accept and deadline != accepted:
                    accepted = deadline
                    await self._accept(found)
        raise AssertionError("a stream ends with its ticket")

    async def policy(self, game: str, mode: str = "casual") -> mm.Policy:
        """The rules of the queues of a game; `mode` is "casual" or "ranked"."""
        request = mm.GetPolicyRequest(name=f"games/{game}/policies/{mode}")
        found: mm.Policy = (await self._client.call(self._stub.GetPolicy, request)).policy
        return found

    async def _accept(self, ticket: mm.Ticket) -> None:
        try:
            await self.accept(ticket)
        except VallumCallError as error:
            if error.code not in ("nothing_offered", "offer_lapsed", "already_matched"):
                raise

    async def _change(self, method: str, ticket: TicketName, request_id: str | None) -> mm.Ticket:
        request = getattr(mm, f"{method}Request")(
            name=name_of(ticket), request_id=request_id or uuid.uuid4().hex
        )
        return ticket_of(await self._client.call(getattr(self._stub, method), request))


async def playable(client: Client, game: GameClient, match: str) -> pb.Match:
    """A match that was just formed, once its host has it: within the client's patience."""
    patience = client.patience()
    while True:
        try:
            return await game.get_match(match)
        except VallumCallError as error:
            if error.code != "match_not_found":
                raise
            late = VallumCallError(error.code, grpc.StatusCode.UNAVAILABLE, error.message)
            await patience.after(late)


async def states(
    client: Client, method: Any, request: Any, field: str, over: Callable[[Any], bool]
) -> AsyncGenerator[Any, None]:
    """What a stream tells of one thing, opened again when it breaks, until the thing is over."""
    patience = client.patience()
    while True:
        failed = VallumCallError("stream_ended", grpc.StatusCode.UNAVAILABLE, answered=False)
        call = method(request, metadata=await client.metadata())
        try:
            async for message in call:
                patience.reset()
                found = getattr(message, field)
                yield found
                if over(found):
                    return
        except grpc.aio.AioRpcError as error:
            failed = call_error(error)
        finally:
            call.cancel()
        await patience.after(failed)


def ticket_of(reply: Any) -> mm.Ticket:
    """The ticket of any reply."""
    found: mm.Ticket = reply.ticket
    return found


def name_of(ticket: TicketName) -> str:
    """ "tickets/…"."""
    return ticket if isinstance(ticket, str) else ticket.name
