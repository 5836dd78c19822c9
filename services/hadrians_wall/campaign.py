"""Whether a fort of the solo campaign was held (section 7)."""

from __future__ import annotations

from collections.abc import Callable

from services.gamekit.game import Record, Seat
from services.hadrians_wall import endgame
from services.hadrians_wall.forts import AT_MOST, FORTS, G, Measure
from services.hadrians_wall.goods import Attribute
from services.hadrians_wall.state import Sheet, State
from services.hadrians_wall.tracks import CIPPI, FORT, WALL


class Goal(Record, frozen=True):
    """A goal or challenge of a fort, and how far it is met. Those with `at_most` set a limit."""

    measure: Measure
    asked: int
    have: int
    at_most: bool
    challenge: bool
    met: bool


def at_least(level: int) -> Callable[[Sheet], int]:
    """How many attributes have reached `level`."""
    return lambda sheet: sum(getattr(sheet, attribute) >= level for attribute in Attribute)


def defences(sheet: Sheet) -> int:
    """How many of Fort, Wall and Cippi are complete."""
    return (sheet.fort == len(FORT)) + (sheet.wall == len(WALL)) + (sheet.cippi == len(CIPPI))


def large_left(sheet: Sheet) -> int:
    """How many of Large Granary, Hotel, Workshop and Road are built."""
    return sum(size == 2 for size in (sheet.granary, sheet.hotel, sheet.workshop, sheet.road))


MEASURES: dict[Measure, Callable[[Sheet], int]] = {
    Measure.SCORE: lambda sheet: endgame.score_sheet(Seat(0), sheet, paths=True).total,
    Measure.PATHS: endgame.paths_total,
    Measure.DISDAIN: lambda sheet: sheet.disdain,
    Measure.RENOWN: lambda sheet: sheet.renown,
    Measure.VALOUR: lambda sheet: sheet.valour,
    Measure.ATTRIBUTES_AT_10: at_least(10),
    Measure.ATTRIBUTES_AT_15: at_least(15),
    Measure.ATTRIBUTES_AT_17: at_least(17),
    Measure.ATTRIBUTES_AT_20: at_least(20),
    Measure.WALL_SECTIONS: endgame.wall_sections,
    Measure.WALL_GUARD: lambda sheet: sheet.guard,
    Measure.DEFENCES_COMPLETE: defences,
    Measure.LARGE_ROAD: lambda sheet: int(sheet.road == 2),
    Measure.LARGE_LEFT_BUILDINGS: large_left,
    Measure.CITIZEN_TRACKS: endgame.citizen_tracks,
    Measure.BATHS: lambda sheet: sheet.baths,
    Measure.TEMPLES: endgame.temples_filled,
    Measure.GLADIATORS: endgame.gladiators,
    Measure.GOODS: endgame.market_boxes,
    Measure.MAP_CELLS: lambda sheet: sheet.map.bit_count(),
    Measure.LANDMARKS: endgame.landmarks,
    Measure.FAVOURS_SPENT: lambda sheet: sheet.favours_spent,
}
"""How much there is of each measure."""


def goals(state: State) -> tuple[Goal, ...]:
    """The goals and the challenge of the match's fort, as they stand."""
    fort, sheet = FORTS[state.options.campaign], state.sheets[0]
    return judged(fort.goals, sheet, challenge=False) + judged(
        fort.challenge, sheet, challenge=True
    )


def judged(asked: G, sheet: Sheet, *, challenge: bool) -> tuple[Goal, ...]:
    """Some goals, as far as a sheet meets them."""
    found = []
    for measure, count in asked:
        have, at_most = MEASURES[measure](sheet), measure in AT_MOST
        met = have <= count if at_most else have >= count
        found.append(Goal(measure, count, have, at_most, challenge, met))
    return tuple(found)


def outcome(state: State) -> str:
    """What places do not tell: a solo title, and in the campaign whether the fort was held.

    A challenge counts only together with the goals.
    """
    if len(state.sheets) > 1:
        return ""
    sheet = state.sheets[0]
    title = endgame.title(MEASURES[Measure.SCORE](sheet))
    if not state.options.campaign:
        return title
    asked = goals(state)
    held = all(goal.met for goal in asked if not goal.challenge)
    beyond = held and all(goal.met for goal in asked)
    verdict = "held, challenge met" if beyond else "held" if held else "lost"
    return f"{title}; {FORTS[state.options.campaign].name} {verdict}"
