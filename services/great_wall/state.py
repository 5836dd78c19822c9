"""The position of The Great Wall: frozen values only. No pile has an order that means anything."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from msgspec.structs import replace

from services.gamekit.game import Record
from services.great_wall.cards.advisors import Advisor
from services.great_wall.cards.artifacts import Artifact
from services.great_wall.cards.board import (
    ARCHERS,
    CLERKS,
    HORSEMEN,
    RESERVE,
    SETUPS,
    SPEARMEN,
    Setup,
)
from services.great_wall.cards.commands import Command
from services.great_wall.cards.generals import General
from services.great_wall.cards.hordes import HordeCard
from services.great_wall.cards.tactics import Tactic
from services.great_wall.goods import NO_GOODS, Goods, Location, Section, Soldier
from services.great_wall.options import GreatWallOptions
from services.great_wall.tasks import AnyTask
from services.great_wall.tasks.task import Phase

NOBODY = -1
FLOWS = 8
"""Gains and payments that are remembered."""
FREE, WOUND = 0, 1
"""Marks of a spot; a soldier's mark is above them, see `rules.hordes`."""


class Claim(Record, frozen=True, array_like=True):
    """A claimed horde, and the shame on its slots."""

    card: HordeCard
    shame: int = 0


class Leader(Record, frozen=True, array_like=True):
    """The general and the active advisor that a seat has chosen, hidden until all have."""

    general: General
    advisor: Advisor


class Clan(Record, frozen=True, array_like=True, cache_hash=True):
    """A colour: a seat's, the neutral clan's or the automated general's.

    Goods, tactics, commands and chosen are hidden from others; so is `leader`.
    Soldiers are counted by type, those at rest by section and type, clerks by location.
    """

    goods: Goods = NO_GOODS
    honour: int = 0
    pool: tuple[int, ...] = (SPEARMEN, ARCHERS, HORSEMEN)
    frozen: tuple[int, ...] = (0, 0, 0)
    """Soldiers of the pool with shame."""
    rest: tuple[int, ...] = (0,) * 9
    firing: tuple[int, ...] = (0, 0, 0)
    clerks: int = CLERKS
    reserve: int = RESERVE
    desks: tuple[int, ...] = (0,) * 11
    """Clerks at each location."""
    overseers: tuple[int, ...] = (0, 0, 0, 0)
    general: General | None = None
    active: tuple[Advisor, ...] = ()
    supporting: tuple[Advisor, ...] = ()
    tactics: tuple[Tactic, ...] = ()
    commands: tuple[Command, ...] = ()
    discard: tuple[Command, ...] = ()
    chosen: Command | None = None
    claimed: tuple[Claim, ...] = ()
    generals: tuple[General, ...] = ()
    """Dealt, until one is kept."""
    advisors: tuple[Advisor, ...] = ()
    """Dealt, until one is made active."""
    leader: Leader | None = None


class Horde(Record, frozen=True, array_like=True, cache_hash=True):
    """A horde on the board: a mark for each cell of its grid."""

    card: HordeCard
    marks: tuple[int, ...] = (FREE,) * 12


class Played(Record, frozen=True, array_like=True):
    """A command card on the track."""

    clan: int
    command: Command


class Doomed(Record, frozen=True, array_like=True):
    """Soldiers about to die, on a card or (no card) in Firing spots."""

    clan: int
    card: HordeCard | None
    soldier: Soldier
    count: int


class Toll(Record, frozen=True, array_like=True):
    """A kill event: who dies in which section, and who has played a tactic card."""

    section: Section
    doomed: tuple[Doomed, ...] = ()
    spent: tuple[int, ...] = ()


class Flow(Record, frozen=True, array_like=True):
    """Goods that a clan took, or (negative) gave up."""

    clan: int
    goods: Goods


class State(Record, frozen=True, array_like=True, cache_hash=True):
    """Everything there is to know. Clans: the seats, then the neutral clan, then the general."""

    options: GreatWallOptions
    seats: int
    clans: tuple[Clan, ...]
    tea: tuple[int, ...]
    stack: tuple[AnyTask, ...]
    horde_deck: tuple[HordeCard, ...]
    advisor_deck: tuple[Advisor, ...]
    tactic_deck: tuple[Tactic, ...]
    shame_pool: int
    year: int = 1
    phase: Phase = Phase.SETUP
    active: int = NOBODY
    walls: tuple[int, ...] = (0, 0, 0)
    barricades: tuple[int, ...] = (0, 0, 0)
    hordes: tuple[tuple[Horde, ...], ...] = ((), (), ())
    horde_discard: tuple[HordeCard, ...] = ()
    back: Section | None = None
    """Of the horde deck's top card, where there is one."""
    indicator: Section | None = None
    advisor_discard: tuple[Advisor, ...] = ()
    advisor_track: tuple[Advisor, ...] = ()
    tactic_discard: tuple[Tactic, ...] = ()
    artifacts: tuple[Artifact, ...] = ()
    warehouse: Goods = NO_GOODS
    track: tuple[Played | None, ...] = (None,) * 4
    solo_deck: tuple[Command, ...] = ()
    location_track: tuple[Location, ...] = ()
    """The automated general's, highest first."""
    toll: Toll | None = None
    flows: tuple[Flow, ...] = ()
    """The latest gains and payments (R18.12)."""
    breaches: int = 0
    ending: str = ""
    hordes_drawn: int = 0
    advisors_drawn: int = 0
    tactics_drawn: int = 0
    solo_drawn: int = 0

    @property
    def setup(self) -> Setup:
        """What the number of players decides."""
        return SETUPS[self.seats]

    @property
    def reed(self) -> int:
        """The neutral clan, where it plays."""
        return self.seats if self.seats < 3 else NOBODY

    @property
    def qin(self) -> int:
        """The automated general, where he plays."""
        return 2 if self.seats == 1 else NOBODY


Card = TypeVar("Card", bound=str)


def push(state: State, *tasks: AnyTask) -> State:
    """`tasks` before all else, the first one first."""
    return replace(state, stack=state.stack + tasks[::-1])


def pop(state: State) -> State:
    """Without the task on top."""
    return replace(state, stack=state.stack[:-1])


def instead(state: State, *tasks: AnyTask) -> State:
    """`tasks` in place of the one on top, the first one first."""
    return replace(state, stack=state.stack[:-1] + tasks[::-1])


def with_clan(state: State, index: int, clan: Clan) -> State:
    """`state` with another clan at `index`."""
    clans = state.clans
    return replace(state, clans=(*clans[:index], clan, *clans[index + 1 :]))


def honoured(state: State, index: int, honour: int) -> State:
    """A clan's honour changes, never below 0; the neutral clan has none (R0.6, R14.1)."""
    if not honour or index == state.reed:
        return state
    clan = state.clans[index]
    return with_clan(state, index, replace(clan, honour=max(0, clan.honour + honour)))


def earned(state: State, index: int, goods: Goods) -> State:
    """A seat takes goods from the supply, or (negative) gives some up: everybody sees that."""
    if not goods:
        return state
    clan = state.clans[index]
    flows = (*state.flows[1 - FLOWS :], Flow(index, goods))
    state = with_clan(state, index, replace(clan, goods=clan.goods + goods))
    return replace(state, flows=flows)


def paid(state: State, index: int, goods: Goods) -> State:
    """A seat gives up goods."""
    return earned(state, index, goods * -1)


def joined(pile: Iterable[Card], cards: Iterable[Card]) -> tuple[Card, ...]:
    """Both piles as one, sorted."""
    return tuple(sorted([*pile, *cards]))


def without(pile: tuple[Card, ...], *cards: Card) -> tuple[Card, ...]:
    """`pile` less `cards`, which are all in it."""
    left = list(pile)
    for card in cards:
        left.remove(card)
    return tuple(left)


T = TypeVar("T", bound=AnyTask)


def top(state: State, kind: type[T]) -> T:
    """The task on top, which is of this kind: the prompt says so."""
    task = state.stack[-1]
    assert isinstance(task, kind)
    return task
