"""How well a seat stands, for bots: the points that it will probably have at the end."""

from __future__ import annotations

from msgspec.structs import replace

from services.gamekit.game import Seat
from services.hadrians_wall.buildings import LANDMARK_LEVEL as LEVEL
from services.hadrians_wall.cards import FATE
from services.hadrians_wall.endgame import COUNTS, DISDAIN_LOSS, path_points
from services.hadrians_wall.goods import Gladiator
from services.hadrians_wall.outlook import attacks
from services.hadrians_wall.resolve import Draft
from services.hadrians_wall.rules.ludus import fought
from services.hadrians_wall.rules.market import write
from services.hadrians_wall.scales import Goods, Lasting, Mind
from services.hadrians_wall.state import FateDraw, Phase, Sheet, State, Use
from services.hadrians_wall.tracks import BATHS, BATHS_PER_YEAR, YEARS
from services.hadrians_wall.weights import WEIGHTS

MIND = Mind(WEIGHTS)
"""How the shipped bots judge."""

BEFORE_INCOME = frozenset({Phase.FATE, Phase.DEAL, Phase.PATH, Phase.REVEAL, Phase.NEUTRAL})
"""Phases in which this year counts among those to come."""

CHOICE = 1.0
"""A follow-up that is still open marks something."""

AHEAD = 4
"""Boxes that the fort can usefully be ahead of the wall."""

ROW = 5
"""Cells of a row of the map; a row is nearer to its valour by the square of what is filled."""
ROWS = tuple(
    (bits.bit_count() / (ROW - 1)) ** 2 if bits.bit_count() < ROW else 0.0
    for bits in range(1 << ROW)
)


def evaluate(state: State, seat: Seat) -> float:
    """The points that a seat will probably have, its own paths included."""
    return appraise(MIND, state, seat)


def appraise(mind: Mind, state: State, seat: Seat) -> float:
    """The points of a seat as `mind` judges them; a fate card that it waits for is foreseen."""
    if state.draws and state.draws[0].seat == seat:
        return foreseen(mind, state, state.draws[0])
    sheet = state.sheets[seat]
    if state.phase is Phase.OVER:
        return float(final(sheet))
    years = YEARS - state.year + (state.phase in BEFORE_INCOME)
    acting = state.phase is not Phase.FAVOURS and not sheet.passed
    scale = (mind.acting if acting else mind.done)[years]
    marks = scale.marks
    value = (
        marks[sheet.renown]
        + marks[sheet.piety]
        + marks[sheet.valour]
        + marks[sheet.discipline]
        + attacks(state, sheet, mind.nerve)
        + CHOICE * len(sheet.agenda)
    )
    for card in sheet.path:
        value += scale.paths[card][COUNTS[card](sheet)]
    if acting:
        value += in_hand(sheet, scale.goods)
    if scale.lasting:
        value += engine(sheet, scale.lasting) + opened(sheet, scale.lasting, years)
    return value


def final(sheet: Sheet) -> int:
    """The score of a finished sheet."""
    marked = sheet.renown + sheet.piety + sheet.valour + sheet.discipline
    paths = sum(path_points(card, sheet) for card in sheet.path)
    return marked + paths - DISDAIN_LOSS[min(sheet.disdain, len(DISDAIN_LOSS) - 1)]


def foreseen(mind: Mind, state: State, draw: FateDraw) -> float:
    """The mean over the fate cards that may come: what they do depends on one number of theirs."""
    trade = draw.use is Use.GOOD
    pile = state.pile or state.discard
    numbers = [FATE[card].good if trade else FATE[card].gladiator for card in pile]
    total = 0.0
    for number in sorted(set(numbers)):
        draft = Draft(state.sheets[draw.seat])
        if trade:
            write(draft, draw.box, number)
        else:
            fought(draft, Gladiator(draw.use), number)
        after = replace(draft.into(state, draw.seat), draws=state.draws[1:])
        total += numbers.count(number) * appraise(mind, after, draw.seat)
    return total / len(numbers)


def in_hand(sheet: Sheet, w: Goods) -> float:
    """What may still be made of the goods in hand."""
    return (
        w.soldier * sheet.soldier
        + w.builder * sheet.builder
        + w.servant * sheet.servant
        + w.civilian * sheet.civilian
        + w.resource * sheet.resource
    )


def engine(sheet: Sheet, w: Lasting) -> float:
    """What comes in every year, and tracks on which every box brings the next ones nearer."""
    return (
        w.production * sheet.production
        + w.hotel * sheet.hotel
        + w.workshop * sheet.workshop
        + w.road * sheet.road
        + w.fort * sheet.fort
        + w.fort_ahead * min(AHEAD, sheet.fort - sheet.wall)
        + w.wall * sheet.wall
        + w.guard * sheet.guard
        + w.mining * sheet.mining
        + w.cippi * sheet.cippi
        + w.traders * sheet.traders
        + w.performers * sheet.performers
        + w.priests * sheet.priests
        + w.apparitores * sheet.apparitores
        + w.patricians * sheet.patricians
        + w.temples * sheet.temples
        + w.temple_boxes * sheet.temple_boxes
        + w.gardens * sheet.gardens
        + w.precinct * sheet.precinct
    )


def opened(sheet: Sheet, w: Lasting, years: int) -> float:
    """What buildings have opened, and what can be had for reaching a level."""
    value = 0.0
    if sheet.granary:
        value += w.medium_granary + (w.large_granary if sheet.granary > 1 else 0.0)
    if sheet.theatre:
        value += w.theatre + w.stage * sheet.performers
    if sheet.market:
        value += w.market
    if sheet.courthouse:
        value += w.courthouse
    if sheet.ludus:
        healthy = sheet.red - sheet.red_wounds + sheet.blue - sheet.blue_wounds
        value += w.ludus + w.gladiators * healthy
    if sheet.baths:
        value += w.baths + w.bathable * bathable(sheet, years)
    if sheet.diplomats:
        value += w.diplomats * len(sheet.diplomats)
    if sheet.map:
        value += w.cells * sheet.map.bit_count() + w.rows * rows(sheet.map)
    return value + w.landmark * landmarks(sheet)


def bathable(sheet: Sheet, years: int) -> int:
    """Disdain that the baths can still wash off."""
    free = sum(
        1
        for pool, used in zip(BATHS, sheet.pools, strict=True)
        if not used and sheet.apparitores >= pool.level
    )
    return min(sheet.disdain, free, BATHS_PER_YEAR * years)


def rows(cells: int) -> float:
    """How near the rows of the map are to completion."""
    mask = (1 << ROW) - 1
    return (
        ROWS[cells & mask] + ROWS[cells >> 5 & mask] + ROWS[cells >> 10 & mask] + ROWS[cells >> 15]
    )


def landmarks(sheet: Sheet) -> int:
    """Landmarks that can be raised."""
    return (
        (sheet.renown >= LEVEL and not sheet.archway)
        + (sheet.piety >= LEVEL and not sheet.monolith)
        + (sheet.valour >= LEVEL and not sheet.column)
        + (sheet.discipline >= LEVEL and not sheet.statue)
    )
