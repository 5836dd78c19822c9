"""Records to protobuf and back, by name.

The converters of a record and its message are compiled once, into closures. Towards the wire they
build one tree of dicts, which a message takes whole: that is the fastest way to fill one.

| record | message |
| --- | --- |
| int, bool, str | a scalar |
| StrEnum member "renown" | enum value ATTRIBUTE_RENOWN of `enum Attribute` |
| Record, Bag | a message with the same fields |
| tagged union of Records | a message with `oneof kind`, a field for each tag |
| tuple | repeated; in a tuple of tuples, of a message with one field `items` |
| X or None | an optional or message field that is unset; an enum's UNSPECIFIED |

On the way in, a field that is unset takes its default; a bag that is unset is empty.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar, cast

from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message

from services.gamekit.game import Record
from services.runtime.agree import agree, agree_kinds
from services.runtime.errors import InvalidRequest
from services.runtime.reading import BadValue, Readers
from services.runtime.shapes import ONEOF, tag_of
from services.runtime.twins import Convert
from services.runtime.writing import Writers

__all__ = [
    "action_from_message",
    "action_to_message",
    "agree",
    "agree_kinds",
    "from_message",
    "to_message",
]

M = TypeVar("M", bound=Message)
R = TypeVar("R", bound=Record)

_writers: dict[tuple[type[Record], type[Message]], Convert] = {}
_readers: dict[tuple[type[Record], type[Message]], Convert] = {}
_all_writers, _all_readers = Writers(), Readers()


class Mismatch(TypeError):
    """A record and its message do not agree: a fault of the contract, not of a request."""


def to_message(record: Record, message: type[M]) -> M:
    """`record` as a message. Raises Mismatch when the two are no twins."""
    key = (type(record), message)
    write = _writers.get(key)
    if write is None:
        descriptor = _descriptor(message)
        _check(agree(type(record), descriptor))
        write = _writers[key] = _all_writers.record(type(record), descriptor)
    return message(**write(record))


def from_message(message: Message, record: type[R], path: str = "") -> R:
    """`message` as a record. Raises InvalidRequest naming the field, under `path`."""
    try:
        found: R = _reader(record, type(message))(message)
    except BadValue as bad:
        raise _invalid(bad, path) from None
    return found


def action_to_message(action: Record, message: type[M]) -> M:
    """An action as a game's Action message: the field of its oneof named like its kind."""
    kind = type(action)
    key = (kind, message)
    write = _writers.get(key)
    if write is None:
        tag = tag_of(kind)
        descriptor = _descriptor(message)
        field = descriptor.fields_by_name.get(tag)
        if field is None or field.message_type is None:
            raise Mismatch(f"{descriptor.full_name} has no message {tag}")
        _check(agree(kind, field.message_type))
        write = _writers[key] = _all_writers.kinds({tag: kind}, descriptor)
    return message(**write(action))


def action_from_message(message: Message, kinds: Mapping[str, type[R]], path: str = "action") -> R:
    """The action in a game's Action message.

    `kinds` by snake_case name. Raises InvalidRequest: `unknown_action` when it holds none of them,
    else the code `invalid_request` with the field, under `path`.
    """
    name = message.WhichOneof(ONEOF)
    kind = kinds.get(name) if name else None
    if name is None or kind is None:
        raise InvalidRequest("unknown_action", fields=[(path, "none of this game's actions")])
    inner = getattr(message, name)
    try:
        found: R = _reader(kind, type(inner))(inner)
    except BadValue as bad:
        raise _invalid(bad.inside(name), path) from None
    return found


def _reader(record: type[Record], message: type[Message]) -> Convert:
    key = (record, message)
    read = _readers.get(key)
    if read is None:
        descriptor = _descriptor(message)
        _check(agree(record, descriptor))
        read = _readers[key] = _all_readers.record(record, descriptor)
    return read


def _descriptor(message: type[Message]) -> Descriptor:
    return cast(Descriptor, message.DESCRIPTOR)  # typed for two implementations


def _check(differences: list[str]) -> None:
    if differences:
        raise Mismatch("; ".join(differences))


def _invalid(bad: BadValue, path: str) -> InvalidRequest:
    where = bad.inside(path).path if path else bad.path
    return InvalidRequest(fields=[(where, bad.text)])
