"""What lies on the table, a record each, as a view shows it."""

from __future__ import annotations

from services.altarion.board import EXPLORATION_LIMIT, FIELDS, SEAT_SIDES, Kind, starts
from services.altarion.cards import Ability, ExplorationCard, Nation, Special
from services.altarion.goods import WHEEL, Mineral, Stock
from services.altarion.piles import Pile
from services.altarion.state import Hero, Stage, State, card_of
from services.altarion.tracks import tribute
from services.gamekit.game import Record, Seat


class FieldView(Record, frozen=True):
    """A field in axial coordinates; fields touch when their distance is 1."""

    id: int
    q: int
    r: int
    kind: Kind
    exploration_limit: int


class StandingMine(Record, frozen=True):
    """A mine on the board."""

    field: int
    mineral: Mineral
    owner: Seat


class HeroView(Record, frozen=True):
    """A hero on the board, with what is printed on its card."""

    hero: int
    name: str
    owner: Seat
    field: int
    strength: int
    mining: int
    ability: Ability
    n: int
    deposits: tuple[Mineral, ...]
    founding: Mineral | None
    seasoned: bool
    acted: bool
    disputed: bool


class PlayerView(Record, frozen=True):
    """A player; of a dead one what is remembered for the ranking."""

    seat: Seat
    nation: Nation | None
    income: int
    nation_mines: tuple[Mineral, ...]
    side: int
    start_fields: tuple[int, ...]
    crowns: int
    stock: Stock
    arriving: int | None
    mines: int
    special_buildings: tuple[Special, ...]
    tribute_each: int
    tribute_sent: bool
    misses: int
    challenged: tuple[Seat, ...]
    died: int


class TurnView(Record, frozen=True):
    """The hero's turn in progress."""

    seat: Seat
    hero: int
    stage: Stage
    die: int
    foe: Seat | None
    target: int | None
    due: int
    drawn: tuple[ExplorationCard, ...]


class MiningPile(Record, frozen=True):
    """What is left in the mining pile, in some order, and how many cards lie discarded."""

    veins: Stock
    hard_rocks: Stock
    deposits: Stock
    used: int


class ExplorationPile(Record, frozen=True):
    """What is left in the exploration pile, in some order, and how many cards lie discarded."""

    find: int
    might: int
    craft: int
    luck: int
    peril: int
    used: int


BOARD = tuple(
    FieldView(number, field.q, field.r, field.kind, EXPLORATION_LIMIT[field.kind])
    for number, field in enumerate(FIELDS)
)


def player(state: State, seat: Seat) -> PlayerView:
    """One player."""
    sheet, seats = state.sheets[seat], len(state.sheets)
    return PlayerView(
        seat=seat,
        nation=sheet.nation,
        income=sheet.card.income if sheet.card else 0,
        nation_mines=sheet.card.mines if sheet.card else (),
        side=SEAT_SIDES[seats][seat],
        start_fields=starts(seats, seat),
        crowns=sheet.crowns,
        stock=sheet.stock,
        arriving=sheet.arriving,
        mines=sheet.mine_count(),
        special_buildings=sheet.specials,
        tribute_each=tribute(len(sheet.specials)).cindrite,
        tribute_sent=sheet.sent,
        misses=sheet.misses,
        challenged=sheet.challenged,
        died=sheet.died,
    )


def hero_view(owner: Seat, hero: Hero) -> HeroView:
    """One hero on the board."""
    card = card_of(hero)
    return HeroView(
        hero=hero.card,
        name=card.name,
        owner=owner,
        field=hero.field,
        strength=card.strength,
        mining=card.mining,
        ability=card.ability,
        n=card.n,
        deposits=hero.deposits,
        founding=hero.founding,
        seasoned=hero.seasoned,
        acted=hero.acted,
        disputed=hero.disputed,
    )


def turn_view(state: State) -> TurnView | None:
    """The turn in progress."""
    if state.turn is None:
        return None
    seat, turn, _ = state.actor()
    return TurnView(
        seat=seat,
        hero=turn.hero,
        stage=turn.stage,
        die=turn.die,
        foe=None if turn.foe < 0 else turn.foe,
        target=None if turn.target < 0 else turn.target,
        due=turn.due,
        drawn=turn.drawn,
    )


def standing_mines(state: State) -> tuple[StandingMine, ...]:
    """The mines on the board."""
    return tuple(
        StandingMine(mine.field, mine.mineral, seat)
        for seat in state.living()
        for mine in state.sheets[seat].mines
    )


def mining_pile(pile: Pile) -> MiningPile:
    """The mining pile; its cards are counted kind by kind in wheel order."""
    size = len(WHEEL)
    veins, hard_rocks, deposits = (
        Stock(*pile.left[at : at + size]) for at in range(0, len(pile.left), size)
    )
    return MiningPile(veins, hard_rocks, deposits, sum(pile.used))


def exploration_pile(pile: Pile) -> ExplorationPile:
    """The exploration pile."""
    find, might, craft, luck, peril = pile.left
    return ExplorationPile(find, might, craft, luck, peril, sum(pile.used))
