"""Matchmakers that are killed, the people who wait at them, and what must be true in the end."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from services.runtime.auth import Caller, Keys, Role
from services.runtime.bus import ENTRY, streams
from services.runtime.redis import connect
from tests.faults.processes import HostProcess, Storage
from vallum.client import Client, Matchmaking, Retry, playable
from vallum.events.v1 import events_pb2 as ev
from vallum.match.v1 import match_pb2 as pb
from vallum.matchmaking.v1 import matchmaking_pb2 as mm
from vallum.matchmaking.v1 import matchmaking_pb2_grpc as stubs

RETRY = Retry(patience=400.0, timeout=10.0, longest_pause=0.5)
PARTITIONS = 16
READY = 150.0
"""Seconds for a process to come up, or to die, on a busy machine."""


class MatchmakerProcess(HostProcess):
    """A matchmaker and a host in a process of their own, on a port that they keep."""

    async def start(self, step: str = "") -> None:
        """Start it, again while its storage is not there; it dies when it comes to `step`."""
        async with asyncio.timeout(READY):
            while True:
                self._process = subprocess.Popen(  # noqa: ASYNC220 # it returns at once
                    [sys.executable, "-m", "tests.faults.matchmaking_host", *self._args, step],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                )
                assert self._process.stdout is not None
                if await asyncio.to_thread(self._process.stdout.readline):
                    return

    async def died(self) -> None:
        """Wait until it has killed itself."""
        assert self._process is not None
        async with asyncio.timeout(READY):
            while self._process.poll() is None:  # noqa: ASYNC110 # nothing could set an event
                await asyncio.sleep(0.05)
        assert self._process.returncode == -9
        self._process = None


@dataclass
class Scene:
    """Some matchmakers on one storage, and connections to them."""

    hosts: list[MatchmakerProcess]
    storage: Storage
    keys: Keys
    clients: dict[tuple[str, int], Client] = field(default_factory=dict)

    def client(self, name: str, at: int = 0, role: Role = Role.PLAYER) -> Client:
        """Somebody's connection to one of the processes."""
        if (name, at) not in self.clients:
            token = self.keys.mint(Caller(name, "north", role))
            self.clients[name, at] = Client(self.hosts[at].target, token, retry=RETRY)
        return self.clients[name, at]

    def waits(self, name: str, at: int = 0) -> Matchmaking:
        """Somebody's tickets."""
        return Matchmaking(self.client(name, at))

    async def rules(self, **policy: Any) -> None:
        """State the rules of casual queues: anybody with anybody, but for what is named."""
        fields: dict[str, Any] = {
            "base": 25.0,
            "cap": 25.0,
            "bound_s": 60.0,
            "seats": [2, 3, 4],
        } | policy
        fields.setdefault("bots_level", "random")
        stub: Any = self.client("backend", 0, Role.TENANT).stub(stubs.MatchmakingServiceStub)
        request = mm.UpdatePolicyRequest(
            name="games/ambush/policies/casual", policy=mm.Policy(**fields), request_id="rules"
        )
        await self.client("backend", 0, Role.TENANT).call(stub.UpdatePolicy, request)

    async def enters_at_once(self, name: str, options: list[str], at: int) -> list[str]:
        """Tickets in several queues, made together; their names."""
        client = self.client("backend", at, Role.TENANT)
        requests = [
            mm.CreateTicketRequest(
                game="ambush",
                options_json=one,
                party=[mm.Entry(player=name)],
                max_seats=3,
                request_id=f"{name}-{number}",
            )
            for number, one in enumerate(options)
        ]
        stub: Any = client.stub(stubs.MatchmakingServiceStub)
        batch = mm.BatchCreateTicketsRequest(requests=requests)
        outcomes = (await client.call(stub.BatchCreateTickets, batch)).outcomes
        assert not [one.code for one in outcomes if one.code]
        return [str(one.name) for one in outcomes]

    async def formed(self) -> dict[str, ev.MatchFormed]:
        """Every match that was told on the bus; the same one twice is the same."""
        found: dict[str, ev.MatchFormed] = {}
        async with connect(self.storage.server.url) as redis:
            for key in streams("formed", PARTITIONS):
                rows: Any = await redis.xrange(key)
                for _, row in rows:
                    fact = ev.Event.FromString(row[ENTRY]).match_formed
                    assert found.setdefault(fact.match_id, fact) == fact
        return found


@asynccontextmanager
async def scene(folder: Path, processes: int, step: str = "") -> AsyncIterator[Scene]:
    """Start everything, the first process with its death at a step."""
    storage = Storage(folder / "redis")
    keys = Keys.ensure(folder / "key.pem")
    storage.server.start()
    hosts = [MatchmakerProcess(storage.server.url, folder / "key.pem") for _ in range(processes)]
    there = Scene(hosts, storage, keys)
    try:
        await hosts[0].start(step)
        await asyncio.gather(*(host.start() for host in hosts[1:]))
        yield there
    finally:
        await asyncio.gather(*(client.close() for client in there.clients.values()))
        for host in hosts:
            host.kill()
        storage.server.stop()


def seated_once(formed: Iterable[ev.MatchFormed]) -> Counter[str]:
    """How often each player was given a seat."""
    return Counter(one.player for fact in formed for one in fact.seats if one.player)


async def exists(client: Client, match: str) -> bool:
    """Whether the host has a match, once it has had the time to make it."""
    found = await playable(client, client.game("ambush.v1"), match)
    return found.state == pb.MATCH_STATE_ACTIVE
