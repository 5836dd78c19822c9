"""What a seat sees: every board, and the cards that only the seat itself knows."""

from __future__ import annotations

from msgspec.structs import astuple

from services.gamekit.game import IllegalAction, Record, ScoreSheet, Seat
from services.hadrians_wall.areas import offers
from services.hadrians_wall.campaign import Goal, goals
from services.hadrians_wall.cards import FACES, FATE, FateCard, Pattern, PlayerCard
from services.hadrians_wall.effects import Effect
from services.hadrians_wall.endgame import COUNTS, path_points, score_sheet
from services.hadrians_wall.goods import Cohort, Price
from services.hadrians_wall.offers import Offer
from services.hadrians_wall.rules.attack import POTENTIAL, cards_due
from services.hadrians_wall.rules.neighbours import Source, prospect_of
from services.hadrians_wall.rules.year import earned
from services.hadrians_wall.state import Board, HadriansWallOptions, Phase, Sheet, State
from services.hadrians_wall.tracks import NEW_GOOD


class SheetView(Board, frozen=True, array_like=False):
    """A seat's board, and what everyone knows of its cards."""

    chosen: bool = False
    """Whether the seat has put this year's path down."""
    path_count: int = 0
    paths: tuple[PlayerCard, ...] = ()
    """Face up at the end of the game, unknown before."""


class PathView(Record, frozen=True):
    """A path of one's own: what it counts so far, the points that brings, the steps to 1, 2, 3."""

    card: PlayerCard
    count: int
    points: int
    steps: tuple[int, int, int]


class Split(Record, frozen=True):
    """One of the two ways to use the drawn cards, and the goods in hand that follow from it.

    Roads give `attributes` of choice besides.
    """

    path: PlayerCard
    prospect: PlayerCard
    goods: Price
    attributes: int


class Prospect(Record, frozen=True):
    """A prospect that the seat may use: the good to trade for, the pattern to scout in.

    `renown` is what its good would bring in the market now. One's own is not traded.
    """

    source: Source
    card: PlayerCard
    good: int
    pattern: Pattern
    renown: tuple[Effect, ...]


class Own(Record, frozen=True):
    """What only the seat itself sees, and what its sheets offer."""

    seat: Seat
    hand: tuple[PlayerCard, ...]
    choice: PlayerCard | None
    paths: tuple[PathView, ...]
    splits: tuple[Split, ...]
    prospects: tuple[Prospect, ...]
    offers: tuple[Offer, ...]
    score: ScoreSheet


class FateView(Record, frozen=True):
    """A fate card that lies open."""

    card: int
    face: FateCard


class PileView(Record, frozen=True):
    """The fate cards that are still to be drawn: how many of each kind, as anyone can count."""

    cards: int
    directions: tuple[int, int, int]
    """Left, centre, right."""
    gladiators: tuple[int, int, int]
    """Numbers 1 to 3."""
    goods: tuple[int, int, int, int, int, int]
    """Goods 1 to 6."""


class View(Record, frozen=True):
    """The table as one seat sees it."""

    options: HadriansWallOptions
    year: int
    phase: Phase
    sheets: tuple[SheetView, ...]
    own: Own | None
    """Unset for a spectator."""
    fate: FateView | None
    pile: PileView
    discard: tuple[int, ...]
    """The fate cards on the discard, by number, in the order in which they came there."""
    neutral: tuple[PlayerCard, ...]
    pieces: int
    """Pieces on the neutral cards: each brings a card to the attack."""
    attack_cards: int
    """How many common cards attack this year, as it stands."""
    potential: int
    attack: tuple[FateView, ...]
    """The common cards, once they are drawn."""
    goals: tuple[Goal, ...]
    """Of the campaign's fort: for the player, and for everyone at the end."""


def view(state: State, seat: Seat | None) -> View:
    """The position as `seat` sees it; None is a spectator."""
    over = state.phase is Phase.OVER
    return View(
        options=state.options,
        year=state.year,
        phase=state.phase,
        sheets=tuple(sheet_view(sheet, over) for sheet in state.sheets),
        own=None if seat is None else own(state, seat),
        fate=fate_view(state.fate) if state.fate >= 0 else None,
        pile=pile_view(state.pile),
        discard=state.discard,
        neutral=state.neutral,
        pieces=state.pieces,
        attack_cards=len(state.attack) or cards_due(state),
        potential=POTENTIAL[state.year - 1],
        attack=tuple(map(fate_view, state.attack)),
        goals=goals(state) if state.options.campaign and (over or seat == 0) else (),
    )


BOARD_FIELDS = len(Board.__struct_fields__)


def sheet_view(sheet: Sheet, over: bool) -> SheetView:
    """What everyone sees of a sheet."""
    paths = sheet.path if over else ()
    board = astuple(sheet)[:BOARD_FIELDS]
    return SheetView(*(*board, sheet.choice is not None, len(sheet.path), paths))


def own(state: State, seat: Seat) -> Own:
    """What a seat sees of itself."""
    sheet = state.sheets[seat]
    return Own(
        seat=seat,
        hand=sheet.hand,
        choice=sheet.choice,
        paths=tuple(
            PathView(card, COUNTS[card](sheet), path_points(card, sheet), FACES[card].steps)
            for card in sheet.path
        ),
        splits=splits(sheet),
        prospects=prospects(state, seat) if state.phase is Phase.ACTIONS else (),
        offers=offers(state, seat),
        score=score_sheet(seat, sheet, paths=True),
    )


def splits(sheet: Sheet) -> tuple[Split, ...]:
    """What each choice of a path leaves in hand once the income is paid."""
    held = Price(sheet.soldier, sheet.builder, sheet.servant, sheet.civilian, sheet.resource)
    return tuple(
        Split(path, prospect, held + earned(sheet, prospect), sheet.road)
        for path, prospect in zip(sheet.hand, reversed(sheet.hand), strict=True)
    )


def prospects(state: State, seat: Seat) -> tuple[Prospect, ...]:
    """The prospects that a seat may use this year."""
    goods = state.sheets[seat].goods
    found = []
    for source in (Source.OWN, Source.LEFT, Source.RIGHT):
        try:
            card = prospect_of(state, seat, source)
        except IllegalAction:
            continue
        face = FACES[card]
        traded = source is not Source.OWN and face.good not in goods
        renown = NEW_GOOD[len({*goods} - {0})] if traded else ()
        found.append(Prospect(source, card, face.good, face.pattern, renown))
    return tuple(found)


def fate_view(card: int) -> FateView:
    """A fate card with its face."""
    return FateView(card, FATE[card])


def pile_view(pile: tuple[int, ...]) -> PileView:
    """What is left in the pile, counted."""
    directions = [FATE[card].direction for card in pile]
    gladiators = [FATE[card].gladiator for card in pile]
    goods = [FATE[card].good for card in pile]
    left, centre, right = (directions.count(cohort) for cohort in Cohort)
    one, two, three = (gladiators.count(number) for number in (1, 2, 3))
    first, second, third, fourth, fifth, sixth = (goods.count(good) for good in range(1, 7))
    return PileView(
        len(pile),
        (left, centre, right),
        (one, two, three),
        (first, second, third, fourth, fifth, sixth),
    )
