"""A player with fixed habits: in each year it does the first thing on its list that it may do."""

# Functions of a table have the arguments of the table.
# ruff: noqa: ARG001

from __future__ import annotations

from collections.abc import Iterator

from services.hadrians_wall.buildings import Building, Landmark
from services.hadrians_wall.goods import Attribute, Citizen, Cohort, Gladiator, Worker
from services.hadrians_wall.rules.baths import Bathe
from services.hadrians_wall.rules.building import Build, RaiseLandmark
from services.hadrians_wall.rules.choices import ChooseAttribute, ChooseCohort
from services.hadrians_wall.rules.citizens import FillCitizen, UseForum
from services.hadrians_wall.rules.courthouse import HoldCourt
from services.hadrians_wall.rules.defences import (
    FillCippi,
    FillFort,
    FillGuard,
    FillMining,
    FillWall,
    TrainGuard,
)
from services.hadrians_wall.rules.diplomats import SendDiplomat
from services.hadrians_wall.rules.favours import FaceAttack, Patron, SpendFavour
from services.hadrians_wall.rules.finish import Finish
from services.hadrians_wall.rules.ludus import Battle, TrainGladiator
from services.hadrians_wall.rules.market import Trade
from services.hadrians_wall.rules.neighbours import Source
from services.hadrians_wall.rules.paths import ChoosePath
from services.hadrians_wall.rules.scouts import Scout
from services.hadrians_wall.rules.temples import FillTemple
from services.hadrians_wall.rules.theatre import Perform
from services.hadrians_wall.state import State
from tests.hadrians_wall.independent.facts import CARDS, FACTS, LAYS
from tests.hadrians_wall.independent.permits import objections
from tests.hadrians_wall.independent.referee import Move, asked
from tests.hadrians_wall.independent.world import Page, World, prospect, world


def choice(state: State, seat: int) -> Move:
    """What a seat does now; seats differ in their tastes."""
    position, question = world(state), asked(state, seat)
    page = position.pages[seat]
    wishes = {
        "path_card": paths, "cohort": cohorts, "favours": favours, "actions": deeds,
    }.get(question, attributes)  # fmt: skip
    return next(
        move for move in wishes(position, page, seat) if not objections(position, seat, move)
    )


def paths(position: World, page: Page, seat: int) -> Iterator[Move]:
    """The card that comes first in the alphabet, or last."""
    for card in sorted(page["hand"], reverse=bool(seat % 2)):
        yield ChoosePath(card)


def cohorts(position: World, page: Page, seat: int) -> Iterator[Move]:
    """The weakest cohort."""
    for cohort in sorted(Cohort, key=lambda one: int(page[f"cohort_{one}"])):
        yield ChooseCohort(cohort)


def attributes(position: World, page: Page, seat: int) -> Iterator[Move]:
    """The strongest attribute that is offered, so that landmarks come sooner."""
    for attribute in sorted(Attribute, key=lambda one: -int(page[one])):
        yield ChooseAttribute(attribute)


def favours(position: World, page: Page, seat: int) -> Iterator[Move]:
    """Every favour that helps, as long as anything of the potential could be saved."""
    if sum(page["through"]) <= FACTS["attack"]["potential"][position.year - 1]:
        for cohort in Cohort:
            yield SpendFavour(Patron.DIPLOMAT, cohort)
        for cohort in Cohort:
            yield SpendFavour(Patron.TEMPLE, cohort)
    yield FaceAttack()


def deeds(position: World, page: Page, seat: int) -> Iterator[Move]:
    """Everything that there is, the dearest first."""
    yield from map(RaiseLandmark, Landmark)
    yield from (Build(Building(name)) for name in FACTS["buildings"])
    yield TrainGuard()
    yield FillGuard()
    yield from (Perform(box) for box in range(6, 0, -1))
    yield from (Bathe(box) for box in range(1, 7))
    yield from (HoldCourt(column) for column in (1, 3, 2))
    yield from map(SendDiplomat, Cohort)
    yield from scouts(position, page, seat)
    yield from fights(seat)
    yield from (Trade(source, box) for source in sources(seat) for box in range(1, 9))
    yield from (FillTemple(worker) for worker in (Worker.SERVANT, Worker.CIVILIAN))
    if page["fort"] < 18 or seat % 2:
        yield from (FillFort(worker) for worker in (Worker.BUILDER, Worker.SOLDIER))
    yield from (FillMining(), FillWall(), FillCippi())
    tastes = list(Citizen)[seat % 5 :] + list(Citizen)[: seat % 5]
    yield from (FillCitizen(citizen) for citizen in sorted(tastes, key=lambda one: page[one] % 5))
    yield UseForum(0, 0, 2, Worker.SERVANT)
    yield Finish()


def sources(seat: int) -> tuple[Source, ...]:
    """Where to trade: next door, or with fate."""
    return (Source.LEFT, Source.FATE) if seat % 2 else (Source.FATE, Source.RIGHT)


def scouts(position: World, page: Page, seat: int) -> Iterator[Move]:
    """One's own pattern before those of others, top left first."""
    for source in (Source.OWN, Source.LEFT, Source.RIGHT):
        card = prospect(position, seat, source.value)
        for cells in sorted(LAYS[CARDS[card].pattern]) if card else ():
            yield Scout(source, cells)


def fights(seat: int) -> Iterator[Move]:
    """Gladiators are trained by some, and sent into battle by all who can."""
    if seat % 3 == 0:
        for gladiator in Gladiator:
            yield TrainGladiator(gladiator, Worker.SERVANT)
    for gladiator in Gladiator:
        yield Battle(gladiator)
