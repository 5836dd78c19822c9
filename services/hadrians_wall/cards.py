"""The fate cards, the player cards and the patterns of the scouts."""

from __future__ import annotations

from enum import StrEnum

from services.gamekit.game import Record
from services.hadrians_wall.goods import Cohort, Price


class FateCard(Record, frozen=True):
    """A card of the fate deck. `supply` is what it brings as the fate of a year."""

    direction: Cohort
    gladiator: int
    supply: Price
    good: int


def four(
    direction: Cohort, gladiator: int, supply: tuple[int, int, int, int, int], goods: str
) -> tuple[FateCard, ...]:
    """The four cards of one profile: they differ in their trade good alone."""
    return tuple(FateCard(direction, gladiator, Price(*supply), int(good)) for good in goods)


# supply: soldiers, builders, servants, civilians, resources
FATE: tuple[FateCard, ...] = (
    *four(Cohort.LEFT, 1, (2, 1, 1, 2, 2), "1246"),
    *four(Cohort.LEFT, 2, (2, 2, 1, 1, 2), "1235"),
    *four(Cohort.LEFT, 3, (1, 3, 1, 1, 2), "1234"),
    *four(Cohort.LEFT, 3, (2, 1, 2, 1, 2), "1234"),
    *four(Cohort.CENTRE, 1, (2, 2, 3, 1, 0), "1246"),
    *four(Cohort.CENTRE, 2, (1, 2, 2, 2, 1), "1235"),
    *four(Cohort.CENTRE, 2, (2, 2, 2, 1, 1), "1234"),
    *four(Cohort.CENTRE, 3, (1, 1, 3, 2, 1), "1235"),
    *four(Cohort.RIGHT, 1, (1, 2, 3, 1, 1), "1246"),
    *four(Cohort.RIGHT, 1, (2, 3, 1, 1, 1), "1246"),
    *four(Cohort.RIGHT, 2, (1, 2, 2, 1, 2), "1235"),
    *four(Cohort.RIGHT, 2, (2, 1, 2, 2, 1), "1234"),
)
"""The fate deck. A card's number is its index."""


class PlayerCard(StrEnum):
    """One of the twelve cards that every seat, and the neutral deck, has once."""

    ARCHITECT = "architect"
    ARISTOCRAT = "aristocrat"
    DEFENDER = "defender"
    ENGINEER = "engineer"
    FIGHTER = "fighter"
    FORAGER = "forager"
    MERCHANT = "merchant"
    PLANNER = "planner"
    PONTIFF = "pontiff"
    RANGER = "ranger"
    TRAINER = "trainer"
    VANGUARD = "vanguard"


class Pattern(StrEnum):
    """The shape that a scout fills on the map."""

    L = "l"
    S = "s"
    T = "t"
    O = "o"  # noqa: E741  # the shapes are called so
    I = "i"  # noqa: E741


class Face(Record, frozen=True):
    """What stands on a player card. `steps` are the counts that give 1, 2 and 3 points as a path;
    the rest is what it is worth as a prospect."""

    steps: tuple[int, int, int]
    prospect: Price
    good: int
    pattern: Pattern


FACES: dict[PlayerCard, Face] = {
    PlayerCard.ARCHITECT: Face((1, 2, 3), Price(resource=2), 2, Pattern.I),
    PlayerCard.ARISTOCRAT: Face((4, 2, 0), Price(builder=1, civilian=1), 1, Pattern.T),
    PlayerCard.DEFENDER: Face((1, 2, 3), Price(builder=1, resource=1), 1, Pattern.L),
    PlayerCard.ENGINEER: Face((2, 4, 6), Price(builder=1, resource=1), 2, Pattern.L),
    PlayerCard.FIGHTER: Face((1, 2, 3), Price(soldier=1), 5, Pattern.O),
    PlayerCard.FORAGER: Face((3, 6, 9), Price(servant=1, resource=1), 3, Pattern.T),
    PlayerCard.MERCHANT: Face((4, 6, 8), Price(civilian=1, resource=1), 4, Pattern.O),
    PlayerCard.PLANNER: Face((2, 4, 5), Price(servant=1, civilian=1), 1, Pattern.S),
    PlayerCard.PONTIFF: Face((1, 2, 3), Price(servant=2), 2, Pattern.T),
    PlayerCard.RANGER: Face((1, 3, 5), Price(soldier=1), 6, Pattern.I),
    PlayerCard.TRAINER: Face((4, 8, 12), Price(servant=1, resource=1), 4, Pattern.S),
    PlayerCard.VANGUARD: Face((1, 2, 3), Price(builder=1, civilian=1), 2, Pattern.S),
}

ROWS, COLUMNS = 4, 5
"""The size of the scouts' map; cell `row * COLUMNS + column` counts from its top left."""

SHAPES: dict[Pattern, tuple[tuple[int, int], ...]] = {
    Pattern.L: ((0, 2), (1, 0), (1, 1), (1, 2)),
    Pattern.S: ((0, 1), (0, 2), (1, 0), (1, 1)),
    Pattern.T: ((0, 1), (1, 0), (1, 1), (1, 2)),
    Pattern.O: ((0, 0), (0, 1), (1, 0), (1, 1)),
    Pattern.I: ((0, 0), (0, 1), (0, 2), (0, 3)),
}
"""The patterns as printed: cells as (row, column)."""


def turned(shape: tuple[tuple[int, int], ...]) -> set[tuple[tuple[int, int], ...]]:
    """A shape in each of its rotations and mirrors, moved to the top left."""
    found = set()
    for _ in range(4):
        shape = tuple((column, -row) for row, column in shape)
        for cells in (shape, tuple((row, -column) for row, column in shape)):
            top, left = min(row for row, _ in cells), min(column for _, column in cells)
            found.add(tuple(sorted((row - top, column - left) for row, column in cells)))
    return found


def placements(shape: tuple[tuple[int, int], ...]) -> dict[tuple[int, ...], int]:
    """Every way to lay a shape on the map: its cells in ascending order -> their bits."""
    found = {}
    for cells in turned(shape):
        for top in range(ROWS - max(row for row, _ in cells)):
            for left in range(COLUMNS - max(column for _, column in cells)):
                spots = tuple((top + row) * COLUMNS + left + column for row, column in cells)
                found[tuple(sorted(spots))] = sum(1 << spot for spot in spots)
    return dict(sorted(found.items()))


PLACEMENTS: dict[Pattern, dict[tuple[int, ...], int]] = {
    pattern: placements(shape) for pattern, shape in SHAPES.items()
}
