"""Scoring, ties and titles (section 7)."""

from __future__ import annotations

from collections.abc import Callable

from services.gamekit.game import Place, Result, ScoreLine, ScoreSheet, Seat
from services.hadrians_wall.cards import COLUMNS, FACES, PlayerCard
from services.hadrians_wall.goods import EVERY_ATTRIBUTE
from services.hadrians_wall.state import Phase, Sheet, State
from services.hadrians_wall.tracks import (
    CITIZEN_BOXES,
    COHORT_BOXES,
    GUARD_FIELDS,
    TEMPLE_ENDS,
    WALL_FIELDS,
)

DISDAIN_LOSS = (0, 1, 3, 5, 7, 9, 12, 15, 18, 22)
"""Points lost by final disdain; the last counts for more, too."""


def landmarks(sheet: Sheet) -> int:
    """Landmarks raised."""
    return sheet.archway + sheet.monolith + sheet.column + sheet.statue


def wall_sections(sheet: Sheet) -> int:
    """Fields of the Wall track that are complete."""
    return sum(sheet.wall >= end for end in WALL_FIELDS)


def large_buildings(sheet: Sheet) -> int:
    """Large buildings built, of seven."""
    return (
        (sheet.granary == 2)
        + (sheet.hotel == 2)
        + (sheet.workshop == 2)
        + (sheet.road == 2)
        + (sheet.precinct == 3)
        + (sheet.gardens == 2)
        + (sheet.temples == 3)
    )


def cohorts(sheet: Sheet) -> int:
    """Cohorts that are complete."""
    last = len(COHORT_BOXES)
    return (
        (sheet.cohort_left == last) + (sheet.cohort_centre == last) + (sheet.cohort_right == last)
    )


def market_boxes(sheet: Sheet) -> int:
    """Boxes of the market that are filled; repeated goods count."""
    return len(sheet.goods) - sheet.goods.count(0)


def citizen_tracks(sheet: Sheet) -> int:
    """Citizen tracks that are complete."""
    tracks = (
        sheet.traders,
        sheet.performers,
        sheet.priests,
        sheet.apparitores,
        sheet.patricians,
    )
    return tracks.count(CITIZEN_BOXES)


def temples_filled(sheet: Sheet) -> int:
    """Temples of which every box is filled."""
    return sum(sheet.temple_boxes >= end for end in TEMPLE_ENDS)


def map_columns(sheet: Sheet) -> int:
    """Columns of the map that are complete."""
    one = sheet.map
    full = one & one >> COLUMNS & one >> 2 * COLUMNS & one >> 3 * COLUMNS
    return (full & ((1 << COLUMNS) - 1)).bit_count()


def gladiators(sheet: Sheet) -> int:
    """Circled circles of both gladiators, dead or alive."""
    return sheet.red + sheet.blue


def guard_sections(sheet: Sheet) -> int:
    """Fields of the Wall Guard that are complete."""
    return sum(sheet.guard >= end for end in GUARD_FIELDS)


COUNTS: dict[PlayerCard, Callable[[Sheet], int]] = {
    PlayerCard.ARCHITECT: landmarks,
    PlayerCard.ARISTOCRAT: lambda sheet: sheet.disdain,
    PlayerCard.DEFENDER: wall_sections,
    PlayerCard.ENGINEER: large_buildings,
    PlayerCard.FIGHTER: cohorts,
    PlayerCard.FORAGER: lambda sheet: sheet.production,
    PlayerCard.MERCHANT: market_boxes,
    PlayerCard.PLANNER: citizen_tracks,
    PlayerCard.PONTIFF: temples_filled,
    PlayerCard.RANGER: map_columns,
    PlayerCard.TRAINER: gladiators,
    PlayerCard.VANGUARD: guard_sections,
}
"""What each path card counts."""


def path_points(card: PlayerCard, sheet: Sheet) -> int:
    """What a path is worth: the highest step reached; the Aristocrat's are reached downwards."""
    count = COUNTS[card](sheet)
    if card is PlayerCard.ARISTOCRAT:
        return sum(count <= step for step in FACES[card].steps)
    return sum(count >= step for step in FACES[card].steps)


def paths_total(sheet: Sheet) -> int:
    """The points of all the seat's paths."""
    return sum(path_points(card, sheet) for card in sheet.path)


def disdain_loss(sheet: Sheet) -> int:
    """Points lost by disdain."""
    return DISDAIN_LOSS[min(sheet.disdain, len(DISDAIN_LOSS) - 1)]


def score_sheet(seat: Seat, sheet: Sheet, paths: bool) -> ScoreSheet:
    """A seat's score line by line; with its `paths` or without."""
    lines = [ScoreLine(attribute.value, getattr(sheet, attribute)) for attribute in EVERY_ATTRIBUTE]
    if paths:
        lines += [
            ScoreLine(card.value, path_points(card, sheet), str(COUNTS[card](sheet)))
            for card in sheet.path
        ]
    lines.append(ScoreLine("disdain", -disdain_loss(sheet), str(sheet.disdain)))
    return ScoreSheet(seat, tuple(lines), sum(line.points for line in lines))


def score(state: State) -> tuple[ScoreSheet, ...]:
    """Every seat's score; the paths lie face down until the end."""
    over = state.phase is Phase.OVER
    return tuple(score_sheet(Seat(seat), sheet, over) for seat, sheet in enumerate(state.sheets))


TIE_BREAKS = ("score", "disdain", "paths", "shared")
"""What sets places apart, in this order: least disdain, then most points of paths."""


def standing(sheet: Sheet) -> tuple[int, int, int]:
    """What a place is decided by, smaller being better."""
    return -score_sheet(Seat(0), sheet, True).total, sheet.disdain, -paths_total(sheet)


def places(sheets: tuple[Sheet, ...]) -> tuple[Place, ...]:
    """Every seat's place, with the last tie-break that its neighbours in the ranking needed."""
    ranked = sorted((standing(sheet), seat) for seat, sheet in enumerate(sheets))
    found = []
    for spot, (mine, seat) in enumerate(ranked):
        beside = [other for other, _ in ranked[max(0, spot - 1) : spot + 2]]
        beside.remove(mine)
        decided = max((agreement(mine, other) for other in beside), default=0)
        place = 1 + sum(other < mine for other, _ in ranked)
        found.append(Place(Seat(seat), place, -mine[0], TIE_BREAKS[decided]))
    return tuple(found)


def agreement(mine: tuple[int, ...], other: tuple[int, ...]) -> int:
    """How many of the leading values two standings share."""
    shared = 0
    for one, two in zip(mine, other, strict=True):
        if one != two:
            break
        shared += 1
    return shared


TITLES = (
    (70, "Legatus Legionis"),
    (60, "Praefectus Castrorum"),
    (50, "Primus Pilus"),
    (40, "Centurion"),
)


def title(points: int) -> str:
    """The rank of a player who played alone."""
    return next((name for least, name in TITLES if points >= least), "Miles")


def result(state: State, outcome: str) -> Result | None:
    """The places, once the sixth attack is over."""
    return Result(places(state.sheets), outcome) if state.phase is Phase.OVER else None
