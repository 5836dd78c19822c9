"""Whatever is sent to the accounts service, the fault is the sender's: no INTERNAL, no crash."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import grpc
import pytest
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from protovalidate import Validator

from services.accounts.bind import SERVICE
from services.runtime.auth import Caller, Role
from tests.accounts.given import Office
from tests.contract.mutating import filled, mangled
from tests.referee.given import Refused

FAULTS = (grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN, grpc.StatusCode.UNAVAILABLE)
ROUNDS = 40
TRIES = 100
VALIDATOR = Validator()


def sent_by(kind: type[Message], rng: Random) -> Message:
    """Anything; more often than not something that is well formed."""
    made = filled(kind, rng)
    for _ in range(rng.choice([0, TRIES])):
        if not VALIDATOR.collect_violations(made):
            break
        made = filled(kind, rng)
    return made


@pytest.mark.parametrize("seed", range(2))
async def test_whatever_is_sent_no_call_fails_for_our_sake(there: Office, seed: int) -> None:
    await there.studio("acme")
    rng = Random(seed)
    callers = [
        Caller("acme", "acme", Role.TENANT),
        Caller("root", "", Role.ADMIN),
        Caller("ann", "acme", Role.PLAYER),
    ]
    tokens = [there.keys.mint(caller) for caller in callers]

    async def sent(method: str, body: bytes, token: str) -> None:
        stub: Any = there.channel.unary_unary(f"/{SERVICE.full_name}/{method}")
        metadata = (("authorization", f"Bearer {token}"),)
        try:
            await stub(body, metadata=metadata, timeout=20)
        except grpc.aio.AioRpcError as error:
            refused = Refused(error)
            assert refused.status not in FAULTS, (method, body, refused.details)

    for _ in range(ROUNDS):
        calls = []
        for method in SERVICE.methods:
            kind = GetMessageClass(method.input_type)
            body = mangled(sent_by(kind, rng).SerializeToString(), rng)
            calls.append(sent(method.name, body, rng.choice(tokens)))
        await asyncio.gather(*calls)
    await there.root.call("ListTenants")
