"""Messages of any game as text and tables, from nothing but their descriptors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

from google.protobuf.message import Message
from rich.columns import Columns
from rich.console import RenderableType
from rich.table import Table

from vallum.match.v1 import match_pb2 as pb

LONGEST_LIST = 12
"""Messages of one list that are told one by one."""
SHEET = pb.ScoreSheet.DESCRIPTOR
"""Told by `scores`."""
TALLEST = 18
"""Rows of a table; what is longer goes on beside it."""


def brief(message: Message) -> str:
    """A message in a few words: "build area=wall box=3"."""
    return " ".join(_words(message)) or "nothing"


def questions(decisions: Sequence[pb.Decision], names: Sequence[str]) -> str:
    """Who is asked what."""
    return ", ".join(
        f"{name_of(one.seat, names)}: {plain(one.prompt)}{f' ({one.about})' if one.about else ''}"
        for one in decisions
    )


def name_of(seat: int, names: Sequence[str]) -> str:
    """A seat as people know it."""
    return names[seat] if 0 <= seat < len(names) else "nature"


def plain(name: str) -> str:
    """An identifier as words."""
    return name.replace("_", " ")


def view_of(view: Message, names: Sequence[str]) -> Iterator[RenderableType]:
    """A position: what is single in a line, what each seat has as a table, the rest in lists."""
    single: list[str] = []
    rest: list[RenderableType] = []
    for field, value in view.ListFields():
        if field.is_repeated and field.message_type and len(value) == len(names) > 0:
            rest.append(by_seat(value, names))
        elif field.is_repeated and field.message_type:
            rest.append(listed(field.name, value))
        elif field.message_type:
            rest.extend(_part(field.name, value))
        else:
            single.append(_assignment(field, value))
    if single:
        yield "  ".join(single)
    yield from rest


def by_seat(states: Sequence[Message], names: Sequence[str]) -> RenderableType:
    """What each seat has: a row for each thing that anybody has, a column for each seat."""
    rows = [
        (plain(field.name), *(_value(field, getattr(state, field.name)) for state in states))
        for field in states[0].DESCRIPTOR.fields
        if any(_has(state, field) for state in states)
    ]
    return tall(("", *names), rows)


def scores(sheets: Sequence[pb.ScoreSheet], names: Sequence[str]) -> RenderableType:
    """Score sheets side by side, line by line."""
    keys = list(dict.fromkeys(line.key for sheet in sheets for line in sheet.lines))
    points = [{line.key: line.points for line in sheet.lines} for sheet in sheets]
    rows = [(plain(key), *(str(one.get(key, "")) for one in points)) for key in keys]
    rows.append(("total", *(str(sheet.total) for sheet in sheets)))
    return tall(("", *(name_of(sheet.seat, names) for sheet in sheets)), rows)


def tall(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> RenderableType:
    """A table, folded where it is too tall."""
    parts = [rows[start : start + TALLEST] for start in range(0, len(rows), TALLEST)] or [rows]
    tables = []
    for part in parts:
        table = Table(*columns, box=None, pad_edge=False)
        for row in part:
            table.add_row(*row)
        tables.append(table)
    return tables[0] if len(tables) == 1 else Columns(tables, padding=(0, 4))


def numbered(lines: Sequence[str]) -> RenderableType:
    """Lines with their numbers, in two columns where there are many."""
    texts = [f"{number:>3}  {line}" for number, line in enumerate(lines, 1)]
    if len(texts) <= TALLEST:
        return "\n".join(texts)
    half = (len(texts) + 1) // 2
    table = Table(box=None, show_header=False, pad_edge=False)
    for left, right in zip_longest(texts[:half], texts[half:], fillvalue=""):
        table.add_row(left, right)
    return table


def listed(name: str, messages: Sequence[Message]) -> str:
    """A list; of a long one, how long it is."""
    if len(messages) > LONGEST_LIST:
        return f"{plain(name)}: {len(messages)}"
    return "\n".join([f"{plain(name)}:", *(f"  {brief(one)}" for one in messages)])


def _part(name: str, message: Message) -> Iterator[str]:
    """A message within a position: its own fields, then its lists."""
    single = [
        _assignment(field, value)
        for field, value in message.ListFields()
        if not (field.is_repeated and field.message_type) and field.message_type != SHEET
    ]
    yield f"{plain(name)}: {'  '.join(single) or '-'}"
    for field, value in message.ListFields():
        if field.is_repeated and field.message_type:
            yield listed(f"{name} {field.name}", value)


def _words(message: Message) -> Iterator[str]:
    for field, value in message.ListFields():
        inside = field.containing_oneof is not None and field.message_type is not None
        if inside and not field.is_repeated:
            words = list(_words(value))
            yield " ".join([plain(field.name), *words])
        else:
            yield _assignment(field, value)


def _assignment(field: Any, value: Any) -> str:
    if value is True:
        return plain(field.name)
    return f"{plain(field.name)}={_value(field, value)}"


def _value(field: Any, value: Any) -> str:
    if field.is_repeated:
        return ", ".join(_single(field, one) for one in value) or "-"
    return _single(field, value)


def _single(field: Any, value: Any) -> str:
    if field.message_type:
        return f"({brief(value)})"
    if field.enum_type:
        return _member(field.enum_type, value)
    if isinstance(value, bool):
        return "yes" if value else "-"
    return str(value)


def _member(kind: Any, number: int) -> str:
    """An enum's value without the prefix that all of them have."""
    known = kind.values_by_number.get(number)
    if known is None:
        return str(number)
    prefix = kind.values[0].name.removesuffix("UNSPECIFIED")
    return plain(known.name.removeprefix(prefix).lower())


def _has(message: Message, field: Any) -> bool:
    if field.is_repeated or not field.has_presence:
        value = getattr(message, field.name)
        return any(value) if field.is_repeated and not field.message_type else bool(value)
    return message.HasField(field.name)
