"""What a seat sees, built up field by field."""

from __future__ import annotations

from services.gamekit.game import Record, Seat
from services.great_wall import glossary
from services.great_wall.cards.advisors import Advisor
from services.great_wall.cards.artifacts import Artifact
from services.great_wall.cards.board import PLACES
from services.great_wall.cards.commands import Command
from services.great_wall.cards.generals import General
from services.great_wall.cards.hordes import HordeCard
from services.great_wall.cards.tactics import Tactic
from services.great_wall.clan_view import ClanView, clan_view
from services.great_wall.field_view import SectionView, section_view
from services.great_wall.glossary import CardText
from services.great_wall.goods import Goods, Location, Section
from services.great_wall.options import Difficulty
from services.great_wall.pending import Item, Pending, agenda, hides_commands, pending
from services.great_wall.rules.clerks import clerks_in, slots
from services.great_wall.state import Leader, State
from services.great_wall.tasks.cards import Responding, Response
from services.great_wall.tasks.task import Phase


class Own(Record, frozen=True):
    """What only the viewer sees."""

    goods: Goods
    tactics: tuple[Tactic, ...]
    commands: tuple[Command, ...]
    command: Command | None
    general: General | None
    advisor: Advisor | None
    tactic: Tactic | None
    boosted: bool


class FlowView(Record, frozen=True):
    """Goods that a clan took, or (negative) gave up."""

    clan: int
    goods: Goods


class PlaceView(Record, frozen=True):
    """A location; no slots: a special one."""

    location: Location
    slots: int | None
    clerks: int


class PlayedView(Record, frozen=True):
    """A command card on the track."""

    space: int
    clan: int
    command: Command


class View(Record, frozen=True):
    """The position as one seat sees it; `seat` is None for a spectator."""

    seat: Seat | None
    difficulty: Difficulty
    year: int
    years: int
    phase: Phase
    lethality: int
    tea: tuple[int, ...]
    neutral_clan: int | None
    automated_general: int | None
    active: int | None
    clans: tuple[ClanView, ...]
    own: Own | None
    sections: tuple[SectionView, ...]
    indicator: Section | None
    horde_deck: int
    horde_discard: tuple[HordeCard, ...]
    shame_pool: int
    places: tuple[PlaceView, ...]
    warehouse: Goods
    track: tuple[PlayedView, ...]
    advisor_track: tuple[Advisor, ...]
    advisor_deck: int
    advisor_discard: tuple[Advisor, ...]
    tactic_deck: int
    tactic_discard: tuple[Tactic, ...]
    artifacts: tuple[Artifact, ...]
    location_track: tuple[Location, ...]
    general_score: int | None
    flows: tuple[FlowView, ...]
    breaches: int
    pending: Pending | None
    agenda: tuple[Item, ...]
    texts: tuple[CardText, ...]


def view(state: State, seat: Seat | None) -> View:
    """The position as `seat` sees it."""
    hidden = hides_commands(state)
    setup = state.setup
    return View(
        seat=seat,
        difficulty=state.options.difficulty,
        year=state.year,
        years=len(setup.years),
        phase=state.phase,
        lethality=setup.years[state.year - 1].lethality,
        tea=state.tea,
        neutral_clan=state.reed if state.reed >= 0 else None,
        automated_general=state.qin if state.qin >= 0 else None,
        active=state.active if state.active >= 0 else None,
        clans=tuple(clan_view(state, index, hidden) for index in range(len(state.clans))),
        own=None if seat is None else own_view(state, seat),
        sections=tuple(section_view(state, section) for section in setup.sections),
        indicator=state.indicator,
        horde_deck=len(state.horde_deck),
        horde_discard=state.horde_discard,
        shame_pool=state.shame_pool,
        places=tuple(
            PlaceView(place, slots(state, place), clerks_in(state, place)) for place in PLACES
        ),
        warehouse=state.warehouse,
        track=tuple(
            PlayedView(space, played.clan, played.command)
            for space, played in enumerate(state.track)
            if played
        ),
        advisor_track=state.advisor_track,
        advisor_deck=len(state.advisor_deck),
        advisor_discard=state.advisor_discard,
        tactic_deck=len(state.tactic_deck),
        tactic_discard=state.tactic_discard,
        artifacts=state.artifacts,
        location_track=state.location_track,
        general_score=glossary.general_score(state),
        flows=tuple(FlowView(flow.clan, flow.goods) for flow in state.flows),
        breaches=state.breaches,
        pending=pending(state),
        agenda=agenda(state),
        texts=glossary.texts(state, seat),
    )


def own_view(state: State, seat: Seat) -> Own:
    """What only the viewer sees."""
    clan = state.clans[seat]
    leader: Leader | None = clan.leader
    task = state.stack[-1] if state.stack else None
    answers = task.answers if isinstance(task, Responding) else ()
    answer: Response | None = next((one for one in answers if one.clan == seat), None)
    return Own(
        goods=clan.goods,
        tactics=clan.tactics,
        commands=clan.commands,
        command=clan.chosen,
        general=leader.general if leader else None,
        advisor=leader.advisor if leader else None,
        tactic=answer.tactic if answer else None,
        boosted=answer.boosted if answer else False,
    )
