"""The hexagon of 61 fields: what lies where, what touches what, where nations start (2.1, 2.2)."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Kind(StrEnum):
    """What a field is."""

    PLAIN = "plain"
    OUTCROP = "outcrop"
    RUINS = "ruins"
    CORE = "core"


class Field(NamedTuple):
    """A field in axial coordinates."""

    q: int
    r: int
    kind: Kind


EXPLORATION_LIMIT = {Kind.PLAIN: 2, Kind.OUTCROP: 2, Kind.RUINS: 3, Kind.CORE: 4}
"""How many cards an exploration may draw."""

RADIUS = 4

SIGNS = {".": Kind.PLAIN, "o": Kind.OUTCROP, "r": Kind.RUINS, "c": Kind.CORE}

MAP = (
    ".....",
    ".o..o.",
    "..ror..",
    "..o..o..",
    ".or.c.ro.",
    "..o..o..",
    "..ror..",
    ".o..o.",
    ".....",
)
"""A line for each q from -4 to 4, a sign for each field of it by ascending r."""

FIELDS: tuple[Field, ...] = tuple(
    Field(q, max(-RADIUS, -RADIUS - q) + step, SIGNS[sign])
    for q, line in zip(range(-RADIUS, RADIUS + 1), MAP, strict=True)
    for step, sign in enumerate(line)
)
"""Every field; its number is its place here."""

SIDES = (
    (55, 49, 42),
    (25, 17, 10),
    (3, 2, 1),
    (5, 11, 18),
    (35, 43, 50),
    (57, 58, 59),
)
"""The start fields of each side: those that a nation card laid there touches (3.1)."""

SEAT_SIDES = {
    2: (0, 3),
    3: (0, 2, 4),
    4: (0, 1, 3, 4),
    5: (0, 1, 2, 3, 4),
    6: (0, 1, 2, 3, 4, 5),
}
"""Seats at the table -> the side of each (3.2)."""


def distance(one: int, other: int) -> int:
    """Steps between two fields on an empty board."""
    q = FIELDS[one].q - FIELDS[other].q
    r = FIELDS[one].r - FIELDS[other].r
    return max(abs(q), abs(r), abs(q + r))


WITHIN: tuple[tuple[frozenset[int], ...], ...] = tuple(
    tuple(
        frozenset(other for other in range(len(FIELDS)) if distance(field, other) <= steps)
        for steps in range(2 * RADIUS + 1)
    )
    for field in range(len(FIELDS))
)
"""WITHIN[field][steps]: the fields at most so far away, itself included."""

NEIGHBOURS: tuple[tuple[int, ...], ...] = tuple(
    tuple(sorted(WITHIN[field][1] - {field})) for field in range(len(FIELDS))
)
"""The fields that touch a field."""


def starts(seats: int, seat: int) -> tuple[int, ...]:
    """The start fields of a seat."""
    return SIDES[SEAT_SIDES[seats][seat]]
