"""The 24 horde cards: eight types, each once a section."""

from __future__ import annotations

from enum import StrEnum

from services.gamekit.game import Record
from services.great_wall.amounts import n
from services.great_wall.effects import Ability, Lose
from services.great_wall.goods import Section, Soldier
from services.great_wall.passives import Change, Forbid, ModifyValue, Printed
from services.great_wall.triggers import ALWAYS, Trigger, When

COLUMNS = 6
"""A grid has two rows of six cells; a spot is named by its cell, 0-5 above and 6-11 below."""


class HordeType(StrEnum):
    """A type of horde."""

    LEADER = "leader"
    OUTRIDERS = "outriders"
    PLUNDERERS = "plunderers"
    RAM_CREW = "ram_crew"
    VANGUARD = "vanguard"
    IRON_LANCERS = "iron_lancers"
    EXECUTIONERS = "executioners"
    WAR_DRUMS = "war_drums"


class HordeCard(StrEnum):
    """A horde card: its type, and the section on its back."""

    LEADER_LEFT = "leader_left"
    LEADER_CENTRE = "leader_centre"
    LEADER_RIGHT = "leader_right"
    OUTRIDERS_LEFT = "outriders_left"
    OUTRIDERS_CENTRE = "outriders_centre"
    OUTRIDERS_RIGHT = "outriders_right"
    PLUNDERERS_LEFT = "plunderers_left"
    PLUNDERERS_CENTRE = "plunderers_centre"
    PLUNDERERS_RIGHT = "plunderers_right"
    RAM_CREW_LEFT = "ram_crew_left"
    RAM_CREW_CENTRE = "ram_crew_centre"
    RAM_CREW_RIGHT = "ram_crew_right"
    VANGUARD_LEFT = "vanguard_left"
    VANGUARD_CENTRE = "vanguard_centre"
    VANGUARD_RIGHT = "vanguard_right"
    IRON_LANCERS_LEFT = "iron_lancers_left"
    IRON_LANCERS_CENTRE = "iron_lancers_centre"
    IRON_LANCERS_RIGHT = "iron_lancers_right"
    EXECUTIONERS_LEFT = "executioners_left"
    EXECUTIONERS_CENTRE = "executioners_centre"
    EXECUTIONERS_RIGHT = "executioners_right"
    WAR_DRUMS_LEFT = "war_drums_left"
    WAR_DRUMS_CENTRE = "war_drums_centre"
    WAR_DRUMS_RIGHT = "war_drums_right"


class Face(Record, frozen=True):
    """The face of a horde card. `grid` is two rows of cells.

    `-` no spot, `o` no reward, `w s g c` a resource, `a` a resource of choice, `h H` one or two
    honour, `t` a tactic card, `d` an own shame is discarded.
    """

    power: int
    honour: int
    grid: str
    ability: Ability | None = None


def passive(what: Printed, op: Change, by: int = 0, when: When = ALWAYS) -> Ability:
    """A printed number that changes while the card is on the board."""
    return Ability(Trigger.PASSIVE, (ModifyValue(what, op, n(by)),), when, must=True)


FACES = {
    HordeType.LEADER: Face(
        2, 5, "------whcat-", passive(Printed.SECTION_DEFENCE, Change.HALVE_DOWN)
    ),
    HordeType.OUTRIDERS: Face(4, 2, "-w-----gs---"),
    HordeType.PLUNDERERS: Face(
        4,
        3,
        "-gg----ao---",
        Ability(Trigger.ASSAULT_START, (Lose(n(1)),), When(no_soldier_on_card=True), must=True),
    ),
    HordeType.RAM_CREW: Face(
        4, 4, "--s----owo--", passive(Printed.BARRICADE_DEFENCE_IN_SECTION, Change.SET, 1)
    ),
    HordeType.VANGUARD: Face(
        4, 4, "-hc----oht--", passive(Printed.OWN_POWER, Change.ADD, 2, When(horde_row=1))
    ),
    HordeType.IRON_LANCERS: Face(
        6,
        6,
        "--HH---ogo--",
        Ability(Trigger.PASSIVE, (Forbid(Soldier.SPEARMAN),), must=True),
    ),
    HordeType.EXECUTIONERS: Face(
        5, 5, "hoo----ch---", passive(Printed.OWN_LETHALITY, Change.ADD, 1)
    ),
    HordeType.WAR_DRUMS: Face(
        3, 3, "--at----do--", passive(Printed.POWER_OF_OTHER_HORDES_IN_SECTION, Change.ADD, 1)
    ),
}

TYPE_OF = {card: HordeType(card.rpartition("_")[0]) for card in HordeCard}
SECTION_OF = {card: Section(card.rpartition("_")[2]) for card in HordeCard}
FACE_OF = {card: FACES[kind] for card, kind in TYPE_OF.items()}


def neighbours(cells: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """Pairs of orthogonally adjacent spots, left one and upper one first."""
    return tuple(
        (one, two)
        for one in cells
        for two in (one + 1, one + COLUMNS)
        if two in cells and not (two == one + 1 and two % COLUMNS == 0)
    )


SPOTS = {
    card: tuple(cell for cell, code in enumerate(face.grid) if code != "-")
    for card, face in FACE_OF.items()
}
"""The spots of each card."""

PAIRS = {card: neighbours(cells) for card, cells in SPOTS.items()}
"""What a horseman may cover."""


def forbids(face: Face, soldier: Soldier) -> bool:
    """Whether a card forbids its upper row to a type of soldier."""
    return face.ability is not None and Forbid(soldier) in face.ability.do


SPEAR_SPOTS = {
    card: tuple(
        cell for cell in cells if cell >= COLUMNS or not forbids(FACE_OF[card], Soldier.SPEARMAN)
    )
    for card, cells in SPOTS.items()
}
"""What a spearman may cover."""

QIN_SPOTS = {
    card: tuple(sorted(cells, key=lambda cell: (cell % COLUMNS, cell)))
    for card, cells in SPOTS.items()
}
"""Column by column, upper spot first: how the automated general covers them."""
