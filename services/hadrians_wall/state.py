"""The position of Hadrian's Wall: frozen values only."""

from __future__ import annotations

from enum import StrEnum

from msgspec.structs import replace

from services.gamekit.game import IllegalOptions, Options, Record, Seat
from services.hadrians_wall.cards import FACES, FATE, PlayerCard
from services.hadrians_wall.effects import Choice
from services.hadrians_wall.forts import FORTS
from services.hadrians_wall.goods import Cohort, Difficulty


class HadriansWallOptions(Options, frozen=True):
    """A match's options. `campaign` is the fort of a solo campaign, 0 for none;
    `campaign_reward` brings the reward of the fort before it."""

    difficulty: Difficulty = Difficulty.NORMAL
    resource_passing: bool = True
    campaign: int = 0
    campaign_reward: bool = False

    def check(self, seats: int) -> None:
        last = len(FORTS) - 1
        if not 0 <= self.campaign <= last:
            raise IllegalOptions("bad_campaign", field="campaign", least=0, most=last)
        if self.campaign and seats != 1:
            raise IllegalOptions("campaign_is_solo", field="campaign", seats=seats)
        if self.campaign_reward and self.campaign < 2:
            raise IllegalOptions("no_reward_yet", field="campaign_reward", campaign=self.campaign)


class Phase(StrEnum):
    """The parts of a year, in order, and the end."""

    FATE = "fate"
    DEAL = "deal"
    PATH = "path"
    REVEAL = "reveal"
    NEUTRAL = "neutral"
    ACTIONS = "actions"
    ATTACK = "attack"
    FAVOURS = "favours"
    OVER = "over"


class Use(StrEnum):
    """What a fate card is drawn for in the middle of a year."""

    GOOD = "good"
    RED = "red"
    BLUE = "blue"


class FateDraw(Record, frozen=True, array_like=True):
    """A fate card that NATURE owes to a seat. `box` is the market's box that waits for its good."""

    seat: Seat
    use: Use
    box: int = 0


class Board(Record, frozen=True, array_like=True):
    """Both sheets of a seat with its goods and open choices: all that everyone may see of it.

    Tracks count their filled boxes, families of buildings what is built. Boxes that record the
    year hold it, 0 while they are empty.
    """

    # in hand
    soldier: int = 0
    builder: int = 0
    servant: int = 0
    civilian: int = 0
    resource: int = 0
    # attributes and disdain
    renown: int = 0
    piety: int = 0
    valour: int = 0
    discipline: int = 0
    disdain: int = 0
    """Circled and not filled in: what counts."""
    cleansed: int = 0
    """Filled in by the baths."""
    # left sheet
    cohort_left: int = 0
    cohort_centre: int = 0
    cohort_right: int = 0
    mining: int = 0
    guard: int = 0
    cippi: int = 0
    wall: int = 0
    fort: int = 0
    granary: int = 0
    hotel: int = 0
    workshop: int = 0
    road: int = 0
    production: int = 1
    training: tuple[int, ...] = ()
    """The years of the Training Grounds' filled boxes, and so below for the forum."""
    forum: tuple[int, ...] = ()
    archway: int = 0
    monolith: int = 0
    column: int = 0
    statue: int = 0
    # right sheet
    traders: int = 0
    performers: int = 0
    priests: int = 0
    apparitores: int = 0
    patricians: int = 0
    precinct: int = 0
    market: int = 0
    goods: tuple[int, ...] = (0,) * 8
    """The good written in each box of the market, 0 while it is empty."""
    theatre: int = 0
    plays: tuple[int, ...] = (0,) * 6
    """The year written in each box of the theatre, and so below for baths and courthouse."""
    ludus: int = 0
    red: int = 0
    """Circled circles; `red_wounds` of them are filled. All of them filled: dead."""
    red_wounds: int = 0
    red_battles: tuple[int, ...] = ()
    blue: int = 0
    blue_wounds: int = 0
    blue_battles: tuple[int, ...] = ()
    gardens: int = 0
    temples: int = 0
    """Temples built; `temple_boxes` of their 14 boxes are filled."""
    temple_boxes: int = 0
    baths: int = 0
    pools: tuple[int, ...] = (0,) * 6
    courthouse: int = 0
    courts: tuple[int, ...] = (0,) * 9
    """Three boxes for each column of the courthouse, column by column."""
    diplomats: tuple[Cohort, ...] = ()
    scouts: int = 0
    map: int = 0
    """A bit for each filled cell of the map, from the top left."""
    # favours in hand
    favours: int = 0
    """Of temples; below, of the diplomat of each cohort."""
    favours_left: int = 0
    favours_centre: int = 0
    favours_right: int = 0
    favours_spent: int = 0
    # the year
    prospects: tuple[PlayerCard, ...] = ()
    """Of each year; the last is this year's."""
    agenda: tuple[Choice, ...] = ()
    passed: bool = False
    alarms: int = 0
    """Attack cards of its own that the seat has coming, when resources are not passed."""
    own_attack: tuple[int, ...] = ()
    """Those cards, once they are drawn."""
    through: tuple[int, int, int] = (0, 0, 0)
    """Cards of the attack that get through, by cohort."""
    facing: bool = False
    """Whether the seat may still spend favours on the attack."""


class Sheet(Board, frozen=True, array_like=True):
    """A seat's board with the cards that only the seat itself sees."""

    hand: tuple[PlayerCard, ...] = ()
    choice: PlayerCard | None = None
    """The card of the hand that will be a path, once it is chosen."""
    path: tuple[PlayerCard, ...] = ()


class State(Record, frozen=True, array_like=True):
    """Everything there is to know. Piles are sorted: their order means nothing."""

    options: HadriansWallOptions
    sheets: tuple[Sheet, ...]
    year: int = 1
    phase: Phase = Phase.FATE
    pile: tuple[int, ...] = tuple(range(len(FATE)))
    """The fate cards that are still to be drawn."""
    discard: tuple[int, ...] = ()
    """The fate cards that were drawn, in order."""
    drawn: int = 0
    """How many fate cards were drawn in all: the next one is `fate/<drawn>`."""
    fate: int = -1
    """This year's fate card; -1 before it is drawn."""
    neutral: tuple[PlayerCard, ...] = ()
    """The neutral cards that lie open this year."""
    neutral_used: tuple[PlayerCard, ...] = ()
    """Those of the years before."""
    pieces: int = 0
    """Resources and soldiers on the neutral cards: each brings a card more to the attack."""
    draws: tuple[FateDraw, ...] = ()
    attack: tuple[int, ...] = ()
    """The common cards of the attack, from their draw until it is resolved."""


def with_sheet(state: State, seat: Seat, sheet: Sheet) -> State:
    """`state` with another sheet at `seat`."""
    sheets = state.sheets
    return replace(state, sheets=sheets[:seat] + (sheet,) + sheets[seat + 1 :])


def unseen(sheet: Sheet) -> tuple[PlayerCard, ...]:
    """The cards of a seat that lie face down for everyone else: deck, hand and path."""
    return tuple(card for card in FACES if card not in sheet.prospects)


def deck(sheet: Sheet) -> tuple[PlayerCard, ...]:
    """The cards of a seat that are still to be drawn."""
    gone = (*sheet.prospects, *sheet.path, *sheet.hand)
    return tuple(card for card in FACES if card not in gone)
