"""Play through the real host on the conformance game, beside the echo, in one run.

A replica of each for every core, up to two, and the calls of a match go to one of them. The harness
reads each match's seed from the storage and plays the match in its head first, so that the timed
part sends nothing but Play calls, as a client that always knows its move.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import grpc
import uvloop

from services.gamekit.chance import Chance
from services.gamekit.game import NATURE, Seat
from services.gamekit.play import nature_due, play, sample, settle, start
from services.referee.contract import Contract
from services.referee.log import keys
from services.referee.store import read_head
from services.runtime.auth import Caller, Keys, Role
from services.runtime.embedded import EmbeddedRedis
from services.runtime.redis import connect
from services.runtime.settings import Fsync
from tests.ambush.hosted import HOSTED
from tests.bench.figures import Figure
from tests.bench.load import Call, Run, child, drive, sender

MATCHES = 120
AT_ONCE = 50
SEATS = 4
RUNS = 5
PARTITIONS = 16
REPLICAS = min(2, os.cpu_count() or 1)
TENANT = "bench"


class Move(NamedTuple):
    """One prepared Play."""

    seat: Seat
    action: Any


def imagined(seed: bytes, rng: Random) -> list[Move]:
    """A whole match, played in the head of somebody who knows the seed."""
    game, chance = HOSTED.game, Chance(seed)
    state, _ = settle(game, start(game, SEATS, game.Options()), chance)
    moves = []
    while game.result(state) is None:
        if kind := nature_due(game, state, deferred=True):
            moves.append(Move(NATURE, kind.resolve(state, chance)))
        else:
            decision = rng.choice(game.decisions(state))
            moves.append(Move(decision.seat, sample(game, state, decision, rng)))
        state, _ = settle(game, play(game, state, *moves[-1]), chance)
    return moves


class Bench:
    """Hosts on a storage, and the lanes that play on them."""

    def __init__(self, redis: Any, channels: Sequence[grpc.aio.Channel], tokens: Keys) -> None:
        self.redis = redis
        self.channels = channels
        self.contract = Contract(HOSTED)
        self._metadata = {
            seat: self._token(tokens, f"seat{seat}", Role.PLAYER) for seat in range(SEATS)
        }
        self._metadata[NATURE] = self._token(tokens, "worker", Role.SERVICE)

    async def lanes(self, count: int, run: int) -> list[list[Call]]:
        """`count` fresh matches, each as its calls in order."""
        return [
            await self._lane(f"bench-{run}-{number}", self.channels[number % len(self.channels)])
            for number in range(count)
        ]

    async def _lane(self, match_id: str, channel: grpc.aio.Channel) -> list[Call]:
        contract = self.contract
        request = contract.CreateMatchRequest(
            match_id=match_id,
            seats=[{"player": f"seat{seat}"} for seat in range(SEATS)],
        )
        create = sender(
            channel, self._path("CreateMatch"), request.SerializeToString(), self._metadata[0]
        )
        await create(b"")
        stored = await self.redis.hget(keys("ambush", match_id, PARTITIONS).match, "head")
        moves = imagined(bytes.fromhex(read_head(stored).seed), Random(match_id))
        return [self._call(channel, match_id, number, move) for number, move in enumerate(moves)]

    def _call(self, channel: grpc.aio.Channel, match_id: str, number: int, move: Move) -> Call:
        request = self.contract.PlayRequest(
            name=f"matches/{match_id}",
            seat=move.seat,
            actions=[self.contract.action_message(move.action)],
            request_id=f"r{number}",
        )
        body = request.SerializeToString()
        return sender(channel, self._path("Play"), body, self._metadata[move.seat])

    def _path(self, method: str) -> str:
        return f"/ambush.v1.RulesService/{method}"

    def _token(self, tokens: Keys, subject: str, role: Role) -> tuple[tuple[str, str], ...]:
        return (("authorization", f"Bearer {tokens.mint(Caller(subject, TENANT, role))}"),)


def echo_lanes(channels: Sequence[grpc.aio.Channel]) -> list[list[Call]]:
    """The same number of lanes, calling the echoes with about a Play's bytes."""
    calls = [sender(channel, "/bench.Echo/Echo", b"x" * 110) for channel in channels]
    return [[calls[number % len(calls)]] * 60 for number in range(MATCHES)]


@asynccontextmanager
async def replicas(module: str, *args: str) -> AsyncIterator[list[grpc.aio.Channel]]:
    """A channel to each of REPLICAS processes."""
    async with AsyncExitStack() as stack:
        ports = [await stack.enter_async_context(child(module, *args)) for _ in range(REPLICAS)]
        yield [
            await stack.enter_async_context(grpc.aio.insecure_channel(f"127.0.0.1:{port}"))
            for port in ports
        ]


async def measured(fsync: Fsync, folder: Path) -> tuple[list[Run], list[Run], float]:
    """(echo runs, Play runs, bytes a match) under one persistence profile."""
    key_file = folder / "key.pem"
    tokens = Keys.ensure(key_file)
    with EmbeddedRedis(folder / "data", fsync) as server:
        async with (
            connect(server.url) as redis,
            replicas("tests.bench.echo") as echoes,
            replicas("tests.bench.host", server.url, str(key_file), "0") as hosts,
        ):
            return await paired(Bench(redis, hosts, tokens), echoes)


async def paired(
    bench: Bench, echo: Sequence[grpc.aio.Channel]
) -> tuple[list[Run], list[Run], float]:
    """Echo and Play in turn, after a warm-up of both."""
    echoes, plays = [], []
    await drive(echo_lanes(echo), AT_ONCE)
    await drive(await bench.lanes(AT_ONCE, 0), AT_ONCE)
    before = await used_memory(bench.redis)
    for run in range(1, RUNS + 1):
        lanes = await bench.lanes(MATCHES, run)
        echoes.append(await drive(echo_lanes(echo), AT_ONCE))
        plays.append(await drive(lanes, AT_ONCE))
    after = await used_memory(bench.redis)
    return echoes, plays, (after - before) / (MATCHES * RUNS)


async def used_memory(redis: Any) -> int:
    """Bytes that the storage holds, bus and all."""
    return int((await redis.info("memory"))["used_memory"])


def run() -> list[Figure]:
    """Every profile."""
    figures = []
    profiles: tuple[tuple[Fsync, str], ...] = (
        ("everysec", ""),
        ("memory", "_memory"),
        ("always", "_always"),
    )
    for fsync, suffix in profiles:
        with tempfile.TemporaryDirectory() as folder:
            echoes, plays, size = uvloop.run(measured(fsync, Path(folder)))
        pairs = zip(plays, echoes, strict=True)
        note = f"fsync {fsync}" if suffix != "_memory" else "no persistence"
        named = {
            "play_echo_calls_per_s": ("calls/s", [one.per_s for one in echoes]),
            "play_echo_p99_ms": ("ms", [one.p99_ms for one in echoes]),
            "play_moves_per_s": ("moves/s", [one.per_s for one in plays]),
            "play_p50_ms": ("ms", [one.p50_ms for one in plays]),
            "play_p99_ms": ("ms", [one.p99_ms for one in plays]),
            "play_vs_echo_ratio": ("ratio", [mine.per_s / echo.per_s for mine, echo in pairs]),
            "play_bytes_per_match": ("bytes", [size]),
        }
        figures += [Figure(name + suffix, unit, runs, note) for name, (unit, runs) in named.items()]
    return figures
