"""The board by its geometry (2.1, 2.2): rings, corners, and walks of every shape."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

DATA: dict[str, Any] = yaml.safe_load((Path(__file__).parents[1] / "rules.yaml").read_text())

DIRECTIONS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))


def ring(q: int, r: int) -> int:
    """How far a place is from the centre."""
    return max(abs(q), abs(r), abs(q + r))


PLACES = sorted((q, r) for q in range(-4, 5) for r in range(-4, 5) if ring(q, r) <= 4)
FIELD = {place: number for number, place in enumerate(PLACES)}


def kind(q: int, r: int) -> str:
    """Corners of ring 3 and side middles of ring 2 are outcrops, corners of ring 2 are ruins."""
    corner = 0 in (q, r, q + r)
    match ring(q, r), corner:
        case 0, _:
            return "core"
        case (2, False) | (3, True):
            return "outcrop"
        case 2, True:
            return "ruins"
    return "plain"


KIND = {number: kind(*place) for place, number in FIELD.items()}

SIDES: dict[int, list[int]] = DATA["board"]["sides"]
STARTS = {
    seats: [SIDES[side] for side in sides] for seats, sides in DATA["board"]["seat_sides"].items()
}
"""Players -> the start fields of each seat (3.2)."""


def apart(one: int, other: int) -> int:
    """The distance between two fields."""
    (q, r), (other_q, other_r) = PLACES[one], PLACES[other]
    return ring(q - other_q, r - other_r)


def touching(field: int) -> set[int]:
    """The fields around one (2.1)."""
    q, r = PLACES[field]
    around = ((q + dq, r + dr) for dq, dr in DIRECTIONS)
    return {FIELD[place] for place in around if place in FIELD}


def walks(path: tuple[int, ...], steps: int, held: set[int]) -> set[int]:
    """Where a path ends that goes on for so many steps over free fields, never twice on one."""
    if not steps:
        return {path[-1]}
    free = touching(path[-1]) - held - {*path}
    return {end for step in free for end in walks((*path, step), steps - 1, held)}


def ends(field: int, steps: int, held: set[int]) -> set[int]:
    """The ends of a move: of that length, else of the longest shorter one (5.5)."""
    while not (found := walks((field,), steps, held)):
        steps -= 1
    return found
