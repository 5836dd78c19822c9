"""MatchmakingService's calls: the contract on one side, the stored tickets on the other."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from services.matchmaking import tickets
from services.matchmaking.entering import Entering, body_hash, digest, request_of
from services.matchmaking.messages import policy_key, policy_message, policy_of, ticket_message
from services.matchmaking.policies import Policies
from services.matchmaking.relay import Relay
from services.matchmaking.storage import Corner, Storage
from services.matchmaking.tickets import New, Ticket
from services.matchmaking.times import now_ms
from services.runtime.app import App
from services.runtime.auth import Role, caller
from services.runtime.bell import Bell, rung
from services.runtime.errors import Forbidden, InvalidRequest, NotFound, Unavailable, VallumError
from vallum.matchmaking.v1 import matchmaking_pb2 as mm


class MatchmakingService:
    """Answers MatchmakingService. Method names are the contract's."""

    def __init__(
        self,
        app: App,
        storage: Storage,
        entering: Entering,
        policies: Policies,
        relay: Relay,
        bell: Bell,
    ) -> None:
        self._app = app
        self._storage = storage
        self._entering = entering
        self._policies = policies
        self._relay = relay
        self._bell = bell

    async def CreateTicket(self, request: Any, _: Any) -> Any:
        """See the contract. Codes: `ticket_exists`, `request_id_reused`, and those of
        `Entering.new`."""
        corner = self._corner()
        new = await self._entering.new(corner, caller(), request, now_ms())
        (answer,) = await tickets.create(corner, [new])
        tickets.settle(answer)
        return mm.CreateTicketResponse(ticket=await self._shown(corner, new.id))

    async def BatchCreateTickets(self, request: Any, _: Any) -> Any:
        """See the contract."""
        corner = self._corner()
        outcomes = [mm.Outcome() for _ in request.requests]
        asked = await self._entering.new_all(corner, caller(), request.requests, now_ms())
        made: list[tuple[mm.Outcome, New]] = []
        for outcome, new in zip(outcomes, asked, strict=True):
            if isinstance(new, New):
                made.append((outcome, new))
            else:
                outcome.code = new.code
        answers = await tickets.create(corner, [new for _, new in made])
        for (outcome, new), answer in zip(made, answers, strict=True):
            try:
                tickets.settle(answer)
                outcome.name = f"tickets/{new.id}"
            except VallumError as refusal:
                outcome.code = refusal.code
        return mm.BatchCreateTicketsResponse(outcomes=outcomes)

    async def GetTicket(self, request: Any, _: Any) -> Any:
        """See the contract. Code: `ticket_not_found`."""
        ticket = await self._seen(request.name)
        return mm.GetTicketResponse(ticket=await self._message(ticket))

    async def ListTickets(self, request: Any, _: Any) -> Any:
        """See the contract."""
        who = caller()
        player = request.player or who.subject
        if who.role == Role.PLAYER and player != who.subject:
            raise Forbidden("not_your_tickets")
        found = await tickets.of_player(self._corner(), player)
        return mm.ListTicketsResponse(tickets=[await self._message(one) for one in found])

    async def JoinTicket(self, request: Any, _: Any) -> Any:
        """See the contract. Codes: `already_joined`, `ticket_exists`, `ticket_ended`."""
        ticket = await self._seen(request.name)
        who = caller()
        await tickets.join(
            self._corner(), ticket.id, who.subject, now_ms(), request_of(who, request)
        )
        return mm.JoinTicketResponse(ticket=await self._shown(self._corner(), ticket.id))

    async def CancelTicket(self, request: Any, _: Any) -> Any:
        """See the contract. Code: `already_matched`."""
        ticket = await self._seen(request.name)
        await tickets.cancel(self._corner(), ticket.id, "cancelled", request_of(caller(), request))
        return mm.CancelTicketResponse(ticket=await self._shown(self._corner(), ticket.id))

    async def AcceptMatch(self, request: Any, _: Any) -> Any:
        """See the contract. Codes: `nothing_offered`, `offer_lapsed`, `already_matched`."""
        ticket, who, corner = await self._seen(request.name), caller(), self._corner()
        players = [who.subject] if who.role == Role.PLAYER else ticket.asked.players()
        asked = request_of(who, request)
        if await tickets.accept(corner, ticket.id, players, now_ms(), asked):
            self._relay.nudge(corner)
        return mm.AcceptMatchResponse(ticket=await self._shown(corner, ticket.id))

    async def DeclineMatch(self, request: Any, _: Any) -> Any:
        """See the contract. Codes: `nothing_offered`, `already_matched`."""
        ticket = await self._seen(request.name)
        await tickets.cancel(self._corner(), ticket.id, "declined", request_of(caller(), request))
        return mm.DeclineMatchResponse(ticket=await self._shown(self._corner(), ticket.id))

    async def WatchTicket(self, request: Any, _: Any) -> AsyncIterator[Any]:
        """See the contract. Code: `shutting_down`."""
        corner, ticket = self._corner(), await self._seen(request.name)
        async with self._bell.on(corner.key("ticket", ticket.id)) as changed:
            sent, alive = -1, False
            while True:
                ticket = await tickets.get(corner, ticket.id)
                if ticket.version != sent or alive:
                    heartbeat = ticket.version == sent
                    message = await self._message(ticket)
                    yield mm.WatchTicketResponse(ticket=message, heartbeat=heartbeat)
                    sent = ticket.version
                if ticket.ended:
                    return
                if self._app.stopping.is_set():
                    raise Unavailable("shutting_down")
                alive = not await rung(changed, self._app.stopping)

    async def GetPolicy(self, request: Any, _: Any) -> Any:
        """See the contract."""
        who, (game, mode) = caller(), policy_key(request.name)
        tenant = request.tenant if who.role == Role.ADMIN else who.tenant
        stated = await self._policies.of(tenant, game, mode)
        return mm.GetPolicyResponse(policy=policy_message(stated.policy), stated_by=stated.by)

    async def UpdatePolicy(self, request: Any, _: Any) -> Any:
        """See the contract. Codes: `bad_policy`, `unknown_game`, `request_id_reused`."""
        who, (game, mode) = caller(), policy_key(request.name)
        tenant = request.tenant if who.role == Role.ADMIN else who.tenant
        if who.role != Role.ADMIN and request.tenant not in ("", who.tenant):
            raise InvalidRequest(fields=[("tenant", "for admins")])
        await self._policies.of(tenant, game, mode)  # raises for an unknown game
        policy = policy_of(request.policy) if request.HasField("policy") else None
        asked = (digest("policy", who, request.request_id), body_hash(request))
        await self._policies.state((tenant, game, mode), policy, who.subject, asked)
        stated = await self._policies.of(tenant, game, mode)
        return mm.UpdatePolicyResponse(policy=policy_message(stated.policy))

    def _corner(self) -> Corner:
        return self._storage.of(caller().tenant)

    async def _seen(self, name: str) -> Ticket:
        """A ticket that the caller may know of. Raises NotFound `ticket_not_found`."""
        ticket = await tickets.get(self._corner(), name.removeprefix("tickets/"))
        who = caller()
        if who.role == Role.PLAYER and who.subject not in ticket.asked.players():
            raise NotFound("ticket_not_found")
        return ticket

    async def _shown(self, corner: Corner, ticket_id: str) -> mm.Ticket:
        return await self._message(await tickets.get(corner, ticket_id))

    async def _message(self, ticket: Ticket) -> mm.Ticket:
        queue = ticket.asked.queue
        stated = await self._policies.of(caller().tenant, queue.game, queue.mode)
        return ticket_message(ticket, stated.policy, now_ms())
