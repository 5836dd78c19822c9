"""Records into trees of dicts that a protobuf message takes whole."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from msgspec.structs import asdict

from services.gamekit.game import Record
from services.runtime.shapes import ITEMS, Either, Many, Maybe, One, Shape, Word, slots
from services.runtime.twins import Convert, Twins, message_of, numbers_of


class Writers(Twins):
    """From records."""

    def _record(self, record: type[Record], message: Descriptor) -> Convert:
        turned = [
            (slot.name, turn)
            for slot in slots(record)
            if (turn := self._value(slot.shape, message.fields_by_name[slot.name]))
        ]
        if not turned:
            return asdict

        def write(value: Record) -> dict[str, Any]:
            values = asdict(value)
            for name, turn in turned:
                values[name] = turn(values[name])
            return values

        return write

    def _kinds(self, kinds: Mapping[str, tuple[type[Record], Convert]]) -> Convert:
        table = {record: (name, turn) for name, (record, turn) in kinds.items()}

        def write(value: Record) -> dict[str, Any]:
            name, turn = table[type(value)]
            return {name: turn(value)}

        return write

    def _value(self, shape: Shape, field: FieldDescriptor) -> Convert | None:
        """How a value is turned; None where the message takes it as it is."""
        match shape:
            case Maybe(Word(enum)):
                return numbers_of(enum, field, {None: 0}).__getitem__
            case Maybe(of):
                return _unless_none(self._value(of, field))
            case Word(enum):
                return numbers_of(enum, field).__getitem__
            case One(record):
                return self.record(record, message_of(field))
            case Either(kinds):
                return self.kinds(kinds, message_of(field))
            case Many(Many() as row):
                return _rows(self._value(row, message_of(field).fields[0]))
            case Many(of):
                return _each(self._value(of, field))
        return None


def _unless_none(turn: Convert | None) -> Convert | None:
    if turn is None:
        return None
    return lambda value: None if value is None else turn(value)


def _each(turn: Convert | None) -> Convert | None:
    if turn is None:
        return None
    return lambda values: list(map(turn, values))


def _rows(turn: Convert | None) -> Convert:
    if turn is None:
        return lambda rows: [{ITEMS: row} for row in rows]
    return lambda rows: [{ITEMS: turn(row)} for row in rows]
