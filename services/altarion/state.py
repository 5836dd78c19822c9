"""The position of Altarion: frozen values only, and all of it public."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from msgspec.structs import replace

from services.altarion.cards import (
    HEROES,
    NATIONS,
    ExplorationCard,
    HeroCard,
    Nation,
    NationCard,
    Special,
)
from services.altarion.goods import NOTHING, Mineral, Stock
from services.altarion.piles import EXPLORATION_PILE, MINING_PILE, Pile
from services.altarion.tracks import LEAST_ROUNDS, MOST_ROUNDS, ROUND_LIMIT
from services.gamekit.game import IllegalOptions, Options, Record, Seat


class AltarionOptions(Options, frozen=True):
    """A match's options: the round after which it ends (1.4)."""

    round_limit: int = ROUND_LIMIT

    def check(self, seats: int) -> None:
        if not LEAST_ROUNDS <= self.round_limit <= MOST_ROUNDS:
            raise IllegalOptions(
                "bad_round_limit", field="round_limit", least=LEAST_ROUNDS, most=MOST_ROUNDS
            )


SEATS = tuple(Seat(seat) for seat in range(6))


class Phase(StrEnum):
    """The setup, the phases of a round in order (4.2), and the end."""

    NATIONS = "nations"
    FIRST_PLAYER = "first_player"
    FIRST_HEROES = "first_heroes"
    FIRST_PLACES = "first_places"
    ARRIVALS = "arrivals"
    HEROES = "heroes"
    TRADE = "trade"
    SPECIALS = "specials"
    OVER = "over"


class Stage(StrEnum):
    """How far a hero's turn has come (5.3)."""

    SPEND = "spend"
    ROLL = "roll"
    MOVE = "move"
    DISPUTE = "dispute"
    DUEL = "duel"
    LOOT = "loot"
    ACTION = "action"
    MINING = "mining"
    PICK = "pick"
    EXPLORATION = "exploration"
    MORE = "more"


class Ending(StrEnum):
    """How a match ended: a fifth special building, at most one player left, the round limit."""

    SPECIAL = "special"
    ELIMINATION = "elimination"
    LIMIT = "limit"


class Hero(Record, frozen=True, array_like=True):
    """A hero on the board. `card` is its number among the hero cards."""

    card: int
    field: int
    deposits: tuple[Mineral, ...] = ()
    """Found in its last turn; they allow a mine in the next one."""
    founding: Mineral | None = None
    """The mine that it spends this round on; paid in phase 5."""
    seasoned: bool = False
    """It has had its first turn."""
    acted: bool = False
    """It has had its turn of this round."""
    disputed: bool = False
    """It has been in a dispute in this round."""


class BoardMine(Record, frozen=True, array_like=True):
    """A mine on the board."""

    field: int
    mineral: Mineral


class Sheet(Record, frozen=True, array_like=True):
    """A player. Of a dead one crowns, stock, mines and special buildings are remembered for the
    ranking only (12.2)."""

    nation: Nation | None = None
    crowns: int = 0
    stock: Stock = NOTHING
    heroes: tuple[Hero, ...] = ()
    """On the board, in order of arrival."""
    arriving: int | None = None
    """A hero that was drawn and not yet placed."""
    mines: tuple[BoardMine, ...] = ()
    specials: tuple[Special, ...] = ()
    sent: bool = True
    """The tribute of this round was sent; round one counts as sent (11.3)."""
    misses: int = 0
    """Tributes not sent, in a row."""
    challenged: tuple[Seat, ...] = ()
    """Opponents against whom it has started a dispute in this round."""
    died: int = 0
    """0 while the player lives; 1 for the first death, 2 for the next one, equal where players
    died together."""

    @property
    def card(self) -> NationCard | None:
        """The nation card; None before the nations are drawn."""
        return NATIONS[self.nation] if self.nation else None

    def mine_count(self) -> int:
        """Mines on the nation card and on the board."""
        return len(self.mines) + (len(NATIONS[self.nation].mines) if self.nation else 0)

    def hero(self, card: int) -> Hero | None:
        """One of the heroes on the board."""
        for hero in self.heroes:
            if hero.card == card:
                return hero
        return None


class Turn(Record, frozen=True, array_like=True):
    """The turn of a hero of the player who is at it."""

    hero: int
    stage: Stage
    die: int = 0
    foe: Seat = Seat(-1)
    """Whom a dispute is with, and below, which hero of that player."""
    target: int = -1
    won: bool = False
    """The attacker has won the dispute."""
    due: int = 0
    """Minerals still to be chosen: a mining's or a dispute's."""
    drawn: tuple[ExplorationCard, ...] = ()
    """Cards of the exploration in progress."""


class Talk(Record, frozen=True, array_like=True):
    """A chance for `seat` to make `partner` an offer (10.2)."""

    seat: Seat
    partner: Seat


class Offer(Record, frozen=True, array_like=True):
    """`amount` of one mineral for as many of another (10.2)."""

    give: Mineral
    take: Mineral
    amount: int


class State(Record, frozen=True, array_like=True):
    """Everything there is to know."""

    options: AltarionOptions
    sheets: tuple[Sheet, ...]
    round: int = 0
    phase: Phase = Phase.NATIONS
    first: Seat = Seat(0)
    """Who has the first player marker."""
    queue: tuple[Seat, ...] = ()
    """Who is still to come in this phase, but for trade; the first of them is at it."""
    turn: Turn | None = None
    talks: tuple[Talk, ...] = ()
    """Offers that may still be made in this trade window, in order."""
    offer: Offer | None = None
    """The offer that is open in the first of them."""
    undrawn: tuple[int, ...] = tuple(range(len(HEROES)))
    """The hero cards that nobody has drawn yet; once they are gone, the sand is drawn from."""
    sand: tuple[int, ...] = ()
    """Dead heroes at the bottom of the hero pile, in order of death."""
    recruited: int = 0
    """How many heroes were drawn in all."""
    mining: Pile = MINING_PILE
    exploration: Pile = EXPLORATION_PILE
    deaths: int = 0
    """How often players have died; those who die together count once."""
    ending: Ending | None = None

    def living(self) -> tuple[Seat, ...]:
        """The players in play, in seat order."""
        if not self.deaths:
            return SEATS[: len(self.sheets)]
        return tuple(
            [seat for seat, sheet in zip(SEATS, self.sheets, strict=False) if not sheet.died]
        )

    def order(self) -> tuple[Seat, ...]:
        """The turn order: from the first player clockwise over living players (4.0)."""
        living = self.living()
        before = [seat for seat in living if seat < self.first]
        return living[len(before) :] + tuple(before)

    def heroes(self) -> Iterator[tuple[Seat, Hero]]:
        """Every hero on the board with its owner."""
        for seat, sheet in zip(SEATS, self.sheets, strict=False):
            for hero in sheet.heroes:
                yield seat, hero

    def occupied(self) -> frozenset[int]:
        """The fields on which heroes stand."""
        return frozenset([hero.field for sheet in self.sheets for hero in sheet.heroes])

    def actor(self) -> tuple[Seat, Turn, Hero]:
        """Who is at it, the turn in progress and its hero."""
        assert self.turn is not None
        seat = self.queue[0]
        hero = self.sheets[seat].hero(self.turn.hero)
        assert hero is not None
        return seat, self.turn, hero


def card_of(hero: Hero) -> HeroCard:
    """What is printed on a hero's card."""
    return HEROES[hero.card]


def with_sheet(state: State, seat: Seat, sheet: Sheet) -> State:
    """`state` with another sheet at `seat`."""
    sheets = state.sheets
    return replace(state, sheets=sheets[:seat] + (sheet,) + sheets[seat + 1 :])


def with_hero(sheet: Sheet, hero: Hero) -> Sheet:
    """`sheet` with one of its heroes changed."""
    heroes = tuple([hero if one.card == hero.card else one for one in sheet.heroes])
    return replace(sheet, heroes=heroes)


def without_hero(sheet: Sheet, card: int) -> Sheet:
    """`sheet` with one hero fewer."""
    return replace(sheet, heroes=tuple(hero for hero in sheet.heroes if hero.card != card))
