"""Whoever dies while matches are formed: nobody is in two, and no ticket is lost or stuck."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from tests.faults.matchmaking_hall import Scene, exists, scene, seated_once
from tests.faults.matchmaking_host import STEPS
from tests.until import until
from vallum.client import VallumCallError
from vallum.client.matchmaking import ENDED
from vallum.matchmaking.v1 import matchmaking_pb2 as mm

LIMIT = 100.0


async def all_matched(there: Scene, names: list[str], tickets: dict[str, str]) -> list[str]:
    """The matches of everybody, accepted where they are asked."""
    async with asyncio.timeout(LIMIT):
        return list(
            await asyncio.gather(*(there.waits(name).matched(tickets[name]) for name in names))
        )


@pytest.mark.faults
@pytest.mark.timeout(600)
@pytest.mark.parametrize("step", STEPS)
async def test_a_matchmaker_that_dies_at_a_step_leaves_one_match(tmp_path: Path, step: str) -> None:
    names = ["ann", "bob", "cat"]
    async with scene(tmp_path, 1, step) as there:
        await there.rules(accept_s=30.0 if step == "consent sent" else 0.0)
        asking = [
            there.waits(name).enter("ambush", seats=(3, 3), request_id="in") for name in names
        ]
        made = await asyncio.gather(*asking)
        tickets = {name: ticket.name for name, ticket in zip(names, made, strict=True)}
        finding = asyncio.create_task(all_matched(there, names, tickets))
        await there.hosts[0].died()
        await there.hosts[0].start()
        matches = await finding
        assert len(set(matches)) == 1
        assert await exists(there.client("ann"), matches[0])
        formed = await there.formed()
        assert list(formed) == [matches[0].removeprefix("matches/")]
        assert seated_once(formed.values()) == dict.fromkeys(names, 1)


class Crowd:
    """People who enter queues, change their minds, and know in the end what became of them."""

    def __init__(self, there: Scene, people: int, seed: int) -> None:
        self.there = there
        self.names = [f"p{number}" for number in range(people)]
        self.rng = Random(seed)
        self.tickets: dict[str, list[str]] = {}

    async def comes(self, name: str) -> None:
        """Enter two queues; now and then cancel one."""
        rng = Random(f"{name}{self.rng.random()}")
        await asyncio.sleep(rng.uniform(0, 6))
        made = await self.there.enters_at_once(
            name,
            [f'{{"rounds":{rounds}}}' for rounds in rng.sample((1, 2, 3), 2)],
            rng.randrange(2),
        )
        if rng.random() < 0.3:
            await asyncio.sleep(rng.uniform(0, 1))
            await self.cancels(name, made[0], rng.randrange(2))
        self.tickets[name] = made

    async def cancels(self, name: str, ticket: str, at: int) -> None:
        """Cancel a ticket that may have its match already."""
        try:
            await self.there.waits(name, at).cancel(ticket)
        except VallumCallError as error:
            if error.code != "already_matched":
                raise

    async def learns(self, name: str) -> list[mm.Ticket]:
        """Each of his tickets, as it is now."""
        waits = self.there.waits(name, 1)
        return [await waits.get(ticket) for ticket in self.tickets[name]]

    async def settled(self) -> bool:
        """Whether nobody is left who could still be matched with somebody."""
        seen = [ticket for name in self.names for ticket in await self.learns(name)]
        waiting = Counter(one.queue for one in seen if one.state not in ENDED)
        return all(count < 2 for count in waiting.values())


async def kills(there: Scene, rng: Random) -> None:
    """Either process and the storage, each once, while people come."""
    for victim in rng.sample(["first", "storage", "second"], 3):
        await asyncio.sleep(rng.uniform(0.5, 2.0))
        if victim == "storage":
            await there.storage.crash()
        else:
            await there.hosts[victim == "second"].crash()


@pytest.mark.faults
@pytest.mark.timeout(900)
async def test_nobody_is_in_two_matches_and_no_ticket_is_stuck_whatever_is_killed(
    tmp_path: Path,
) -> None:
    seed = time.time_ns() % 1_000_000
    print(f"seed {seed}")
    async with scene(tmp_path, 2) as there:
        await there.rules()
        crowd = Crowd(there, 40, seed)
        async with asyncio.TaskGroup() as around:
            around.create_task(kills(there, Random(seed)))
            for name in crowd.names:
                around.create_task(crowd.comes(name))
        await until(crowd.settled, LIMIT)
        found = {name: await crowd.learns(name) for name in crowd.names}
        matches = {
            name: [one.match for one in tickets if one.state == mm.TICKET_STATE_MATCHED]
            for name, tickets in found.items()
        }
        assert all(len(one) <= 1 for one in matches.values())
        for match in sorted({one for some in matches.values() for one in some}):
            assert await exists(there.client("p0"), match)
        formed = await there.formed()
        assert set(seated_once(formed.values()).values()) == {1}
        seats = {one.player: f"matches/{key}" for key, fact in formed.items() for one in fact.seats}
        assert seats == {name: one[0] for name, one in matches.items() if one}
        ended = {one.reason for some in found.values() for one in some if one.state in ENDED}
        assert ended <= {"", "cancelled", "player_matched"}
