"""Reading and changing the hordes and the wall: spots, soldiers, firing spots.

A mark is 0 (free), 1 (a wound) or 2 + 3 x clan + n, where n is 0 for a spearman and 1 or 2 for the
clan's first or second horseman on the card, who covers two spots.
"""

from __future__ import annotations

from msgspec.structs import replace

from services.great_wall.cards.board import TOP_LEVEL, WALL
from services.great_wall.cards.hordes import COLUMNS, PAIRS, SPEAR_SPOTS, SPOTS, HordeCard
from services.great_wall.goods import (
    AT,
    SECTIONS,
    SPEARMAN,
    Section,
    Soldier,
    added,
)
from services.great_wall.state import FREE, WOUND, Horde, State, with_clan

KINDS = 3


def mark(clan: int, which: int) -> int:
    """The mark of a clan's soldier."""
    return 2 + KINDS * clan + which


def owner(one: int) -> int:
    """Whose soldier a mark is; -1 for none."""
    return (one - 2) // KINDS if one > WOUND else -1


def soldiers_on(horde: Horde, clan: int) -> tuple[int, int]:
    """Spearmen and horsemen of a clan on a card."""
    first = mark(clan, 0)
    marks = horde.marks
    return marks.count(first), (first + 1 in marks) + (first + 2 in marks)


def is_on(horde: Horde, clan: int) -> bool:
    """Whether a clan has a soldier on a card."""
    first = mark(clan, 0)
    marks = horde.marks
    return first in marks or first + 1 in marks or first + 2 in marks


def covered(horde: Horde, clan: int) -> int:
    """Spots that a clan's soldiers cover."""
    first, marks = mark(clan, 0), horde.marks
    return marks.count(first) + marks.count(first + 1) + marks.count(first + 2)


def is_full(horde: Horde) -> bool:
    """Whether no spot is free."""
    marks = horde.marks
    return all(marks[cell] for cell in SPOTS[horde.card])


def full_hordes(state: State) -> tuple[HordeCard, ...]:
    """The hordes without a free spot."""
    return tuple(horde.card for row in state.hordes for horde in row if is_full(horde))


def free_spots(horde: Horde) -> list[int]:
    """Spots that are free."""
    marks = horde.marks
    return [cell for cell in SPOTS[horde.card] if marks[cell] == FREE]


def find(state: State, card: HordeCard) -> tuple[int, int] | None:
    """Section and row (both from 0) of a card on the board."""
    for section, row in enumerate(state.hordes):
        for number, horde in enumerate(row):
            if horde.card == card:
                return section, number
    return None


def horde_of(state: State, card: HordeCard) -> Horde | None:
    """A card on the board."""
    place = find(state, card)
    return state.hordes[place[0]][place[1]] if place else None


def with_horde(state: State, section: int, row: int, horde: Horde) -> State:
    """Another horde in a place."""
    rows = state.hordes[section]
    return with_rows(state, section, (*rows[:row], horde, *rows[row + 1 :]))


def with_rows(state: State, section: int, rows: tuple[Horde, ...]) -> State:
    """Other hordes in a section."""
    hordes = state.hordes
    return replace(state, hordes=(*hordes[:section], rows, *hordes[section + 1 :]))


def with_marks(horde: Horde, cells: tuple[int, ...], one: int) -> Horde:
    """A horde with a mark on these spots."""
    marks = list(horde.marks)
    for cell in cells:
        marks[cell] = one
    return Horde(horde.card, tuple(marks))


def soldier_mark(horde: Horde, clan: int, soldier: Soldier) -> int:
    """The mark that a new soldier of a clan gets on a card."""
    if soldier is Soldier.SPEARMAN:
        return mark(clan, SPEARMAN)
    first = mark(clan, 1)
    return first + 1 if first in horde.marks else first


def taken_off(horde: Horde, clan: int, soldier: Soldier) -> Horde:
    """A soldier leaves a card: wounds stay on its spots (R8.5)."""
    marks = list(horde.marks)
    if soldier is Soldier.SPEARMAN:
        marks[marks.index(mark(clan, 0))] = WOUND
        return Horde(horde.card, tuple(marks))
    second = mark(clan, 2)
    gone = second if second in marks else mark(clan, 1)
    return Horde(horde.card, tuple(WOUND if one == gone else one for one in marks))


def targets(state: State, soldier: Soldier, section: Section) -> list[tuple[int, tuple[int, ...]]]:
    """(row, spots) that a soldier may cover or wound in a section (R8.2, R8.7)."""
    rows = state.hordes[AT[section]]
    if soldier is Soldier.SPEARMAN:
        if not rows:
            return []
        marks = rows[0].marks
        return [(0, (cell,)) for cell in SPEAR_SPOTS[rows[0].card] if marks[cell] == FREE]
    if soldier is Soldier.ARCHER:
        return [(row, (cell,)) for row, horde in enumerate(rows) for cell in free_spots(horde)]
    return [
        (row, pair)
        for row, horde in enumerate(rows)
        for pair in PAIRS[horde.card]
        if horde.marks[pair[0]] == FREE and horde.marks[pair[1]] == FREE
    ]


def has_target(state: State, soldier: Soldier, section: Section) -> bool:
    """Whether a soldier could attack in a section."""
    return bool(targets(state, soldier, section))


def is_target(
    state: State, soldier: Soldier, section: Section, row: int, spots: tuple[int, ...]
) -> bool:
    """Whether these spots may be covered or wounded."""
    rows = state.hordes[AT[section]]
    return 0 <= row < len(rows) and (row, spots) in targets(state, soldier, section)


def free_firing(state: State, section: int) -> int:
    """Firing spots without an archer."""
    free = WALL[state.walls[section]].firing_spots
    for clan in state.clans:
        free -= clan.firing[section]
    return free


def is_upper(cell: int) -> bool:
    """Whether a cell is in a card's upper row."""
    return cell < COLUMNS


def highest_walls(state: State) -> tuple[int, ...]:
    """The sections whose wall has the highest built level."""
    top = max(state.walls)
    return tuple(at for at in range(len(SECTIONS)) if top and state.walls[at] == top)


def finished_walls(state: State) -> int:
    """Walls at the top level."""
    return state.walls.count(TOP_LEVEL)


def to_rest(state: State, clan: int, section: int, soldier: int, count: int = 1) -> State:
    """Soldiers go to the Rest Zone; those of clans that do not rest go to their pool
    (R14.1, R15.5)."""
    one = state.clans[clan]
    if clan >= state.seats:
        return with_clan(state, clan, replace(one, pool=added(one.pool, soldier, count)))
    rest = added(one.rest, section * 3 + soldier, count)
    return with_clan(state, clan, replace(one, rest=rest))


def to_firing(state: State, clan: int, section: int) -> State:
    """An archer takes a Firing spot."""
    one = state.clans[clan]
    return with_clan(state, clan, replace(one, firing=added(one.firing, section, 1)))


def to_pool(state: State, clan: int, soldier: int, count: int) -> State:
    """Soldiers go back to the supply."""
    one = state.clans[clan]
    return with_clan(state, clan, replace(one, pool=added(one.pool, soldier, count)))


def available(state: State, clan: int, soldier: int) -> int:
    """Soldiers of the pool that are not frozen."""
    one = state.clans[clan]
    return one.pool[soldier] - one.frozen[soldier]
