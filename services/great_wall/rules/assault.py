"""Numbers of an assault (R12.2): defence, offence, lethality, changed by the hordes' abilities."""

from __future__ import annotations

from collections.abc import Iterator

from services.great_wall.cards.board import BARRICADE_DEFENCE, WALL
from services.great_wall.cards.hordes import FACE_OF
from services.great_wall.effects import Change, ModifyValue, Printed
from services.great_wall.goods import AT, Section
from services.great_wall.state import Horde, State

ORDER = (Change.SET, Change.ADD, Change.HALVE_DOWN)
"""What comes first (R18.6)."""


def modifiers(rows: tuple[Horde, ...], what: Printed) -> Iterator[tuple[int, ModifyValue]]:
    """(row, effect) of every horde ability that changes a number, in the order of R18.6."""
    found = []
    for row, horde in enumerate(rows):
        ability = FACE_OF[horde.card].ability
        if ability is None or ability.when.horde_row not in (0, row + 1):
            continue
        found += [
            (row, effect)
            for effect in ability.do
            if isinstance(effect, ModifyValue) and effect.what is what
        ]
    return iter(sorted(found, key=lambda one: ORDER.index(one[1].op)))


def changed(value: int, effect: ModifyValue) -> int:
    """A number after one change."""
    if effect.op is Change.SET:
        return effect.by.plus
    if effect.op is Change.ADD:
        return value + effect.by.plus
    return value // 2


def defence(state: State, section: Section) -> int:
    """Wall and barricades, halved for each leader."""
    at = AT[section]
    rows = state.hordes[at]
    barricade = BARRICADE_DEFENCE
    for _, effect in modifiers(rows, Printed.BARRICADE_DEFENCE_IN_SECTION):
        barricade = changed(barricade, effect)
    value = WALL[state.walls[at]].defence + barricade * state.barricades[at]
    for _, effect in modifiers(rows, Printed.SECTION_DEFENCE):
        value = changed(value, effect)
    return value


def power(rows: tuple[Horde, ...], row: int) -> int:
    """A horde's power with its own ability and those of the others in the section."""
    value = FACE_OF[rows[row].card].power
    for source, effect in modifiers(rows, Printed.OWN_POWER):
        value = changed(value, effect) if source == row else value
    for source, effect in modifiers(rows, Printed.POWER_OF_OTHER_HORDES_IN_SECTION):
        value = changed(value, effect) if source != row else value
    return value


def offence(state: State, section: Section) -> int:
    """The powers of all hordes of a section."""
    rows = state.hordes[AT[section]]
    return sum(power(rows, row) for row in range(len(rows)))


def lethality(state: State, horde: Horde) -> int:
    """Soldiers that each player loses on a card (R11.1)."""
    value = state.setup.years[state.year - 1].lethality
    for _, effect in modifiers((horde,), Printed.OWN_LETHALITY):
        value = changed(value, effect)
    return value
