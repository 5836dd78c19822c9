"""One queue in a matchmaker's hands: hold its lease, know who waits, form groups, claim them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from itertools import chain
from typing import Any

import structlog

from services.matchmaking.asked import Queue
from services.matchmaking.backfill import fill
from services.matchmaking.forming import Formation, formation, histories, new_match_id, seated
from services.matchmaking.games import Games
from services.matchmaking.matching import form
from services.matchmaking.metrics import CLAIMS, FORMED, TICK_SECONDS, WAITED_SECONDS, WAITING
from services.matchmaking.mirror import Mirror
from services.matchmaking.model import Group
from services.matchmaking.policies import Policies
from services.matchmaking.policy import Policy
from services.matchmaking.relay import Relay
from services.matchmaking.storage import Corner
from services.matchmaking.times import now_ms
from vallum.match.v1 import match_pb2 as pb

LEASE_MS = 3_000
APART = 200
"""With more tickets than this, groups are formed in a thread."""
LOT = 50
"""Groups that are claimed in one go."""
TOGETHER = 4
"""Lots under way: the next is prepared while the storage has one in hand."""
IDLE_S = 10.0
LONGEST_REST_S = 0.5

log = structlog.get_logger(__name__)


class Desk:
    """A queue of a tenant. `owner` names the matchmaker that sits at it."""

    def __init__(self, corner: Corner, queue: Queue, owner: str) -> None:
        self.corner = corner
        self.queue = queue
        self.owner = owner
        self.mirror = Mirror(corner, queue.id)
        self._token = 0
        self._busy_at = time.monotonic()
        self._rest_until = 0.0

    def rested(self) -> bool:
        """Whether it is time for another round: one over a long queue is followed by a rest, in
        which calls are answered."""
        return time.monotonic() >= self._rest_until

    def idle(self) -> bool:
        """Whether nobody has been in the queue for some time."""
        return time.monotonic() - self._busy_at > IDLE_S

    async def tick(self, policies: Policies, games: Games, relay: Relay) -> int:
        """Form what can be formed now; how many groups were claimed."""
        if not await self._leased():
            return 0
        began = time.perf_counter()
        await self.mirror.follow()
        if self.mirror.waiting:
            self._busy_at = time.monotonic()
        WAITING.labels(self.queue.game, self.queue.mode).set(len(self.mirror.waiting))
        stated = await policies.of(self.corner.tenant, self.queue.game, self.queue.mode)
        groups = await self._groups(stated.policy)
        claimed = 0
        lots = [groups[at : at + LOT] for at in range(0, len(groups), LOT)]
        for at in range(0, len(lots), TOGETHER):
            if at and not await self._leased():
                break
            claims = [self._claim(lot, stated.policy, games) for lot in lots[at : at + TOGETHER]]
            claimed += sum(await asyncio.gather(*claims))
            relay.nudge(self.corner)
        if self.mirror.backfill:
            await fill(self.corner, self.queue, self._token, self.mirror)
            relay.nudge(self.corner)
        took = time.perf_counter() - began
        TICK_SECONDS.observe(took)
        self._rest_until = time.monotonic() + min(took, LONGEST_REST_S)
        return claimed

    async def close(self) -> None:
        """Let somebody else sit here."""
        self.mirror.forget()
        await self.corner.run("release", self.queue.id, self.owner)

    async def _leased(self) -> bool:
        """Whether the lease is ours, renewed. With another token others have been here."""
        now = now_ms()
        token = await self.corner.run("lease", self.queue.id, self.owner, now, LEASE_MS)
        if token != self._token:
            self._token = token
            self.mirror.forget()
        return bool(token)

    async def _groups(self, policy: Policy) -> list[Group]:
        waiting, now = list(self.mirror.waiting.values()), time.time()
        if not waiting:
            return []
        if len(waiting) <= APART:
            return form(waiting, policy, now)
        return await asyncio.to_thread(form, waiting, policy, now)

    async def _claim(self, groups: Sequence[Group], policy: Policy, games: Games) -> int:
        """Claim groups, each all or nothing; how many were ours."""
        now = now_ms()
        formations = await self._formations(groups, games.bot(policy.bots_level), now)
        deadline = now + int(policy.accept_s * 1000) if policy.accept_s else 0
        calls = [
            (now, self.queue.id, self._token, made.match_id, deadline, self.queue.game)
            + (made.event, " ".join(group.tickets), made.sitting, made.seats)
            for group, made in zip(groups, formations, strict=True)
        ]
        answers = await self.corner.run_all("claim", calls)
        for group, answer in zip(groups, answers, strict=True):
            self._note(group, answer, now)
        return sum(answer[0] == b"ok" for answer in answers)

    def _note(self, group: Group, answer: list[Any], now: int) -> None:
        word = answer[0].decode()
        CLAIMS.labels(word).inc()
        if word == "ok":
            FORMED.labels(self.queue.game, self.queue.mode).inc()
            for ticket in group.tickets:
                if waiting := self.mirror.drop(ticket):
                    WAITED_SECONDS.observe(now / 1000 - waiting.since_s)
        elif word == "gone":  # he cancelled, or was taken, since we looked
            self.mirror.drop(answer[1].decode())

    async def _formations(self, groups: Sequence[Group], bot: str, now: int) -> list[Formation]:
        parties = [
            [person.player for name in group.tickets for person in self.mirror.waiting[name].party]
            for group in groups
        ]
        past = await histories(self.corner, self.queue.game, list(chain.from_iterable(parties)))
        found = []
        for group, people in zip(groups, parties, strict=True):
            match_id = new_match_id()
            order = seated(match_id, people, group.seats, past)
            occupants = [pb.Occupant(player=one) if one else pb.Occupant(bot=bot) for one in order]
            found.append(
                formation(
                    self.corner.tenant, self.queue, match_id, occupants, now, group.tickets[0]
                )
            )
        return found
