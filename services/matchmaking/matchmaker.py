"""A replica's share of the queues: every round it sits at those that are its own.

Each queue belongs to one of the living replicas, by a hash of both names; a lease keeps two from
sitting at it at once, and its fencing token undoes what one does that has lost it.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
import uuid
from typing import Any

import structlog
from redis.exceptions import RedisError

from services.matchmaking.asked import read_queue
from services.matchmaking.desk import Desk
from services.matchmaking.games import Games
from services.matchmaking.lobby.store import close_idle
from services.matchmaking.policies import Policies
from services.matchmaking.relay import Relay
from services.matchmaking.storage import Corner, Storage
from services.matchmaking.times import now_ms

EVERY_S = 0.2
REPLICAS = "mm:replicas"
ALIVE_MS = 3_000
TOGETHER = 32
"""Tenants looked after at a time."""
AT_ONCE = 200
"""Offers and tickets of one tenant that one sweep ends."""

log = structlog.get_logger(__name__)


class Matchmaker:
    """One replica."""

    def __init__(
        self, storage: Storage, policies: Policies, games: Games, relay: Relay, replica: str
    ) -> None:
        self._storage = storage
        self._policies = policies
        self._games = games
        self._relay = relay
        self.name = f"{replica}:{uuid.uuid4().hex[:8]}"
        self._alive: list[str] = []
        self._desks: dict[tuple[str, str], Desk] = {}
        self._ticking: dict[tuple[str, str], asyncio.Task[None]] = {}

    async def run(self) -> None:
        """Round after round; an unreachable storage is tried again."""
        while True:
            began = time.monotonic()
            try:
                await self.round()
            except Exception as error:  # it stumbles, but it never ends
                log.warning("matchmaker_stumbled", exc_info=error)
                await asyncio.sleep(1)
            await asyncio.sleep(max(0.0, EVERY_S - (time.monotonic() - began)))

    async def round(self) -> None:
        """Say that we are here, end what is over, and sit at our queues."""
        await self._sign()
        corners = await self._storage.tenants()
        ours: set[tuple[str, str]] = set()
        for at in range(0, len(corners), TOGETHER):
            found = await asyncio.gather(*map(self._tend, corners[at : at + TOGETHER]))
            ours.update(*found)
        await self._leave(ours)
        for spot, desk in self._desks.items():
            if spot not in self._ticking and desk.rested():
                self._ticking[spot] = asyncio.create_task(self._tick(spot, desk))

    async def _tend(self, corner: Corner) -> set[tuple[str, str]]:
        """Look after one tenant; those of its queues that fall to us, each with its desk."""
        if self._is_ours(corner.name):
            await self._sweep(corner)
        queues: Any = await corner.redis.hgetall(corner.key("queues"))
        ours: set[tuple[str, str]] = set()
        for name, about in queues.items():
            spot = (corner.tenant, name.decode())
            if self._is_ours("/".join(spot)):
                ours.add(spot)
                if spot not in self._desks:
                    self._desks[spot] = Desk(corner, read_queue(about), self.name)
        return ours

    async def _leave(self, ours: set[tuple[str, str]]) -> None:
        """Give back the queues that are not ours any more, and those where nobody is."""
        for spot, desk in list(self._desks.items()):
            if spot not in self._ticking and (spot not in ours or desk.idle()):
                del self._desks[spot]
                await desk.close()

    async def close(self) -> None:
        """Finish the rounds under way and give every queue back."""
        await asyncio.gather(*self._ticking.values(), return_exceptions=True)
        try:
            await self._storage.redis.zrem(REPLICAS, self.name)
            for desk in self._desks.values():
                await desk.close()
        except RedisError as error:  # the leases run out by themselves
            log.warning("leases_not_returned", error=str(error))

    async def _tick(self, spot: tuple[str, str], desk: Desk) -> None:
        try:
            await desk.tick(self._policies, self._games, self._relay)
        except Exception as error:  # one queue must not stop the others
            desk.mirror.forget()
            log.warning("tick_failed", queue=desk.queue.id, exc_info=error)
            await asyncio.sleep(1)
        finally:
            self._ticking.pop(spot, None)

    async def _sweep(self, corner: Corner) -> None:
        """End lapsed offers, expired tickets and idle tables, and publish what somebody left in the
        outbox."""
        now = now_ms()
        await corner.run("sweep", now, AT_ONCE)
        await close_idle(corner, now, AT_ONCE)
        self._relay.nudge(corner)

    async def _sign(self) -> None:
        """Say that we are here, and learn who else is."""
        now = now_ms()
        pipeline = self._storage.redis.pipeline(transaction=False)
        pipeline.zadd(REPLICAS, {self.name: now})
        pipeline.zremrangebyscore(REPLICAS, "-inf", now - 20 * ALIVE_MS)
        pipeline.zrangebyscore(REPLICAS, now - ALIVE_MS, "+inf")
        *_, names = await pipeline.execute()
        self._alive = [name.decode() for name in names]

    def _is_ours(self, what: str) -> bool:
        """Whether this falls to us, among the living (the highest hash wins)."""
        return max(self._alive, key=lambda name: _weight(name, what), default="") == self.name


def _weight(replica: str, what: str) -> bytes:
    return hashlib.sha256(f"{replica}\0{what}".encode()).digest()
