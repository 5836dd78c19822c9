"""Converters of pairs of a record and a message, each compiled once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor

from services.gamekit.game import Record

Convert = Callable[[Any], Any]
Pair = tuple[type[Record], Descriptor]
NOTHING: Mapping[None, int] = {}


class Twins(ABC):
    """Converters in one direction. Ask `agree` first: they take it for granted."""

    def __init__(self) -> None:
        self._done: dict[Pair, Convert] = {}
        self._begun: set[Pair] = set()

    def record(self, record: type[Record], message: Descriptor) -> Convert:
        """The converter of one record."""
        pair = (record, message)
        if pair not in self._begun:
            self._begun.add(pair)
            self._done[pair] = self._record(record, message)
        if pair in self._done:
            return self._done[pair]

        def later(value: Any) -> Any:  # a record that holds its own kind
            return self._done[pair](value)

        return later

    def kinds(self, kinds: Mapping[str, type[Record]], message: Descriptor) -> Convert:
        """The converter of one of several records, a field each of the message's oneof."""
        fields = message.fields_by_name
        return self._kinds(
            {
                name: (record, self.record(record, message_of(fields[name])))
                for name, record in kinds.items()
            }
        )

    @abstractmethod
    def _record(self, record: type[Record], message: Descriptor) -> Convert:
        raise NotImplementedError

    @abstractmethod
    def _kinds(self, kinds: Mapping[str, tuple[type[Record], Convert]]) -> Convert:
        raise NotImplementedError


def message_of(field: FieldDescriptor) -> Descriptor:
    """The message that a field holds."""
    assert field.message_type is not None
    return field.message_type


def numbers_of(
    enum: type[StrEnum], field: FieldDescriptor, more: Mapping[None, int] = NOTHING
) -> dict[StrEnum | None, int]:
    """Every member's number in the enum of a field, and `more`."""
    assert field.enum_type is not None
    number_of = words(field.enum_type)
    numbers: dict[StrEnum | None, int] = {member: number_of[upper(member)] for member in enum}
    return numbers | dict(more)


def words(enum: EnumDescriptor) -> dict[str, int]:
    """`RENOWN` -> the number of ATTRIBUTE_RENOWN, for every value but the unspecified one."""
    prefix = enum.values_by_number[0].name.removesuffix("UNSPECIFIED")
    return {value.name.removeprefix(prefix): value.number for value in enum.values if value.number}


def upper(member: StrEnum) -> str:
    """A member's name on the wire, without the enum's prefix."""
    return member.value.upper().replace("-", "_").replace(" ", "_")
