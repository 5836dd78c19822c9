"""What a Record is made of, read from its annotations once: the input of `wire`."""

from __future__ import annotations

import types
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, NamedTuple, Union, get_args, get_origin

import msgspec

from services.gamekit.game import Record

ONEOF = "kind"
"""The oneof that tells a union's records apart, as `kind` does in a match's record."""
ITEMS = "items"
"""The one field of a message that stands for a tuple within a tuple."""


class Plain(NamedTuple):
    """A number, a truth or a text."""

    kind: type[int] | type[bool] | type[str]


class Word(NamedTuple):
    """A member of a closed set."""

    enum: type[StrEnum]


class One(NamedTuple):
    """A nested record."""

    record: type[Record]


class Either(NamedTuple):
    """One of several records, told apart by their tags."""

    kinds: Mapping[str, type[Record]]


class Many(NamedTuple):
    """A tuple of equal things, of any length or (`length`) of a fixed one."""

    of: Shape
    length: int | None = None


class Maybe(NamedTuple):
    """A thing or None."""

    of: Shape


class Unknown(NamedTuple):
    """An annotation that has no form on the wire."""

    annotation: str


Shape = Plain | Word | One | Either | Many | Maybe | Unknown


class Slot(NamedTuple):
    """A field of a record."""

    name: str
    shape: Shape
    default: Any
    """`msgspec.NODEFAULT` where a value must be given."""


def slots(record: type[Record]) -> tuple[Slot, ...]:
    """The fields of a record, in order."""
    return tuple(
        Slot(field.name, shape_of(field.type), field.default)
        for field in msgspec.structs.fields(record)
    )


def shape_of(annotation: Any) -> Shape:
    """What an annotation says. What it cannot say on the wire comes back as Unknown."""
    annotation = getattr(annotation, "__supertype__", annotation)
    origin = get_origin(annotation)
    if origin is Annotated:
        return shape_of(get_args(annotation)[0])
    if origin in (Union, types.UnionType):
        return _union(get_args(annotation))
    if origin is tuple:
        return _tuple(get_args(annotation))
    if annotation in (int, bool, str):
        return Plain(annotation)
    if isinstance(annotation, type) and issubclass(annotation, StrEnum):
        return Word(annotation)
    if isinstance(annotation, type) and issubclass(annotation, Record):
        return One(annotation)
    return Unknown(str(annotation))


def tag_of(record: type[Record]) -> str:
    """`fill_box`: what a kind of record is called in a oneof; "" for one without a tag."""
    return str(record.__struct_config__.tag or "")


def _union(options: tuple[Any, ...]) -> Shape:
    rest = [option for option in options if option is not types.NoneType]
    inner = shape_of(rest[0]) if len(rest) == 1 else _either(rest)
    return inner if len(rest) == len(options) or isinstance(inner, Unknown) else Maybe(inner)


def _either(options: list[Any]) -> Shape:
    shapes = [shape_of(option) for option in options]
    records = [shape.record for shape in shapes if isinstance(shape, One)]
    kinds = {tag_of(record): record for record in records}
    if len(kinds) < len(options) or "" in kinds:
        return Unknown(" | ".join(str(option) for option in options))
    return Either(kinds)


def _tuple(items: tuple[Any, ...]) -> Shape:
    if len(items) == 2 and items[1] is ...:
        return Many(shape_of(items[0]))
    if items and len(set(items)) == 1:
        return Many(shape_of(items[0]), len(items))
    return Unknown(f"tuple{list(items)}")
