"""Protobuf messages into records; what does not fit is told by its path."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from msgspec import NODEFAULT

from services.gamekit.bag import Bag
from services.gamekit.game import Record
from services.runtime.shapes import ITEMS, ONEOF, Either, Many, Maybe, One, Shape, Slot, Word, slots
from services.runtime.twins import Convert, Twins, message_of, numbers_of

REQUIRED = "must be set"
UNKNOWN = "unknown value"


class BadValue(ValueError):
    """A value that a record cannot hold, with the path to it."""

    def __init__(self, text: str, path: str = "") -> None:
        super().__init__(text)
        self.text = text
        self.path = path

    def inside(self, step: str) -> BadValue:
        """The same, seen from one step further out."""
        dot = "." if self.path and not self.path.startswith("[") else ""
        return BadValue(self.text, f"{step}{dot}{self.path}")


class Readers(Twins):
    """From messages. They raise BadValue."""

    def _record(self, record: type[Record], message: Descriptor) -> Convert:
        parts = [self._slot(slot, message.fields_by_name[slot.name]) for slot in slots(record)]
        names = record.__struct_fields__
        in_order = record.__match_args__ == names

        def read(value: Message) -> Any:
            values: list[Any] = []
            try:
                for part in parts:
                    values.append(part(value))  # noqa: PERF401 # its length says which one is bad
            except BadValue as bad:
                raise bad.inside(names[len(values)]) from None
            return record(*values) if in_order else record(**dict(zip(names, values, strict=True)))

        return read

    def _kinds(self, kinds: Mapping[str, tuple[type[Record], Convert]]) -> Convert:
        table = {name: turn for name, (_, turn) in kinds.items()}

        def read(value: Message) -> Any:
            name = value.WhichOneof(ONEOF)
            if name is None:
                raise BadValue(REQUIRED)
            try:
                return table[name](getattr(value, name))
            except BadValue as bad:
                raise bad.inside(name) from None

        return read

    def _slot(self, slot: Slot, field: FieldDescriptor) -> Convert:
        """From the message to the value of one field."""
        get = attrgetter(slot.name)
        turn = self._value(slot.shape, field)
        default = _default(slot)
        if field.has_presence and not (default is NODEFAULT and _is_bag(slot.shape)):
            return _present(slot.name, get, turn, default)
        if turn is None:
            return get
        if field.enum_type and not field.is_repeated and default is not NODEFAULT:
            return lambda message: turn(number) if (number := get(message)) else default
        return lambda message: turn(get(message))

    def _value(self, shape: Shape, field: FieldDescriptor) -> Convert | None:
        """How a value is turned; None where it is taken as it is."""
        match shape:
            case Maybe(Word(enum)):
                numbers = numbers_of(enum, field)
                return _member({0: None} | {number: word for word, number in numbers.items()})
            case Maybe(of):
                return self._value(of, field)
            case Word(enum):
                return _member({number: word for word, number in numbers_of(enum, field).items()})
            case One(record):
                return self.record(record, message_of(field))
            case Either(kinds):
                return self.kinds(kinds, message_of(field))
            case Many(Many() as row, length):
                return _many(_row(self._value(row, message_of(field).fields[0])), length)
            case Many(of, length):
                return _many(self._value(of, field), length)
        return None


def _default(slot: Slot) -> Any:
    """What an unset field means: its default, or None where it may be None."""
    if slot.default is NODEFAULT and isinstance(slot.shape, Maybe):
        return None
    return slot.default


def _present(name: str, get: Convert, turn: Convert | None, default: Any) -> Convert:
    def read(message: Message) -> Any:
        if message.HasField(name):
            return turn(get(message)) if turn else get(message)
        if default is NODEFAULT:
            raise BadValue(REQUIRED)
        return default

    return read


def _many(turn: Convert | None, length: int | None) -> Convert:
    def read(values: Sequence[Any]) -> tuple[Any, ...]:
        if length is not None and len(values) != length:
            raise BadValue(f"must have {length} items")
        if turn is None:
            return tuple(values)
        turned: list[Any] = []
        try:
            turned.extend(map(turn, values))
        except BadValue as bad:  # what came before it is in the list
            raise bad.inside(f"[{len(turned)}]") from None
        return tuple(turned)

    return read


def _row(turn: Convert | None) -> Convert:
    assert turn is not None
    return lambda row: turn(getattr(row, ITEMS))


def _member(members: Mapping[int, Any]) -> Convert:
    def read(number: int) -> Any:
        try:
            return members[number]
        except KeyError:
            raise BadValue(UNKNOWN if number else REQUIRED) from None

    return read


def _is_bag(shape: Shape) -> bool:
    return isinstance(shape, One) and issubclass(shape.record, Bag)
