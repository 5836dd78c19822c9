"""Sending prepared calls: as many lanes as asked, each waiting for its answer before the next."""

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


async def drive(lanes: Sequence[Sequence[Call]], seconds: float = 60.0) -> Run:
    """Every lane's calls in order, all lanes at once. A lane is bounded by its length."""
    took: list[float] = []

    async def lane(calls: Sequence[Call]) -> None:
        for call in calls:
            began = time.perf_counter()
            await call(b"")
            took.append(time.perf_counter() - began)

    began = time.perf_counter()
    await asyncio.wait_for(asyncio.gather(*(lane(calls) for calls in lanes)), seconds)
    whole = time.perf_counter() - began
    cuts = quantiles(took, n=100)
    return Run(len(took) / whole, cuts[49] * 1000, cuts[98] * 1000)


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
