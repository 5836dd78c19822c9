"""Sending prepared calls, in lanes that wait for each answer before the next call."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from statistics import quantiles
from typing import Any, NamedTuple

import grpc

Call = Callable[[bytes], Any]


class Run(NamedTuple):
    """What one run gave."""

    per_s: float
    p50_ms: float
    p99_ms: float


async def drive(lanes: Sequence[Sequence[Call]], at_once: int, seconds: float = 60.0) -> Run:
    """`at_once` lanes at any time, each with its calls in order, the next lane after one that has
    ended. It is measured while there are as many: when no lane is left to begin, the rest of the
    calls are made but not counted."""
    took: list[float] = []
    waiting = iter(lanes)
    ended: list[float] = []

    async def one() -> None:
        for calls in waiting:
            for call in calls:
                began = time.perf_counter()
                await call(b"")
                if not ended:
                    took.append(time.perf_counter() - began)
        ended.append(time.perf_counter())

    began = time.perf_counter()
    await asyncio.wait_for(asyncio.gather(*(one() for _ in range(at_once))), seconds)
    cuts = quantiles(took, n=100)
    return Run(len(took) / (ended[0] - began), cuts[49] * 1000, cuts[98] * 1000)


@asynccontextmanager
async def child(module: str, *args: str) -> AsyncIterator[int]:
    """A server of ours in a process of its own, which prints its port first."""
    process = subprocess.Popen(  # noqa: ASYNC220 # starting it is quick
        [sys.executable, "-m", module, *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stdin is not None
    try:
        line = await asyncio.wait_for(asyncio.to_thread(process.stdout.readline), 20)
        yield int(line)
    finally:
        process.stdin.close()
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            process.kill()


def sender(channel: grpc.aio.Channel, method: str, body: bytes, metadata: Any = ()) -> Call:
    """A call with a body made beforehand."""
    stub: Any = channel.unary_unary(method)

    async def call(_: bytes) -> Any:
        return await stub(body, metadata=metadata)

    return call
