"""Scouts fill the map in the pattern of a prospect (section 4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from services.gamekit.game import Action, IllegalAction, Seat
from services.hadrians_wall.cards import COLUMNS, FACES, PLACEMENTS, ROWS, PlayerCard
from services.hadrians_wall.effects import VALOUR
from services.hadrians_wall.goods import Good
from services.hadrians_wall.resolve import Draft, resolve
from services.hadrians_wall.rules.neighbours import Source, passed_on, prospect_of
from services.hadrians_wall.state import State
from services.hadrians_wall.tracks import MAP, SCOUT_LEVELS

SOURCES = (Source.OWN, Source.LEFT, Source.RIGHT)
ROW_BITS = tuple(((1 << COLUMNS) - 1) << (row * COLUMNS) for row in range(ROWS))


def card_at(state: State, seat: Seat, source: Source) -> PlayerCard | None:
    """The prospect at `source`, or None."""
    try:
        return prospect_of(state, seat, source)
    except IllegalAction:
        return None


class Scout(Action[State], frozen=True):
    """Send a soldier: fill four free cells in the pattern of a prospect, turned or mirrored.

    Cells count from 0 at the top left, in ascending order. All scouts cost the same, so their
    boxes are filled from the left.
    """

    source: Source
    cells: tuple[int, ...]

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        sheet = state.sheets[seat]
        if not sheet.soldier or sheet.patricians < SCOUT_LEVELS[0]:
            return
        for source in SOURCES:
            card = card_at(state, seat, source)
            if card:
                for cells, bits in PLACEMENTS[FACES[card].pattern].items():
                    if not bits & sheet.map:
                        yield cls(source, cells)

    def check(self, state: State, seat: Seat) -> None:
        sheet = state.sheets[seat]
        if not sheet.soldier:
            raise IllegalAction("cannot_afford", soldier=1)
        if sheet.scouts >= len(SCOUT_LEVELS):
            raise IllegalAction("track_complete", track="scouts")
        if sheet.patricians < SCOUT_LEVELS[sheet.scouts]:
            level = SCOUT_LEVELS[sheet.scouts]
            raise IllegalAction("needs_citizens", track="patricians", level=level)
        if self.source is Source.FATE:
            raise IllegalAction("no_pattern")
        pattern = FACES[prospect_of(state, seat, self.source)].pattern
        bits = PLACEMENTS[pattern].get(self.cells)
        if bits is None:
            raise IllegalAction("not_the_pattern", pattern=pattern)
        if bits & sheet.map:
            raise IllegalAction("cell_filled")

    def apply(self, state: State, seat: Seat) -> State:
        draft = Draft(state.sheets[seat])
        draft["soldier"] -= 1
        draft["scouts"] += 1
        explore(draft, self.cells)
        state = draft.into(state, seat)
        if self.source is Source.OWN:
            return state
        return passed_on(state, seat, self.source, Good.SOLDIER)


def explore(draft: Draft, cells: tuple[int, ...]) -> None:
    """Fill cells of the map: each gives what lies there, each row that is completed valour."""
    before = draft.sheet.map
    after = draft["map"] = before | sum(1 << cell for cell in cells)
    for cell in cells:
        found = MAP[cell]
        if found is not None:
            resolve(draft, found)
    for row in ROW_BITS:
        if after & row == row != before & row:
            resolve(draft, VALOUR)
