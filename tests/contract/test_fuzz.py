"""Whatever is sent to whichever service, the fault is the sender's, and nothing of another
tenant's comes back. A slice of it always; a hundred thousand requests in the soak."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator
from random import Random

import grpc
import psutil
import pytest
import structlog
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message_factory import GetMessageClass

from services.runtime.auth import Role
from tests.contract.asking import access, methods, request
from tests.contract.hall import Answer, Hall, hall, token
from tests.contract.mutating import disturbed, filled, mangled
from tests.servers import Server

CODE = grpc.StatusCode
FAULTS = (CODE.INTERNAL, CODE.UNKNOWN)
AT_ONCE = 16
STREAMS = 0.1
"""The part of calls to streams that is made: each waits for a first message."""
SLICE, SOAK, PARTS = 1_500, 100_000, 10
MEMORY = 128 * 1024 * 1024
"""How many more bytes the process, in which every service runs, may have after the soak than after
its first fifth: each request in ten makes something that is kept in memory while it is used."""

log = structlog.get_logger(__name__)


@pytest.fixture
async def there(
    redis_server: Server, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Hall]:
    """A platform of its own: what is left of it is anything."""
    folder, free = tmp_path_factory.mktemp("hall"), {"rate_player": 0.0, "rate_tenant": 0.0}
    async with hall(redis_server.database(61), folder, log_level="warning", **free) as running:
        yield running


def body_of(there: Hall, method: MethodDescriptor, rng: Random) -> bytes:
    """A request that is nearly right, or not at all."""
    if rng.random() < 0.2:
        return mangled(filled(GetMessageClass(method.input_type), rng).SerializeToString(), rng)
    names = there.north.of(method)
    return mangled(disturbed(request(method, names), rng).SerializeToString(), rng)


def wrong(there: Hall, role: Role, answer: Answer) -> bool:
    """Whether somebody else than the sender is at fault, or something of the south is told."""
    if answer.code in FAULTS or answer.reason == "storage_unavailable":
        return True
    bound = role in (Role.PLAYER, Role.TENANT)
    return bound and any(mark in answer.body for mark in there.south.marks())


async def sent(there: Hall, number: int, rng: Random) -> dict[str, object]:
    """So many requests, in the roles that may call; what was wrong, by method."""
    every = [one for one in methods() if one.name != "UpdateTenant"]  # it might be suspended
    gate = asyncio.Semaphore(AT_ONCE)
    found: dict[str, object] = {}

    async def one(method: MethodDescriptor, body: bytes, role: Role) -> None:
        async with gate:
            answer = await there.ask(method, body, token(role, there.north))
        if wrong(there, role, answer):
            found[method.full_name] = (role.name, body, answer)

    left = number
    while left > 0:
        batch = [
            one(method, body_of(there, method, rng), Role(rng.choice(access(method).roles or [0])))
            for method in rng.sample(every, len(every))
            if not method.server_streaming or rng.random() < STREAMS
        ]
        left -= len(batch)
        await asyncio.gather(*batch)
    return found


async def test_a_slice_of_anything(there: Hall) -> None:
    assert await sent(there, SLICE, Random(1)) == {}


@pytest.mark.soak
@pytest.mark.timeout(3600)
async def test_a_hundred_thousand_requests_of_anything(there: Hall) -> None:
    rng, process = Random(2), psutil.Process()
    sizes: list[int] = []
    for _ in range(PARTS):
        assert await sent(there, SOAK // PARTS, rng) == {}
        gc.collect()
        sizes.append(process.memory_info().rss)
        log.warning("soaked", part=len(sizes), mebibytes=sizes[-1] >> 20)
    assert sizes[-1] - sizes[1] < MEMORY, sizes  # by then what is kept for speed is there
