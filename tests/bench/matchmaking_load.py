"""Matchmaking under load: a thousand tickets a second for a minute, through gRPC and a real Redis.

The clock of a ticket runs from its request to the MatchFormed of its group on the bus.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from statistics import mean, quantiles
from typing import Any, NamedTuple

import grpc
import psutil

from services.runtime.auth import Caller, Keys, Role
from services.runtime.bus import ENTRY, streams
from services.runtime.embedded import EmbeddedRedis
from services.runtime.redis import connect
from tests.bench.figures import Figure
from vallum.events.v1 import events_pb2 as ev
from vallum.matchmaking.v1 import matchmaking_pb2 as mm

RATE = 1_000
SECONDS = 60
BATCH = 250
PARTITIONS = 16
UNDER_WAY = 8
"""Batches at a time at the most: a slower machine is given fewer tickets, not a longer wait."""
SEATS = 4
QUIET_S = 60.0
"""Seconds in which the last tickets must have found each other."""


class Outcome(NamedTuple):
    """What one run showed."""

    waited: list[float]
    """Seconds of each ticket that was matched."""
    collisions: int
    """Players who were given a second match."""
    tickets: int
    rate: float
    """Tickets a second that were taken in."""
    unmatched: int
    spread: float
    """Largest less smallest rating at a table, on average."""
    best_spread: float
    """The same where everybody is known at once, and sorted."""
    cpu_us: float = 0.0
    """Microseconds of CPU for each ticket, of the matchmaker and of Redis."""


@contextmanager
def matchmaker(redis_url: str, folder: Path) -> Iterator[tuple[str, int]]:
    """A matchmaker in a process of its own; where it listens, and its process id."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.bench.matchmaker", redis_url, str(folder / "key.pem")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        yield f"127.0.0.1:{process.stdout.readline().decode().strip()}", process.pid
        process.stdin.close()


async def load(redis_url: str, target: str, keys: Keys, seconds: int) -> Outcome:
    """Enter players at the rate, in batches; then read from the bus what became of them."""
    rng = Random(1)
    ratings = {f"p{number}": rng.gauss(25, 6) for number in range(RATE * seconds)}
    names = list(ratings)
    metadata = (("authorization", f"Bearer {keys.mint(Caller('b', 'north', Role.TENANT))}"),)
    sent: dict[str, float] = {}
    async with grpc.aio.insecure_channel(target) as channel:
        call: Any = channel.unary_unary(
            "/vallum.matchmaking.v1.MatchmakingService/BatchCreateTickets",
            request_serializer=mm.BatchCreateTicketsRequest.SerializeToString,
            response_deserializer=mm.BatchCreateTicketsResponse.FromString,
        )
        turns, began = asyncio.Semaphore(UNDER_WAY), time.time()

        async def batch(lot: list[str]) -> None:
            try:
                await enter(call, metadata, {name: ratings[name] for name in lot})
            finally:
                turns.release()

        async with asyncio.TaskGroup() as calls:
            for at in range(0, len(names), BATCH):
                await asyncio.sleep(max(0.0, began + at / RATE - time.time()))
                await turns.acquire()
                if time.time() > began + seconds:
                    break
                lot = names[at : at + BATCH]
                sent |= dict.fromkeys(lot, time.time())
                calls.create_task(batch(lot))
        took = max(time.time() - began, 1.0)
    there = {name: ratings[name] for name in sent}
    return await outcome(redis_url, sent, there, len(sent) / took)


async def enter(call: Any, metadata: Any, ratings: dict[str, float]) -> None:
    """One batch."""
    request = mm.BatchCreateTicketsRequest(
        requests=[
            mm.CreateTicketRequest(
                game="ambush",
                party=[mm.Entry(player=name, mu=mu, sigma=2.0)],
                min_seats=SEATS,
                max_seats=SEATS,
                request_id=name,
            )
            for name, mu in ratings.items()
        ]
    )
    answer = await call(request, metadata=metadata, timeout=60)
    assert all(one.name for one in answer.outcomes)


async def outcome(
    redis_url: str, sent: dict[str, float], ratings: dict[str, float], rate: float
) -> Outcome:
    """Read the bus until nothing more comes."""
    seats: Counter[str] = Counter()
    waited: dict[str, float] = {}
    spreads: list[float] = []
    matches: set[str] = set()
    read = dict.fromkeys(streams("formed", PARTITIONS), "-")
    async with connect(redis_url) as redis:
        until = time.time() + QUIET_S
        while len(waited) < len(sent) - SEATS and time.time() < until:
            await asyncio.sleep(0.5)
            for key, after in read.items():
                rows: Any = await redis.xrange(key, min=after)
                for id_, row in rows:
                    read[key] = f"({id_.decode()}"
                    fact = ev.Event.FromString(row[ENTRY]).match_formed
                    if fact.match_id in matches:
                        continue
                    matches.add(fact.match_id)
                    there = [one.player for one in fact.seats if one.player]
                    seats.update(there)
                    spreads.append(max(map(ratings.get, there)) - min(map(ratings.get, there)))  # type: ignore[type-var, operator]  # all of them are there
                    at = int(id_.partition(b"-")[0]) / 1000
                    waited |= {name: at - sent[name] for name in there}
    ranked = sorted(ratings.values())
    tables = [ranked[at : at + SEATS] for at in range(0, len(ranked) - SEATS + 1, SEATS)]
    return Outcome(
        waited=list(waited.values()),
        collisions=sum(count - 1 for count in seats.values()),
        tickets=len(sent),
        rate=rate,
        unmatched=len(sent) - len(waited),
        spread=mean(spreads),
        best_spread=mean(table[-1] - table[0] for table in tables),
    )


def measured(seconds: int = SECONDS) -> Outcome:
    """One run, on an empty storage."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        keys = Keys.ensure(folder / "key.pem")
        with (
            EmbeddedRedis(folder / "redis", "everysec") as server,
            matchmaker(server.url, folder) as (target, pid),
        ):
            before = cpu_s(pid, server.pid)
            found = asyncio.run(load(server.url, target, keys, seconds))
            spent = cpu_s(pid, server.pid) - before
            return found._replace(cpu_us=spent / found.tickets * 1e6)


def cpu_s(*pids: int) -> float:
    """Seconds of CPU that processes have had."""
    times = [psutil.Process(pid).cpu_times() for pid in pids]
    return sum(one.user + one.system for one in times)


def run() -> list[Figure]:
    """Every figure."""
    found = measured()
    cuts = quantiles(found.waited, n=100)
    note = f"{found.tickets:,} at {found.rate:,.0f} a second, {found.unmatched} unmatched"
    spread = f"of mu; {found.best_spread:.2f} if all are sorted at once"
    return [
        Figure("matchmaking_time_to_match_p50_s", "s", [cuts[49]], note),
        Figure("matchmaking_time_to_match_p99_s", "s", [cuts[98]], note),
        Figure("matchmaking_collisions", "players", [float(found.collisions)], note),
        Figure("matchmaking_tickets_per_s", "tickets/s", [found.rate], f"batches of {BATCH}"),
        Figure("matchmaking_ticket_cpu_us", "us", [found.cpu_us], "matchmaker and Redis"),
        Figure("matchmaking_table_spread", "mu", [found.spread], spread),
    ]
