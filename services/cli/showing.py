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
WIDEST = 6
"""Columns of a table."""
WHOSE = ("seat", "clan", "player")
"""First fields of messages that say whose they are."""


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
    """A position: what is single in a line, what each seat or part of the board has as a table, the
    rest in lists."""
    alone: list[str] = []
    rest: list[RenderableType] = []
    for field, value in view.ListFields():
        if field.is_repeated and field.message_type:
            columns = heads(value, names)
            one = side_by_side(value, columns) if columns else listed(field.name, value)
            rest.append(one)
        elif field.message_type:
            rest.extend(_part(field.name, value))
        elif words := _assignment(field, value):
            alone.append(words)
    if alone:
        yield "  ".join(alone)
    yield from rest


def heads(states: Sequence[Message], names: Sequence[str]) -> list[str] | None:
    """What each of some messages is about, where they can stand side by side: what its first field
    says, a seat or a part of the board; or the seats in their order."""
    if not 1 < len(states) <= WIDEST:
        return None
    first: Any = states[0].DESCRIPTOR.fields[0]
    told = [getattr(state, first.name) for state in states]
    if first.enum_type and len(set(told)) == len(states):
        return [member(first.enum_type, one) or "none" for one in told]
    if first.name in WHOSE and len(set(told)) == len(states):
        return [names[one] if one < len(names) else f"{plain(first.name)} {one}" for one in told]
    return list(names) if len(states) == len(names) else None


def side_by_side(states: Sequence[Message], columns: Sequence[str]) -> RenderableType:
    """A row for each thing that any of them has, a column for each."""
    fields: list[Any] = list(states[0].DESCRIPTOR.fields)
    if fields[0].enum_type or fields[0].name in WHOSE:
        del fields[0]
    rows = [
        (plain(field.name), *(_value(field, getattr(state, field.name)) for state in states))
        for field in fields
        if any(_has(state, field) for state in states)
    ]
    return tall(("", *columns), rows)


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


def numbered(lines: Sequence[str], words: str = "") -> RenderableType:
    """Lines with their numbers, those alone that have some words; in two columns where there are
    many."""
    texts = [f"{number:>3}  {line}" for number, line in enumerate(lines, 1) if words in line]
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
    alone = [
        _assignment(field, value)
        for field, value in message.ListFields()
        if not (field.is_repeated and field.message_type) and field.message_type != SHEET
    ]
    yield f"{plain(name)}: {'  '.join(filter(None, alone)) or '-'}"
    for field, value in message.ListFields():
        if field.is_repeated and field.message_type:
            yield listed(f"{name} {field.name}", value)


def _words(message: Message) -> Iterator[str]:
    for field, value in message.ListFields():
        inside = field.containing_oneof is not None and field.message_type is not None
        if inside and not field.is_repeated:
            words = list(_words(value))
            yield " ".join([plain(field.name), *words])
        elif told := _assignment(field, value):
            yield told


def _assignment(field: Any, value: Any) -> str:
    """A field and its value; "" for an enum that says nothing, or a message."""
    if value is True:
        return plain(field.name)
    told = _value(field, value)
    return f"{plain(field.name)}={told}" if told else ""


def _value(field: Any, value: Any) -> str:
    if field.is_repeated:
        return ", ".join(single(field, one) for one in value) or "-"
    return single(field, value)


def single(field: Any, value: Any) -> str:
    """A value that is no list."""
    if field.message_type:
        words = list(_words(value))
        if words and (name := title(value)):
            words[0] = name
        return f"({' '.join(words)})" if len(words) > 1 else " ".join(words)
    if field.enum_type:
        return member(field.enum_type, value)
    if isinstance(value, bool):
        return "yes" if value else "-"
    return str(value)


def title(message: Message) -> str:
    """What a message is about, where its first field says so in a word."""
    first: Any = message.DESCRIPTOR.fields[0]
    return member(first.enum_type, getattr(message, first.name)) if first.enum_type else ""


def member(kind: Any, number: int) -> str:
    """An enum's value without the prefix that all of them have; "" for none."""
    known = kind.values_by_number.get(number)
    if number == 0 or known is None:
        return str(number) if known is None else ""
    prefix = kind.values[0].name.removesuffix("UNSPECIFIED")
    return plain(known.name.removeprefix(prefix).lower())


def _has(message: Message, field: Any) -> bool:
    if field.is_repeated or not field.has_presence:
        value = getattr(message, field.name)
        return any(value) if field.is_repeated and not field.message_type else bool(value)
    return message.HasField(field.name)
