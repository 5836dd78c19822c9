"""A colour as everybody sees it."""

from __future__ import annotations

from services.gamekit.bag import Bag
from services.gamekit.game import Record
from services.great_wall.cards.advisors import Advisor
from services.great_wall.cards.board import PLACES, PRODUCTION
from services.great_wall.cards.commands import Command
from services.great_wall.cards.generals import General
from services.great_wall.cards.hordes import HordeCard
from services.great_wall.goods import LOCATIONS, SECTIONS, Location, Section
from services.great_wall.state import Clan, State
from services.great_wall.tasks.cards import Responding


class Ranks(Bag, frozen=True):
    """Soldiers by type."""

    spearman: int = 0
    archer: int = 0
    horseman: int = 0


class Desk(Record, frozen=True):
    """Clerks of a clan at a location, and the level of its overseer there."""

    location: Location
    clerks: int
    overseer: int


class Post(Record, frozen=True):
    """Soldiers of a clan in a section's Rest Zone and Firing spots."""

    section: Section
    rest: Ranks
    firing: int


class ClaimView(Record, frozen=True):
    """A claimed horde, and the shame on it."""

    card: HordeCard
    shame: int


class ClanView(Record, frozen=True):
    """A colour, as everybody sees it: hands only by their size."""

    clan: int
    honour: int
    pool: Ranks
    frozen: Ranks
    posts: tuple[Post, ...]
    clerks: int
    reserve: int
    desks: tuple[Desk, ...]
    general: General | None
    active: tuple[Advisor, ...]
    supporting: tuple[Advisor, ...]
    tactics: int
    commands: int
    discard: tuple[Command, ...]
    command: Command | None
    claimed: tuple[ClaimView, ...]
    generals: tuple[General, ...]
    advisors: tuple[Advisor, ...]
    ready: bool


def ranks(counts: tuple[int, ...]) -> Ranks:
    """Counts by type."""
    return Ranks(*counts)


def clan_view(state: State, index: int, hidden: bool) -> ClanView:
    """A colour as everybody sees it."""
    clan = state.clans[index]
    return ClanView(
        clan=index,
        honour=clan.honour,
        pool=ranks(clan.pool),
        frozen=ranks(clan.frozen),
        posts=tuple(
            Post(section, ranks(clan.rest[at * 3 : at * 3 + 3]), clan.firing[at])
            for at, section in enumerate(SECTIONS)
            if section in state.setup.sections
        ),
        clerks=clan.clerks,
        reserve=clan.reserve,
        desks=tuple(
            Desk(LOCATIONS[at], clan.desks[at], clan.overseers[at] if at < len(PRODUCTION) else 0)
            for at in range(len(PLACES))
        ),
        general=clan.general,
        active=clan.active,
        supporting=clan.supporting,
        tactics=len(clan.tactics),
        commands=len(clan.commands) + (hidden and clan.chosen is not None),
        discard=clan.discard,
        command=None if hidden else clan.chosen,
        claimed=tuple(ClaimView(one.card, one.shame) for one in clan.claimed),
        generals=clan.generals,
        advisors=clan.advisors,
        ready=is_ready(state, index, clan),
    )


def is_ready(state: State, index: int, clan: Clan) -> bool:
    """Whether a seat has made its hidden choice."""
    task = state.stack[-1] if state.stack else None
    if isinstance(task, Responding):
        return any(answer.clan == index for answer in task.answers)
    return clan.leader is not None or clan.chosen is not None
