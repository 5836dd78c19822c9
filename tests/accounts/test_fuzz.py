"""Whatever is sent to the accounts service, the fault is the sender's: no INTERNAL, no crash."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from protovalidate import Validator

from services.accounts.bind import SERVICE
from services.runtime.auth import Caller, Role
from tests.accounts.given import Office
from tests.referee.given import Refused

FAULTS = (grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN, grpc.StatusCode.UNAVAILABLE)
NUMBERS = (0, 1, -1, 2, 30, 200, 2**31 - 1, -(2**31))
LARGE = (*NUMBERS, 4_000_000_000, 253_402_300_799, -62_135_596_800, 2**63 - 1, -(2**63))
TEXTS = (
    *(
        "",
        "a",
        "acme",
        "keys/a",
        "players/a",
        "tenants/acme",
        "MQ==",
        "a\x00b",
        "\u202e",
        "😀" * 60,
    ),
    *("'; DROP TABLE api_keys; --", "a" * 64, "a" * 500, "%s%n", "vallum_aaaaaaaaaaaa_" + "a" * 52),
)
ROUNDS = 40
TRIES = 100
VALIDATOR = Validator()


def filled(kind: type[Message], rng: Random, depth: int = 0) -> Message:
    """A message with anything in it."""
    made: Any = kind()
    for field in kind.DESCRIPTOR.fields:
        if rng.random() < 0.35:
            continue
        values = [value(field, rng, depth) for _ in range(rng.choice([1, 1, 2, 9]))]
        if field.message_type:
            target = getattr(made, field.name)
            target.extend(values) if field.is_repeated else target.CopyFrom(values[0])
        elif field.is_repeated:
            getattr(made, field.name).extend(values)
        else:
            setattr(made, field.name, values[0])
    return made  # type: ignore[no-any-return]  # a message, as it was made


def sent_by(kind: type[Message], rng: Random) -> Message:
    """Anything; more often than not something that is well formed."""
    made = filled(kind, rng)
    for _ in range(rng.choice([0, TRIES])):
        if not VALIDATOR.collect_violations(made):
            break
        made = filled(kind, rng)
    return made


def value(field: Any, rng: Random, depth: int) -> Any:
    """Anything that a field may hold."""
    if field.message_type:
        return filled(GetMessageClass(field.message_type), rng, depth + 1)
    match field.cpp_type:
        case FieldDescriptor.CPPTYPE_STRING:
            return rng.choice(TEXTS)
        case FieldDescriptor.CPPTYPE_BOOL:
            return rng.random() < 0.5
        case FieldDescriptor.CPPTYPE_INT64:
            return rng.choice(LARGE)
        case FieldDescriptor.CPPTYPE_ENUM:
            return rng.choice([0, 1, 2, 3, 99])
        case _:
            return rng.choice(NUMBERS)


def mangled(body: bytes, rng: Random) -> bytes:
    """A message that was damaged on its way."""
    found = bytearray(body)
    for _ in range(rng.choice([0, 0, 0, 1, 3])):
        if found:
            found[rng.randrange(len(found))] = rng.randrange(256)
    return bytes(found)


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
