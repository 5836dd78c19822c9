"""Whatever is done to tickets in whatever order, what is stored of them agrees with itself."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

import pytest
from redis.asyncio import Redis

from services.matchmaking.asked import Asked, Queue
from services.matchmaking.backfill import SETTLED_MS
from services.matchmaking.mirror import Mirror
from services.matchmaking.model import Entrant
from services.matchmaking.storage import Corner, Storage
from services.matchmaking.tickets import ENDED, New, Ticket, create, find

STEPS = 150
PEOPLE = tuple(f"p{number}" for number in range(8))
QUEUES = tuple(Queue("ambush", "casual", f'{{"rounds":{number}}}') for number in (1, 2, 3))
ACCEPT_MS = 5_000


class Model:
    """Random deeds, and a look at everything after each."""

    def __init__(self, redis: Redis, seed: int) -> None:
        self.redis: Any = redis
        self.corner: Corner = Storage(redis).of("north")
        self.rng = Random(seed)
        self.now = 1_000_000
        self.made: list[str] = []
        self.token = 0
        self.formed: dict[str, list[str]] = {}
        self.mirrors = {queue.id: Mirror(self.corner, queue.id) for queue in QUEUES}
        self.deeds: list[Callable[[], Awaitable[Any]]] = [
            self.enters,
            self.enters,
            self.enters,
            self.claims,
            self.claims,
            self.offers,
            self.offers,
            self.accepts,
            self.accepts,
            self.accepts,
            self.joins,
            self.cancels,
            self.declines,
            self.sweeps,
            self.fills,
            self.answers,
            self.starts,
        ]

    async def plays(self) -> None:
        """All the steps."""
        for queue in QUEUES:
            await self.leases(queue)
        for number in range(STEPS):
            self.now += self.rng.randrange(1500)
            deed = self.rng.choice(self.deeds)
            await deed()
            if self.rng.random() < 0.2:
                await deed()
            await self.agrees(f"step {number}: {deed.__name__}")

    async def leases(self, queue: Queue) -> int:
        """The lease of a queue, ours for ever."""
        token: int = await self.corner.run("lease", queue.id, "us", self.now, 10**9)
        return token

    async def enters(self) -> None:
        """A ticket for some people, some of whom may still have to join."""
        queue, number = self.rng.choice(QUEUES), len(self.made)
        people = self.rng.sample(PEOPLE, self.rng.choice((1, 1, 2)))
        awaited = tuple(people[1:]) if self.rng.random() < 0.5 else ()
        party = tuple(Entrant(name) for name in people)
        asked = Asked(queue, party, (2, 3, 4), backfill=len(people) == 1)
        lifetime = self.rng.choice((5_000, 100_000))
        new = New(f"t{number}", "h", asked, awaited, self.now, self.now + lifetime)
        (answer,) = await create(self.corner, [new])
        if answer[0] == b"ok":
            self.made.append(new.id)
        (again,) = await create(self.corner, [new])
        assert again[0] == (b"again" if answer[0] == b"ok" else answer[0])

    async def claims(self, deadline: int = 0) -> None:
        """Some of a queue, whether they are still there or not."""
        queue = self.rng.choice(QUEUES)
        known = [one for one in await self.tickets() if one.asked.queue == queue]
        live = [one for one in known if one.state == "waiting"] or known
        group = self.rng.sample(live, min(2, len(live)))
        people = [name for one in group for name in one.asked.players()]
        if not group or len(set(people)) < len(people):
            return
        match = f"m{len(self.formed)}-{self.now}"
        sitting = " ".join(f"{name} {seat}" for seat, name in enumerate(people))
        answer = await self.corner.run(
            "claim", self.now, queue.id, await self.leases(queue), match, deadline, "ambush",
            b"event", " ".join(one.id for one in group), sitting, len(people),
        )  # fmt: skip
        if answer[0] == b"ok" and not deadline:
            await self.is_formed(match, people)

    async def offers(self) -> None:
        """The same, with time to accept."""
        await self.claims(self.now + ACCEPT_MS)

    async def accepts(self) -> None:
        """Somebody accepts what he is offered, or what he is not."""
        ticket = await self.some("offered")
        if ticket is None:
            return
        offer = (await self.redis.hget(self.corner.key("ticket", ticket.id), "o")) or b""
        names = await self.redis.hget(self.corner.key("offer", offer.decode()), "t")
        player = self.rng.choice(ticket.asked.players())
        answer = await self.corner.run("accept", ticket.id, player, self.now, "", "")
        if answer[0] == b"formed":
            found = await find(self.corner, names.decode().split())
            people = [name for one in found if one for name in one.asked.players()]
            await self.is_formed(offer.decode(), people)

    async def joins(self) -> None:
        """Somebody joins his party."""
        if ticket := await self.some("gathering"):
            player = self.rng.choice(ticket.asked.players())
            await self.corner.run("join", ticket.id, player, self.now, "", "")

    async def cancels(self) -> None:
        """Somebody cancels, whatever has become of his ticket."""
        if self.made:
            await self.corner.run("cancel", self.rng.choice(self.made), "cancelled", "", "")

    async def declines(self) -> None:
        """Somebody declines."""
        if ticket := await self.some("offered"):
            await self.corner.run("cancel", ticket.id, "declined", "", "")

    async def sweeps(self) -> None:
        """What has run out ends."""
        await self.corner.run("sweep", self.now, 100)

    async def fills(self) -> None:
        """A ticket is held for a seat that was left."""
        ticket = await self.some("waiting")
        if ticket is None or not ticket.asked.backfill:
            return
        queue, spot = ticket.asked.queue, f"x{self.now}/0"
        await self.redis.hset(self.corner.key("vacant", queue.id), spot, self.now)
        await self.corner.run(
            "fill", queue.id, await self.leases(queue), spot, ticket.id,
            self.now + SETTLED_MS, b"event",
        )  # fmt: skip

    async def answers(self) -> None:
        """The host gives a seat, or keeps it."""
        filling = await self.redis.hgetall(self.corner.key("filling"))
        for spot, told in filling.items():
            (ticket,) = await find(self.corner, [told.decode().split()[0]])
            if self.rng.random() < 0.5:
                await self.corner.run("kept", spot)
            else:
                await self.corner.run("filled", spot, f"x{self.now}")
                assert ticket
                await self.is_formed(spot.decode(), ticket.asked.players())

    async def starts(self) -> None:
        """A table of two begins its match."""
        people = self.rng.sample(PEOPLE, 2)
        match = f"s{self.now}"
        answer = await self.corner.run(
            "table", match, 0, b"body", "started", self.now, "CODE", " ".join(people), "", "", "",
            "", "", "", match, "ambush", b"event", f"{people[0]} 0 {people[1]} 1",
        )  # fmt: skip
        if answer[0] == b"ok":
            await self.is_formed(match, people)

    async def is_formed(self, match: str, people: list[str]) -> None:
        """Who has a match waits nowhere any more."""
        self.formed[match] = people
        for name in people:
            assert not await self.redis.hlen(self.corner.key("player", name)), (match, name)

    async def tickets(self) -> list[Ticket]:
        """All that were ever made."""
        return [one for one in await find(self.corner, self.made) if one]

    async def some(self, state: str) -> Ticket | None:
        """Any ticket in a state."""
        found = [one for one in await self.tickets() if one.state == state]
        return self.rng.choice(found) if found else None

    async def agrees(self, when: str) -> None:
        """Queues, indices, offers and tickets say the same."""
        tickets = await self.tickets()
        live = [one for one in tickets if one.state not in ENDED]
        held = {name for name in PEOPLE if await self.redis.exists(self.corner.key("held", name))}
        asked = {name for one in live if one.state == "offered" for name in one.asked.players()}
        assert held == asked, when
        for queue in QUEUES:
            waiting = {
                one.id
                for one in live
                if one.asked.queue == queue
                and one.state == "waiting"
                and not held & set(one.asked.players())
            }
            there = await self.redis.zrange(self.corner.key("queue", queue.id), 0, -1)
            assert {one.decode() for one in there} == waiting, when
            mirror = self.mirrors[queue.id]
            await mirror.follow()
            assert mirror.waiting.keys() == waiting, when
            assert mirror.backfill <= waiting, when
            count = await self.redis.hget(self.corner.key("live"), queue.id)
            assert int(count or 0) == sum(one.asked.queue == queue for one in live), when
        for name in PEOPLE:
            index = await self.redis.hgetall(self.corner.key("player", name))
            own = {
                one.asked.queue.id: one.id
                for one in live
                if name in one.asked.players() and name not in one.awaited
            }
            assert {key.decode(): one.decode() for key, one in index.items()} == own, when
            invites = await self.redis.smembers(self.corner.key("invites", name))
            assert {one.decode() for one in invites} == {
                one.id for one in live if name in one.awaited
            }, when
        offers = await self.redis.zrange(self.corner.key("offers"), 0, -1)
        keys = {await self.redis.hget(self.corner.key("ticket", one.id), "o") for one in live}
        assert set(offers) == keys - {None}, when


@pytest.mark.parametrize("seed", range(4))
async def test_what_is_stored_of_tickets_agrees_whatever_is_done(redis: Redis, seed: int) -> None:
    model = Model(redis, seed)
    await model.plays()
    assert len(model.formed) > 5


async def test_who_accepts_too_late_is_refused(redis: Redis) -> None:
    model = Model(redis, 0)
    queue, party = QUEUES[0], [(Entrant(name),) for name in ("ann", "bob")]
    made = [
        New(f"t{number}", "h", Asked(queue, one, (2,)), (), 0, 10**9)
        for number, one in enumerate(party)
    ]
    await create(model.corner, made)
    token = await model.leases(queue)
    claim = (0, queue.id, token, "m", ACCEPT_MS, "ambush", b"event", "t0 t1", "ann 0 bob 1", 2)
    assert await model.corner.run("claim", *claim) == [b"ok"]
    assert await model.corner.run("accept", "t0", "ann", ACCEPT_MS - 1, "", "") == [b"ok"]
    late = await model.corner.run("accept", "t1", "bob", ACCEPT_MS, "", "")
    assert late == [b"refused", b"lapsed"]
    assert await model.corner.run("sweep", ACCEPT_MS, 10) == [1, 0]
    ann, bob = await find(model.corner, ["t0", "t1"])
    assert ann
    assert bob
    assert (ann.state, ann.since, bob.state, bob.reason) == (
        "waiting",
        0,
        "cancelled",
        "no_answer",
    )
