"""What each area of the sheets offers next: its price, its gain, what it needs, why not now."""

from __future__ import annotations

from collections.abc import Iterator

from services.gamekit.game import Action, Seat
from services.hadrians_wall import tracks
from services.hadrians_wall.buildings import (
    BUILDINGS,
    FAMILIES,
    LANDMARK_LEVEL,
    LANDMARK_PRICE,
    LANDMARKS,
)
from services.hadrians_wall.effects import SWORD, VALOUR, Take
from services.hadrians_wall.forts import FORTS
from services.hadrians_wall.goods import (
    COHORT_FIELD,
    Attribute,
    Citizen,
    Cohort,
    Gladiator,
    Good,
    Price,
    Worker,
)
from services.hadrians_wall.offers import Area, Deal, Need, Offer, refusal
from services.hadrians_wall.rules import defences
from services.hadrians_wall.rules.baths import Bathe
from services.hadrians_wall.rules.building import Build, RaiseLandmark, price_of
from services.hadrians_wall.rules.citizens import PAIRS, FillCitizen, UseForum
from services.hadrians_wall.rules.courthouse import ROWS, HoldCourt
from services.hadrians_wall.rules.diplomats import SendDiplomat
from services.hadrians_wall.rules.ludus import Battle, TrainGladiator, circles
from services.hadrians_wall.rules.market import SOURCES, Trade
from services.hadrians_wall.rules.neighbours import Source
from services.hadrians_wall.rules.scouts import Scout
from services.hadrians_wall.rules.temples import FillTemple
from services.hadrians_wall.rules.theatre import Perform
from services.hadrians_wall.state import State

LINES: tuple[
    tuple[Area, tuple[tracks.Gain, ...], tuple[int, ...], tuple[Action[State], ...]], ...
] = (
    (Area.MINING, tracks.MINING, tracks.MINING_FIELDS, (defences.FillMining(),)),
    (Area.GUARD, tracks.GUARD, tracks.GUARD_FIELDS, (defences.FillGuard(),)),
    (Area.CIPPI, tracks.CIPPI, tracks.CIPPI_FIELDS, (defences.FillCippi(),)),
    (Area.WALL, tracks.WALL, tracks.WALL_FIELDS, (defences.FillWall(),)),
    (
        Area.FORT,
        tracks.FORT,
        tracks.FORT_FIELDS,
        (defences.FillFort(Worker.BUILDER), defences.FillFort(Worker.SOLDIER)),
    ),
)
"""The tracks of the left sheet that are paid for: their gains, fields and moves."""

LINE_PRICES: dict[Area, tuple[Price, ...]] = {
    Area.GUARD: (Price(soldier=1),),
    Area.CIPPI: (Price(resource=1),),
    Area.WALL: (Price(resource=1),),
    Area.FORT: (Price(builder=1), Price(soldier=1)),
}


def lines(state: State, seat: Seat) -> Iterator[Offer]:
    """Mining, Wall Guard, Cippi, Wall and Fort."""
    sheet = state.sheets[seat]
    mining = (Price(servant=FORTS[state.options.campaign].mining_servants),)
    for area, gains, fields, actions in LINES:
        filled: int = getattr(sheet, area)
        if filled < len(gains):
            prices = LINE_PRICES.get(area, mining)
            needs = [Need(Area.GRANARY, sum(filled >= end for end in fields))]
            if area is Area.CIPPI:
                needs.append(Need(Area.FORT, tracks.CIPPI_FORT[filled]))
            if area is Area.WALL:
                needs.append(Need(Area.FORT, filled + 1))
            yield Offer(
                area,
                filled + 1,
                tuple(Deal(price, gains[filled]) for price in prices),
                tuple(need for need in needs if need.level),
                refusal(state, seat, actions),
            )


def icons(state: State, seat: Seat) -> Iterator[Offer]:
    """What is filled by icons alone: cohorts, production and attributes."""
    sheet = state.sheets[seat]
    table = [(COHORT_FIELD[cohort], tracks.COHORT_BOXES) for cohort in Cohort]
    table.append(("production", tracks.PRODUCTION_CIRCLES))
    for field, gains in table:
        box: int = getattr(sheet, field) + 1
        if box <= len(gains):
            yield Offer(Area(field), box, (Deal(Price(), gains[box - 1]),), by_icon=True)
    for attribute in Attribute:
        box = getattr(sheet, attribute) + 1
        if box <= tracks.ATTRIBUTE_BOXES:
            effect = tracks.ATTRIBUTES[attribute].get(box)
            gain = (effect,) if effect else ()
            yield Offer(Area(attribute), box, (Deal(Price(), gain),), by_icon=True)


def buildings(state: State, seat: Seat) -> Iterator[Offer]:
    """The next building of each family, and the landmarks."""
    sheet = state.sheets[seat]
    for family, sizes in FAMILIES.items():
        built: int = getattr(sheet, family)
        if built < len(sizes):
            plan = BUILDINGS[sizes[built]]
            yield Offer(
                Area(family),
                plan.size,
                (Deal(price_of(state, plan), plan.gain),),
                (Need(Area(plan.track), plan.level),),
                refusal(state, seat, [Build(sizes[built])]),
                sizes[built],
            )
    for landmark, monument in LANDMARKS.items():
        if not getattr(sheet, landmark):
            yield Offer(
                Area(landmark),
                1,
                (Deal(LANDMARK_PRICE, monument.gain),),
                (Need(Area(monument.attribute), LANDMARK_LEVEL),),
                refusal(state, seat, [RaiseLandmark(landmark)]),
            )


def workers(state: State, seat: Seat) -> Iterator[Offer]:
    """Training Grounds, Forum and citizens."""
    sheet = state.sheets[seat]
    if len(sheet.training) < tracks.TRAINING_BOXES:
        sword = Deal(Price(builder=1), (SWORD,))
        refused = refusal(state, seat, [defences.TrainGuard()])
        yield Offer(Area.TRAINING, len(sheet.training) + 1, (sword,), refused=refused)
    if len(sheet.forum) < tracks.FORUM_BOXES:
        deals = tuple(
            Deal(Price(0, builders, servants, civilians), (Take(Good(take)),))
            for builders, servants, civilians, take in PAIRS
        )
        refused = refusal(state, seat, (UseForum(*pair) for pair in PAIRS))
        yield Offer(Area.FORUM, len(sheet.forum) + 1, deals, refused=refused)
    for citizen in Citizen:
        box: int = getattr(sheet, citizen) + 1
        if box <= tracks.CITIZEN_BOXES:
            effect = tracks.CITIZENS[citizen].get(box)
            joining = Deal(Price(civilian=1), (effect,) if effect else ())
            refused = refusal(state, seat, [FillCitizen(citizen)])
            yield Offer(Area(citizen), box, (joining,), refused=refused)


def stalls(state: State, seat: Seat) -> Iterator[Offer]:
    """The free boxes of market, theatre and baths, once they are built."""
    sheet = state.sheets[seat]
    stone = Price(resource=1)
    if sheet.market:
        for box, stall in enumerate(tracks.MARKET, 1):
            if not sheet.goods[box - 1]:
                refused = refusal(state, seat, (Trade(source, box) for source in SOURCES))
                needs = (Need(Area.TRADERS, stall.level),)
                yield Offer(Area.MARKET, box, (Deal(stone, stall.gain),), needs, refused)
    if sheet.theatre:
        for box, stall in enumerate(tracks.THEATRE, 1):
            if not sheet.plays[box - 1]:
                needs = (Need(Area.PERFORMERS, stall.level),)
                refused = refusal(state, seat, [Perform(box)])
                yield Offer(Area.THEATRE, box, (Deal(stone, stall.gain),), needs, refused)
    if sheet.baths:
        for box, pool in enumerate(tracks.BATHS, 1):
            if not sheet.pools[box - 1]:
                deals = (Deal(Price(resource=pool.resource), ()),)
                needs = (Need(Area.APPARITORES, pool.level),)
                yield Offer(Area.BATHS, box, deals, needs, refusal(state, seat, [Bathe(box)]))


def ludus(state: State, seat: Seat) -> Iterator[Offer]:
    """The next circle and the next battle of each gladiator that lives."""
    sheet = state.sheets[seat]
    for gladiator in Gladiator if sheet.ludus else ():
        strength, wounds = circles(sheet, gladiator)
        if strength and wounds >= strength:
            continue
        if strength < len(tracks.GLADIATOR_LEVELS):
            teachers = (Worker.SERVANT, Worker.CIVILIAN)
            yield Offer(
                Area(gladiator),
                strength + 1,
                (Deal(Price(servant=1), ()), Deal(Price(civilian=1), ())),
                (Need(Area.PERFORMERS, tracks.GLADIATOR_LEVELS[strength]),),
                refusal(state, seat, (TrainGladiator(gladiator, one) for one in teachers)),
            )
        if strength:
            ends = tracks.SURVIVAL[strength - 1], tracks.DEATH[strength - 1]
            yield Offer(
                Area(f"{gladiator}_battles"),
                len(getattr(sheet, f"{gladiator}_battles")) + 1,
                tuple(Deal(Price(), gain) for gain in ends),
                refused=refusal(state, seat, [Battle(gladiator)]),
            )


def temples(state: State, seat: Seat) -> Iterator[Offer]:
    """The next box of the temples, once one is built."""
    sheet = state.sheets[seat]
    if sheet.temples and sheet.temple_boxes < len(tracks.TEMPLES):
        pew = tracks.TEMPLES[sheet.temple_boxes]
        yield Offer(
            Area.TEMPLES,
            sheet.temple_boxes + 1,
            tuple(Deal(Price(**{worker: 1}), pew.gain) for worker in Worker),
            (Need(Area.TEMPLES, pew.temple), Need(Area.PRIESTS, pew.level)),
            refusal(state, seat, (FillTemple(worker) for worker in Worker)),
        )


def officials(state: State, seat: Seat) -> Iterator[Offer]:
    """The columns of the courthouse (their number is the box), diplomats and scouts."""
    sheet = state.sheets[seat]
    for column, court in enumerate(tracks.COURTHOUSE if sheet.courthouse else (), 1):
        used = ROWS - sheet.courts[column * ROWS - ROWS : column * ROWS].count(0)
        if used < ROWS:
            needs = (Need(Area.APPARITORES, court.levels[used]),)
            deals = (Deal(court.price, court.gain),)
            refused = refusal(state, seat, [HoldCourt(column)])
            yield Offer(Area.COURTHOUSE, column, deals, needs, refused)
    sent = len(sheet.diplomats)
    if sent < len(tracks.DIPLOMAT_LEVELS):
        needs = (Need(Area.PATRICIANS, tracks.DIPLOMAT_LEVELS[sent]),)
        refused = refusal(state, seat, map(SendDiplomat, Cohort))
        deals = (Deal(tracks.DIPLOMAT_PRICE, (VALOUR,)),)
        yield Offer(Area.DIPLOMATS, sent + 1, deals, needs, refused)
    if sheet.scouts < len(tracks.SCOUT_LEVELS):
        needs = (Need(Area.PATRICIANS, tracks.SCOUT_LEVELS[sheet.scouts]),)
        refused = refusal(state, seat, scouts(state, seat))
        yield Offer(Area.SCOUTS, sheet.scouts + 1, (Deal(Price(soldier=1), ()),), needs, refused)


def scouts(state: State, seat: Seat) -> Iterator[Action[State]]:
    """Every way to send a scout; where there is none, one that is refused."""
    if state.sheets[seat].prospects:
        yield from Scout.candidates(state, seat)
        yield Scout(Source.OWN, ())


CHAPTERS = (lines, icons, buildings, workers, stalls, ludus, temples, officials)


def offers(state: State, seat: Seat) -> tuple[Offer, ...]:
    """All that the sheets of a seat offer next, area by area."""
    return tuple(offer for chapter in CHAPTERS for offer in chapter(state, seat))
