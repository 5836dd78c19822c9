"""What is different between two positions of any game, from nothing but their descriptors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from google.protobuf.message import Message

from services.cli.showing import heads, member, plain, single, title

TABLE = ""
"""Whose changes they are that are nobody's."""
MOST = 10
"""Changes of one seat that are told one by one."""


def changes(before: Message, after: Message, names: Sequence[str]) -> list[str]:
    """Who has what now that he had not, or the table: "easy 1: servant 1→0, mining 0→1"."""
    told: dict[str, list[str]] = {}
    for field in after.DESCRIPTOR.fields:
        old, new = getattr(before, field.name), getattr(after, field.name)
        if field.is_repeated and field.message_type:
            columns = heads(new, names) if len(old) == len(new) else None
            for name, one, other in zip(columns or (), old, new, strict=False):
                told.setdefault(name, []).extend(_within(one, other))
        elif not field.is_repeated and not field.message_type:
            told.setdefault(TABLE, []).extend(_one(field, before, after))
    return [_line(name, found) for name, found in told.items() if found]


def _line(name: str, found: list[str]) -> str:
    rest = f", and {len(found) - MOST} more" if len(found) > MOST else ""
    return f"{name}: {', '.join(found[:MOST])}{rest}" if name else ", ".join(found[:MOST]) + rest


def _within(before: Message, after: Message, prefix: str = "") -> Iterator[str]:
    """The changes of a message, and of those that it holds but not in lists."""
    for field in after.DESCRIPTOR.fields:
        if field.is_repeated:
            yield from _list(field, getattr(before, field.name), getattr(after, field.name), prefix)
        elif field.message_type:
            name = f"{prefix}{plain(field.name)} "
            yield from _within(getattr(before, field.name), getattr(after, field.name), name)
        else:
            yield from _one(field, before, after, prefix)


def _one(field: Any, before: Message, after: Message, prefix: str = "") -> Iterator[str]:
    old, new = getattr(before, field.name), getattr(after, field.name)
    if old == new:
        return
    name = f"{prefix}{plain(field.name)}"
    if isinstance(new, bool):
        yield name if new else f"no more {name}"
    elif field.enum_type:
        yield f"{name} {member(field.enum_type, new) or 'none'}"
    else:
        yield f"{name} {old}→{new}"


def _list(field: Any, before: Any, after: Any, prefix: str) -> Iterator[str]:
    """What has come to a list, and what has gone from it; what has changed of things with names."""
    if field.message_type:
        old, new = ({title(one): one for one in many} for many in (before, after))
        if "" not in {*old, *new} and len(old) == len(before) and len(new) == len(after):
            yield from _titled(old, new, f"{prefix}{plain(field.name)} ")
            return
    gone, come = (Counter(single(field, one) for one in many) for many in (before, after))
    for sign, some in (("+", come - gone), ("-", gone - come)):
        for what, count in some.items():
            times = f" x{count}" if count > 1 else ""
            yield f"{prefix}{plain(field.name)} {sign}{what}{times}"


def _titled(before: dict[str, Any], after: dict[str, Any], prefix: str) -> Iterator[str]:
    for name in dict.fromkeys([*before, *after]):
        if name in before and name in after:
            yield from _within(before[name], after[name], f"{prefix}{name} ")
        else:
            yield f"{prefix}{'+' if name in after else '-'}{name}"
