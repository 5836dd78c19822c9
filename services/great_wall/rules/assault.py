"""Numbers of an assault (R12.2): defence, offence, lethality, changed by the hordes' abilities."""

from __future__ import annotations

from functools import lru_cache

from services.great_wall.cards.board import BARRICADE_DEFENCE, WALL
from services.great_wall.cards.hordes import FACE_OF, HordeCard
from services.great_wall.goods import AT, Section
from services.great_wall.passives import Change, ModifyValue, Printed
from services.great_wall.state import Horde, State

ORDER = (Change.SET, Change.ADD, Change.HALVE_DOWN)
"""What comes first (R18.6)."""

Cards = tuple[HordeCard, ...]
"""The hordes of a section, nearest first."""


def modifiers(cards: Cards, what: Printed) -> list[tuple[int, ModifyValue]]:
    """(row, effect) of every horde ability that changes a number, in the order of R18.6."""
    found = []
    for row, card in enumerate(cards):
        ability = FACE_OF[card].ability
        if ability is None or ability.when.horde_row not in (0, row + 1):
            continue
        found += [
            (row, effect)
            for effect in ability.do
            if isinstance(effect, ModifyValue) and effect.what is what
        ]
    return sorted(found, key=lambda one: ORDER.index(one[1].op))


def changed(value: int, effect: ModifyValue) -> int:
    """A number after one change."""
    if effect.op is Change.SET:
        return effect.by.plus
    if effect.op is Change.ADD:
        return value + effect.by.plus
    return value // 2


@lru_cache(maxsize=4096)
def held(cards: Cards, level: int, barricades: int) -> int:
    """The defence of a wall level and barricades against these hordes."""
    barricade = BARRICADE_DEFENCE
    for _, effect in modifiers(cards, Printed.BARRICADE_DEFENCE_IN_SECTION):
        barricade = changed(barricade, effect)
    value = WALL[level].defence + barricade * barricades
    for _, effect in modifiers(cards, Printed.SECTION_DEFENCE):
        value = changed(value, effect)
    return value


@lru_cache(maxsize=4096)
def power(cards: Cards, row: int) -> int:
    """A horde's power with its own ability and those of the others in the section."""
    value = FACE_OF[cards[row]].power
    for source, effect in modifiers(cards, Printed.OWN_POWER):
        value = changed(value, effect) if source == row else value
    for source, effect in modifiers(cards, Printed.POWER_OF_OTHER_HORDES_IN_SECTION):
        value = changed(value, effect) if source != row else value
    return value


@lru_cache(maxsize=4096)
def force(cards: Cards) -> int:
    """The powers of these hordes together."""
    return sum(power(cards, row) for row in range(len(cards)))


def cards_in(state: State, section: int) -> Cards:
    """The hordes of a section."""
    return tuple([horde.card for horde in state.hordes[section]])


def defence(state: State, section: Section) -> int:
    """Wall and barricades, halved for each leader."""
    at = AT[section]
    return held(cards_in(state, at), state.walls[at], state.barricades[at])


def offence(state: State, section: Section) -> int:
    """The powers of all hordes of a section."""
    return force(cards_in(state, AT[section]))


@lru_cache(maxsize=256)
def deadly(card: HordeCard, printed: int) -> int:
    """The lethality of the year on a card."""
    for _, effect in modifiers((card,), Printed.OWN_LETHALITY):
        printed = changed(printed, effect)
    return printed


def lethality(state: State, horde: Horde) -> int:
    """Soldiers that each player loses on a card (R11.1)."""
    return deadly(horde.card, state.setup.years[state.year - 1].lethality)
