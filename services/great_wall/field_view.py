"""The sections of the wall as everybody sees them."""

from __future__ import annotations

from services.gamekit.game import Record
from services.great_wall.cards.hordes import FACE_OF, SPOTS, HordeCard
from services.great_wall.field import KINDS, free_firing, owner
from services.great_wall.goods import AT, Section, Soldier
from services.great_wall.rules.assault import cards_in, defence, lethality, offence, power
from services.great_wall.state import WOUND, Horde, State


class SpotView(Record, frozen=True):
    """A spot of a horde's grid: cells 0-5 above, 6-11 below.

    `reward` as printed: w s g c a resource, a one of choice, h H honour, t a tactic card,
    d shame discarded, o nothing. `clan` and `soldier` of who covers it.
    """

    cell: int
    reward: str
    wound: bool
    clan: int | None
    soldier: Soldier | None


class HordeView(Record, frozen=True):
    """A horde on the board, its numbers as they are now."""

    card: HordeCard
    power: int
    honour: int
    lethality: int
    spots: tuple[SpotView, ...]


class SectionView(Record, frozen=True):
    """A section, and how an assault on it would stand now."""

    section: Section
    wall: int
    free_firing: int
    barricades: int
    defence: int
    offence: int
    hordes: tuple[HordeView, ...]


def section_view(state: State, section: Section) -> SectionView:
    """One section."""
    at = AT[section]
    rows, cards = state.hordes[at], cards_in(state, at)
    return SectionView(
        section=section,
        wall=state.walls[at],
        free_firing=free_firing(state, at),
        barricades=state.barricades[at],
        defence=defence(state, section),
        offence=offence(state, section),
        hordes=tuple(horde_view(state, horde, power(cards, row)) for row, horde in enumerate(rows)),
    )


def horde_view(state: State, horde: Horde, strength: int) -> HordeView:
    """One horde."""
    face = FACE_OF[horde.card]
    return HordeView(
        card=horde.card,
        power=strength,
        honour=face.honour,
        lethality=lethality(state, horde),
        spots=tuple(
            spot_view(cell, face.grid[cell], horde.marks[cell]) for cell in SPOTS[horde.card]
        ),
    )


def spot_view(cell: int, reward: str, mark: int) -> SpotView:
    """One spot."""
    clan = owner(mark)
    if clan < 0:
        return SpotView(cell, reward, mark == WOUND, None, None)
    soldier = Soldier.HORSEMAN if (mark - 2) % KINDS else Soldier.SPEARMAN
    return SpotView(cell, reward, False, clan, soldier)
