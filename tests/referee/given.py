"""A host in this process on a real storage, and people who call it over real gRPC."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from itertools import count
from random import Random
from typing import Any, NamedTuple

import grpc
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status
from msgspec import msgpack

from services.gamekit.chance import Dealt
from services.gamekit.game import NATURE
from services.gamekit.play import nature_due
from services.referee.bind import rules
from services.referee.contract import Contract
from services.runtime.app import App
from services.runtime.auth import Caller, Keys, Role, Verifier
from services.runtime.settings import Settings
from tests.ambush.hosted import HOSTED

KEYS = Keys.generate()
CONTRACT = Contract(HOSTED)
BOTS = frozenset({"random"})
_numbers = count(1)


class Refused(Exception):
    """What a call was refused with."""

    def __init__(self, error: grpc.aio.AioRpcError) -> None:
        super().__init__(error.details())
        self.status = error.code()
        self.details: Status | None = None
        for key, value in error.trailing_metadata() or ():
            if key == "grpc-status-details-bin":
                self.details = Status.FromString(bytes(value))  # type: ignore[arg-type]  # a -bin value is bytes

    @property
    def info(self) -> ErrorInfo:
        """The ErrorInfo of the status."""
        found = ErrorInfo()
        assert self.details is not None, f"no status details with {self.status}"
        assert any(detail.Unpack(found) for detail in self.details.details)
        return found

    @property
    def code(self) -> str:
        """The stable reason."""
        return str(self.info.reason)


class Person:
    """Somebody with a token: `await alice.play(match, Fortify(...))`."""

    def __init__(self, channel: grpc.aio.Channel, caller: Caller) -> None:
        self.channel = channel
        self.caller = caller
        self.metadata = (("authorization", f"Bearer {KEYS.mint(caller)}"),)

    async def call(self, method: str, request: Any = None, /, **fields: Any) -> Any:
        """Any RPC, the request given whole, as bytes or by its fields. Raises Refused."""
        if request is None:
            request = getattr(CONTRACT, f"{method}Request")(**fields)
        body = request if isinstance(request, bytes) else request.SerializeToString()
        stub: Any = self.channel.unary_unary(path(method))
        try:
            answer = await stub(body, metadata=self.metadata, timeout=10)
        except grpc.aio.AioRpcError as error:
            raise Refused(error) from None
        return getattr(CONTRACT, f"{method}Response").FromString(answer)

    async def play(self, match: str, *actions: Any, **fields: Any) -> Any:
        """Play some actions, given as records or messages."""
        fields.setdefault("request_id", f"r{next(_numbers)}")
        messages = [
            CONTRACT.action_message(one) if hasattr(one, "check") else one for one in actions
        ]
        return await self.call("Play", name=match, actions=messages, **fields)

    def watch(self, match: str, from_version: int = 0, **fields: Any) -> Any:
        """A stream of updates."""
        request = CONTRACT.WatchRequest(name=match, from_version=from_version, **fields)
        stub: Any = self.channel.unary_stream(
            path("Watch"),
            request_serializer=CONTRACT.WatchRequest.SerializeToString,
            response_deserializer=CONTRACT.WatchResponse.FromString,
        )
        return stub(request, metadata=self.metadata, timeout=60)


class World(NamedTuple):
    """A running host."""

    app: App
    channel: grpc.aio.Channel

    def person(self, name: str, role: Role = Role.PLAYER, tenant: str = "north") -> Person:
        """Somebody who calls it."""
        return Person(self.channel, Caller(name, tenant, role))

    def people(self, *names: str) -> list[Person]:
        """Several players of one tenant."""
        return [self.person(name) for name in names]

    async def match(self, *names: str, **fields: Any) -> str:
        """A fresh match of some players (or "bot:random"); its name."""
        created = await self.person(names[0]).call(
            "CreateMatch", seats=[seated(name) for name in names], **fields
        )
        return str(created.match.name)


@asynccontextmanager
async def world(redis_url: str, **settings: Any) -> AsyncIterator[World]:
    """A host in this process, and a channel to it."""
    chosen = Settings(redis_url=redis_url, port=0, log_level="warning", **settings)
    async with (
        App(chosen, [rules(HOSTED, BOTS)], Verifier(KEYS)) as app,
        grpc.aio.insecure_channel(app.target) as channel,
    ):
        yield World(app, channel)


def seated(name: str) -> dict[str, str]:
    """An Occupant: "bot:random" or a player."""
    kind, _, policy = name.partition(":")
    return {"bot": policy} if kind == "bot" and policy else {"player": name}


def path(method: str) -> str:
    """The gRPC path of a method."""
    return f"/{CONTRACT.service.full_name}/{method}"


async def play_on(world: World, match: str, people: Iterable[Person], rng: Random) -> int:
    """Random play by everyone, NATURE's deferred moves by a worker, to the end; the calls made."""
    seats = list(people)
    worker = world.person("worker", Role.SERVICE)
    calls = 0
    while True:
        there = (await seats[0].call("GetMatch", name=match)).match
        if not there.decisions:
            return calls
        seat = rng.choice([one.seat for one in there.decisions])
        await (take_nature(worker, match) if seat == NATURE else take(seats[seat], match, rng))
        calls += 1


async def take(person: Person, match: str, rng: Random) -> Any:
    """A random legal action of somebody's seat."""
    listed = await person.call("ListActions", name=match)
    return await person.play(match, rng.choice(listed.actions))


async def take_nature(worker: Person, match: str) -> Any:
    """What a worker does for a deferred move of NATURE."""
    position = await worker.call("GetPosition", name=match, seat=NATURE)
    state = msgpack.decode(position.position, type=HOSTED.game.State)
    kind = nature_due(HOSTED.game, state, deferred=True)
    assert kind is not None
    return await worker.play(
        match,
        kind.resolve(state, Dealt({one.label: one.result for one in position.draws})),
        seat=NATURE,
        expected_decision=position.decision.decision_id,
    )
