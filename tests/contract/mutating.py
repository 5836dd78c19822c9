"""Requests that are not what they should be: fields with anything in them, damaged bytes."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

NUMBERS = (0, 1, -1, 2, 5, 6, 30, 200, 2**31 - 1, -(2**31))
UNSIGNED = (0, 1, 2, 7, 200, 2**31, 2**32 - 1)
LARGE = (*NUMBERS, 4_000_000_000, 253_402_300_799, -62_135_596_800, 2**63 - 1, -(2**63))
REALS = (0.0, 1.0, -1.5, 25.0, 1e308, -1e308, float("inf"), float("nan"))
TEXTS = (
    *("", "a", "acme", "keys/a", "players/a", "tenants/acme", "matches/a", "MQ==", "bot", "random"),
    *("a\x00b", "\u202e", "😀" * 60, "'; DROP TABLE api_keys; --", "a" * 64, "a" * 500, "%s%n"),
    *("hadrians_wall", "ambush", "{}", '{"rounds": 1}', '{"rounds": 1e99}', "[[[", "2026-q4"),
    *("1-1", "99999999999999999999-0", "-", "OTk5OTk5OTk5OTk5", "vallum_aaaaaaaaaaaa_" + "a" * 52),
)
DEEPEST = 4


def filled(kind: type[Message], rng: Random, depth: int = 0) -> Message:
    """A message with anything in it."""
    made: Any = kind()
    for field in kind.DESCRIPTOR.fields:
        if rng.random() >= 0.35 and (depth < DEEPEST or not field.message_type):
            put(made, field, rng, depth)
    return made  # type: ignore[no-any-return]  # a message, as it was made


def disturbed(message: Message, rng: Random) -> Message:
    """A message with anything in one field or two."""
    fields: list[Any] = list(message.DESCRIPTOR.fields)
    for field in rng.sample(fields, min(len(fields), rng.choice([0, 1, 1, 2]))):
        message.ClearField(field.name)
        put(message, field, rng, 0)
    return message


def put(made: Any, field: Any, rng: Random, depth: int) -> None:
    """Anything into a field."""
    if is_map(field):
        return
    values = [value(field, rng, depth) for _ in range(rng.choice([1, 1, 2, 9]))]
    if field.message_type:
        target = getattr(made, field.name)
        target.extend(values) if field.is_repeated else target.CopyFrom(values[0])
    elif field.is_repeated:
        getattr(made, field.name).extend(values)
    else:
        setattr(made, field.name, values[0])


def is_map(field: Any) -> bool:
    return bool(field.message_type and field.message_type.GetOptions().map_entry)


def value(field: Any, rng: Random, depth: int) -> Any:
    """Anything that a field may hold."""
    if field.message_type:
        return filled(GetMessageClass(field.message_type), rng, depth + 1)
    if field.type == FieldDescriptor.TYPE_BYTES:
        return rng.randbytes(rng.choice([0, 1, 40]))
    kinds: dict[int, Sequence[Any]] = {
        FieldDescriptor.CPPTYPE_STRING: TEXTS,
        FieldDescriptor.CPPTYPE_BOOL: (False, True),
        FieldDescriptor.CPPTYPE_ENUM: (0, 1, 2, 3, 99),
        FieldDescriptor.CPPTYPE_INT64: LARGE,
        FieldDescriptor.CPPTYPE_UINT32: UNSIGNED,
        FieldDescriptor.CPPTYPE_UINT64: UNSIGNED,
        FieldDescriptor.CPPTYPE_DOUBLE: REALS,
        FieldDescriptor.CPPTYPE_FLOAT: REALS,
    }
    return rng.choice(kinds.get(field.cpp_type, NUMBERS))


def mangled(body: bytes, rng: Random) -> bytes:
    """A message that was damaged on its way; more often than not it was not."""
    found = bytearray(body)
    for _ in range(rng.choice([0, 0, 0, 0, 0, 1, 3])):
        if found:
            found[rng.randrange(len(found))] = rng.randrange(256)
    return bytes(found)
