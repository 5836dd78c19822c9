"""A matchmaker, a lobby and a host in this process, and people who call them over real gRPC."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from itertools import count
from random import Random
from typing import Any, NamedTuple

import grpc

from services.matchmaking.bind import matchmaking
from services.matchmaking.policy import Policy
from services.referee.bind import rules
from services.runtime.app import App
from services.runtime.auth import Caller, Role, Verifier
from services.runtime.settings import Settings
from tests.ambush.hosted import HOSTED
from tests.referee.given import KEYS, Refused, World, play_on
from tests.until import until
from vallum.match.v1 import match_pb2 as pb
from vallum.matchmaking.v1 import lobby_pb2 as lb
from vallum.matchmaking.v1 import matchmaking_pb2 as mm

GAMES = {"ambush": HOSTED}
BOTS = frozenset({"random", "easy"})
CASUAL = "games/ambush/policies/casual"
RANKED = "games/ambush/policies/ranked"
_numbers = count(1)

QUICK = Policy(base=25.0, bots_after_s=None, seats=(2, 3, 4))
"""Anybody with anybody, at once, and never a bot."""


class Player:
    """Somebody with a token who calls the matchmaking service: `await ann.enters(min_seats=4)`."""

    def __init__(self, channel: grpc.aio.Channel, who: Caller) -> None:
        self.who = who
        self._channel = channel
        self._metadata = (("authorization", f"Bearer {KEYS.mint(who)}"),)

    async def call(self, method: str, **fields: Any) -> Any:
        """Any unary call of the two services, by the fields of its request. Raises Refused."""
        messages, service = home(method)
        kind = getattr(messages, f"{method}Request")
        if "request_id" in kind.DESCRIPTOR.fields_by_name:
            fields.setdefault("request_id", f"r{next(_numbers)}")
        stub: Any = self._channel.unary_unary(
            f"/vallum.matchmaking.v1.{service}/{method}",
            request_serializer=kind.SerializeToString,
            response_deserializer=getattr(messages, f"{method}Response").FromString,
        )
        try:
            return await stub(kind(**fields), metadata=self._metadata, timeout=20)
        except grpc.aio.AioRpcError as error:
            raise Refused(error) from None

    async def enters(self, **fields: Any) -> str:
        """A ticket for the conformance game; its name."""
        made = await self.call("CreateTicket", **({"game": "ambush"} | fields))
        return str(made.ticket.name)

    async def sees(self, ticket: str) -> mm.Ticket:
        """A ticket as it is now."""
        found: mm.Ticket = (await self.call("GetTicket", name=ticket)).ticket
        return found

    def watches(self, method: str, name: str) -> Any:
        """A stream of a ticket or a table."""
        messages, service = home(method)
        kind = getattr(messages, f"{method}Request")
        stub: Any = self._channel.unary_stream(
            f"/vallum.matchmaking.v1.{service}/{method}",
            request_serializer=kind.SerializeToString,
            response_deserializer=getattr(messages, f"{method}Response").FromString,
        )
        return stub(kind(name=name), metadata=self._metadata, timeout=60)

    async def awaits(self, ticket: str, *states: mm.TicketState.ValueType) -> mm.Ticket:
        """Watch a ticket until it is in one of some states; it must not end otherwise."""
        call = self.watches("WatchTicket", ticket)
        seen: list[mm.Ticket] = []
        try:
            async for message in call:
                seen.append(message.ticket)
                if seen[-1].state in states:
                    return seen[-1]
        finally:
            call.cancel()
        raise AssertionError(f"it ended otherwise: {seen[-1:]}")

    async def is_matched(self, ticket: str) -> str:
        """Watch a ticket until it has its match; the match's name."""
        return str((await self.awaits(ticket, mm.TICKET_STATE_MATCHED)).match)


def home(method: str) -> tuple[Any, str]:
    """Where a method is: its messages and its service."""
    if hasattr(mm, f"{method}Request"):
        return mm, "MatchmakingService"
    return lb, "LobbyService"


class Hall(NamedTuple):
    """What is running."""

    world: World

    def player(self, name: str, role: Role = Role.PLAYER, tenant: str = "north") -> Player:
        """Somebody who calls it."""
        return Player(self.world.channel, Caller(name, tenant, role))

    def players(self, *names: str) -> list[Player]:
        """Several players of one tenant."""
        return [self.player(name) for name in names]

    def backend(self, tenant: str = "north") -> Player:
        """A tenant's own backend."""
        return self.player("backend", Role.TENANT, tenant)

    async def rules(self, name: str = CASUAL, tenant: str = "north", **policy: Any) -> None:
        """State the rules of a tenant's queues: QUICK but for what is named."""
        values = {one: getattr(QUICK, one) for one in QUICK.__struct_fields__} | policy
        stated = mm.Policy(**{key: value for key, value in values.items() if value is not None})
        await self.backend(tenant).call("UpdatePolicy", name=name, policy=stated)

    async def playable(self, match: str) -> pb.Match:
        """The match, once the host has it: tried for ten seconds."""
        asker = self.world.person("backend", Role.TENANT)
        found: list[pb.Match] = []

        async def there() -> bool:
            try:
                found.append((await asker.call("GetMatch", name=match)).match)
            except Refused as refusal:
                if refusal.code != "match_not_found":
                    raise
            return bool(found)

        await until(there)
        return found[0]

    async def plays(self, match: str, seed: int = 1) -> pb.Match:
        """Play a match of people to its end, each on his seat."""
        seats = (await self.playable(match)).seats
        people = self.world.people(*(one.player for one in seats))
        await play_on(self.world, match, people, Random(seed))
        return await self.playable(match)


@asynccontextmanager
async def hall(settings: Settings, extra: Iterable[Any] = ()) -> AsyncIterator[Hall]:
    """The services on one storage, and a channel to them."""
    binds = [rules(HOSTED, BOTS), matchmaking(GAMES, BOTS, KEYS), *extra]
    async with (
        App(settings, binds, Verifier(KEYS)) as app,
        grpc.aio.insecure_channel(app.target) as channel,
    ):
        yield Hall(World(app, channel))
