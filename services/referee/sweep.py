"""The sweep over deadlines: a leased loop that acts on what is due, at least once.

Acting twice is harmless: whatever it does goes through the log's compare-and-append.
"""

from __future__ import annotations

import asyncio
from itertools import count
from typing import Any

import structlog
from redis.asyncio import Redis
from redis.exceptions import RedisError

from services.gamekit.game import Refusal
from services.referee.asking import Expectation
from services.referee.due import TURN_LEASE_MS, Due
from services.referee.events import ClockExpired
from services.referee.facts import Facts
from services.referee.folder import Live
from services.referee.host import Host, now_ms
from services.referee.log import due_key
from services.referee.messages import decision_message
from services.referee.standing import Standing
from services.runtime.errors import VallumError
from vallum.events.v1 import events_pb2 as ev

EVERY_S = 0.25
EPOCH_ROUNDS = 8
"""Rounds between two looks at whether the storage was restarted."""
LEASE_MS = 3_000
AT_ONCE = 200
"""Deadlines of one partition that one round acts on."""

log = structlog.get_logger(__name__)


class Sweep:
    """Acts on the deadlines of one game's matches. One replica at a time holds the lease."""

    def __init__(self, redis: Redis, host: Host, standing: Standing, replica: str) -> None:
        self.redis: Any = redis  # its types do not tell bytes from str
        self.host = host
        self.standing = standing
        self.replica = replica
        self.game = host.game.meta.key
        self._keys = [due_key(self.game, number) for number in range(host.store.log.partitions)]

    async def run(self) -> None:
        """Sweep for ever; an unreachable storage is tried again."""
        for number in count():
            try:
                if number % EPOCH_ROUNDS == 0:
                    await self.host.store.learn_epoch()
                await self.host.outages.sign(now_ms())
                if await self._leased():
                    await self.once()
            except RedisError as error:
                log.warning("sweep_failed", game=self.game, error=str(error))
                await asyncio.sleep(1)
            await asyncio.sleep(EVERY_S)

    async def once(self) -> None:
        """Act on everything that is due now."""
        now = now_ms()
        pipeline = self.redis.pipeline(transaction=False)
        for key in self._keys:
            pipeline.zrangebyscore(key, "-inf", now, start=0, num=AT_ONCE)
        for key, members in zip(self._keys, await pipeline.execute(), strict=True):
            for member in members:
                await self._act(key, member.decode())

    async def _act(self, key: str, member: str) -> None:
        due = Due.read(member)
        live = await self.host.store.find(due.match_id)
        if live is None or not is_open(live, due):
            await self.redis.zrem(key, member)
        elif due.kind == "turn":
            await self._announce(live, due)
        elif due.kind == "clock":
            await self._expire(live, due)
        else:
            await self._answer(live, due)
            await self.redis.zrem(key, member)

    async def _announce(self, live: Live, due: Due) -> None:
        """Nobody has taken an automatic turn within its lease: say again that it is open."""
        decision = live.table.decision(due.seat)
        assert decision is not None
        facts = Facts(live, live.version, now_ms(), f"lease/{now_ms()}")
        facts.add(
            turn_opened=ev.TurnOpened(
                game=self.game,
                decision=decision_message(live.table, decision),
                automatic=True,
                announced=1,
            )
        )
        facts.events[0].id = f"{live.id}/{live.version}/again/{now_ms()}"
        log.info("turn_announced_again", match=live.id, seat=due.seat, decision=due.decision_id)
        await self.host.announce_again(live, facts, [(due.member(), now_ms() + TURN_LEASE_MS)])

    async def _answer(self, live: Live, due: Due) -> None:
        """Give a seat's standing answer to its open window, if one stands."""
        action = await self.standing.answer(live, due.seat)
        if action is None:
            return
        expect = Expectation(decision=due.decision_id)
        try:
            await self.host.play(live.id, due.seat, [action], expect, None)
        except (Refusal, VallumError) as refusal:
            log.info("standing_answer_refused", match=live.id, seat=due.seat, code=refusal.code)

    async def _expire(self, live: Live, due: Due) -> None:
        """A seat's time is up. The append clears the deadline, or sets it anew after an outage."""
        try:
            await self.host.happen(live.id, ClockExpired(due.seat), None)
        except (Refusal, VallumError) as refusal:
            log.info("clock_not_expired", match=live.id, seat=due.seat, code=refusal.code)

    async def _leased(self) -> bool:
        key = f"lease:sweep:{self.game}"
        if await self.redis.set(key, self.replica, px=LEASE_MS, nx=True):
            return True
        if await self.redis.get(key) != self.replica.encode():
            return False
        await self.redis.pexpire(key, LEASE_MS)
        return True


def is_open(live: Live, due: Due) -> bool:
    """Whether the question of a deadline still waits."""
    decision = live.table.decision(due.seat)
    return decision is not None and live.table.decision_id(due.seat) == due.decision_id
