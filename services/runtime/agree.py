"""Whether a record and its message say the same, told in words: the contract test of every game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from msgspec import NODEFAULT

from services.gamekit.game import Record
from services.runtime.shapes import (
    ITEMS,
    ONEOF,
    Either,
    Many,
    Maybe,
    One,
    Plain,
    Shape,
    Slot,
    Unknown,
    Word,
    slots,
)
from services.runtime.twins import upper, words

SCALARS = {
    int: (FieldDescriptor.TYPE_INT32, FieldDescriptor.TYPE_UINT32, FieldDescriptor.TYPE_SINT32),
    bool: (FieldDescriptor.TYPE_BOOL,),
    str: (FieldDescriptor.TYPE_STRING,),
}

Seen = set[tuple[type[Record], str]]


def agree(record: type[Record], message: Descriptor) -> list[str]:
    """Every difference between a record and its message; empty when they are twins."""
    return list(_record(record, message, message.name, set()))


def agree_kinds(kinds: Mapping[str, type[Record]], message: Descriptor) -> list[str]:
    """Every difference between a game's kinds of action, by snake_case name, and its Action."""
    return list(_kinds(kinds, message, message.name, set()))


def _record(record: type[Record], message: Descriptor, path: str, seen: Seen) -> Iterator[str]:
    if (record, message.full_name) in seen:
        return
    seen.add((record, message.full_name))
    mine = {slot.name: slot for slot in slots(record)}
    for name in sorted(message.fields_by_name.keys() - mine.keys()):
        yield f"{path}.{name}: not in {record.__name__}"
    for name, slot in mine.items():
        field = message.fields_by_name.get(name)
        if field is None:
            yield f"{path}.{name}: only in {record.__name__}"
        else:
            yield from _slot(slot, field, f"{path}.{name}", seen)


def _slot(slot: Slot, field: FieldDescriptor, path: str, seen: Seen) -> Iterator[str]:
    shape = slot.shape
    if isinstance(shape, Maybe):
        if slot.default is not None and slot.default is not NODEFAULT:
            yield f"{path}: may be None, so only None can be its default"
        if not field.has_presence and not isinstance(shape.of, Word):
            yield f"{path}: may be None, so it must be optional"
    yield from _field(shape, field, path, seen)


def _field(shape: Shape, field: FieldDescriptor, path: str, seen: Seen) -> Iterator[str]:
    shape = shape.of if isinstance(shape, Maybe) else shape
    if isinstance(shape, Many) != field.is_repeated:
        yield f"{path}: {'repeated' if field.is_repeated else 'single'} in the message only"
    elif isinstance(shape, Many):
        yield from _item(shape.of, field, path, seen)
    else:
        yield from _single(shape, field, path, seen)


def _item(shape: Shape, field: FieldDescriptor, path: str, seen: Seen) -> Iterator[str]:
    if isinstance(shape, Many):
        row = field.message_type
        if row is None or [(f.name, f.is_repeated) for f in row.fields] != [(ITEMS, True)]:
            yield f"{path}: needs a message with one repeated field `{ITEMS}`"
        else:
            yield from _item(shape.of, row.fields[0], f"{path}.{ITEMS}", seen)
    elif isinstance(shape, Maybe) and not isinstance(shape.of, Word):
        yield f"{path}: only words may be None within a tuple"
    else:
        yield from _single(shape.of if isinstance(shape, Maybe) else shape, field, path, seen)


def _single(shape: Shape, field: FieldDescriptor, path: str, seen: Seen) -> Iterator[str]:
    match shape:
        case Plain(kind):
            if field.type not in SCALARS[kind]:
                yield f"{path}: not {kind.__name__} in the message"
        case Word(enum):
            yield from _enum(enum, field.enum_type, path)
        case One(record):
            if field.message_type is None:
                yield f"{path}: {record.__name__} needs a message"
            else:
                yield from _record(record, field.message_type, path, seen)
        case Either(kinds):
            if field.message_type is None:
                yield f"{path}: a union needs a message"
            else:
                yield from _kinds(kinds, field.message_type, path, seen)
        case Unknown(annotation):
            yield f"{path}: {annotation} has no form on the wire"
        case _:
            yield f"{path}: a tuple or None has no form on the wire here"


def _kinds(
    kinds: Mapping[str, type[Record]], message: Descriptor, path: str, seen: Seen
) -> Iterator[str]:
    if list(message.oneofs_by_name) != [ONEOF]:
        yield f"{path}: a union needs one oneof named `{ONEOF}`"
        return
    fields = {field.name: field for field in message.oneofs_by_name[ONEOF].fields}
    for name in sorted(message.fields_by_name.keys() | kinds.keys()):
        where = f"{path}.{name}"
        if name not in kinds:
            yield f"{where}: no such kind of record"
        elif name not in fields:
            yield f"{where}: only among the records"
        else:
            yield from _single(One(kinds[name]), fields[name], where, seen)


def _enum(enum: type[StrEnum], twin: EnumDescriptor | None, path: str) -> Iterator[str]:
    if twin is None:
        yield f"{path}: {enum.__name__} needs an enum"
        return
    if not twin.values_by_number[0].name.endswith("_UNSPECIFIED"):
        yield f"{path}: value 0 of {twin.name} must be its UNSPECIFIED"
        return
    mine, theirs = {upper(member) for member in enum}, words(twin).keys()
    for name in sorted(mine - theirs):
        yield f"{path}: {twin.name} lacks {name}"
    for name in sorted(theirs - mine):
        yield f"{path}: {enum.__name__} lacks {name}"
