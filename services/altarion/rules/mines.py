"""Chapter 8: mines are founded in a hero's turn, paid in phase 5, and yield in phase 3."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from msgspec.structs import replace

from services.altarion.cards import NATIONS, Ability
from services.altarion.goods import Mineral
from services.altarion.rules.plain import Plain, on_to
from services.altarion.state import (
    BoardMine,
    Hero,
    Sheet,
    Stage,
    State,
    card_of,
    with_hero,
    with_sheet,
)
from services.altarion.tracks import (
    BOARD_YIELD,
    MINE_CARDS,
    MINE_CROWNS,
    MINE_MINERALS,
    NATION_YIELD,
)
from services.gamekit.game import Action, IllegalAction, Seat


class FoundMine(Action[State], frozen=True):
    """Spend the turn on a mine of a mineral that the last turn found here (8.1)."""

    mineral: Mineral

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        _, _, hero = state.actor()
        return (cls(mineral) for mineral in foundable(state, seat, hero))

    def check(self, state: State, seat: Seat) -> None:
        _, _, hero = state.actor()
        if self.mineral not in hero.deposits:
            raise IllegalAction("no_deposit", mineral=self.mineral)
        if mine_on(state, hero.field):
            raise IllegalAction("field_has_a_mine", field=hero.field)
        if not cards_left(state, self.mineral):
            raise IllegalAction("no_mine_card_left", mineral=self.mineral)
        if not affordable(state.sheets[seat], hero, self.mineral):
            raise IllegalAction("cannot_afford", crowns=price(hero), minerals=MINE_MINERALS)

    def apply(self, state: State, seat: Seat) -> State:
        _, _, hero = state.actor()
        founder = replace(hero, deposits=(), founding=self.mineral)
        sheet = with_hero(state.sheets[seat], founder)
        return with_sheet(replace(state, turn=None), seat, sheet)


class RollInstead(Plain, frozen=True):
    """Let the deposits lapse; the hero rolls, moves and acts (5.3, 8.1)."""

    def apply(self, state: State, seat: Seat) -> State:
        _, _, hero = state.actor()
        sheet = with_hero(state.sheets[seat], replace(hero, deposits=()))
        return with_sheet(on_to(state, Stage.ROLL), seat, sheet)


def foundable(state: State, seat: Seat, hero: Hero) -> tuple[Mineral, ...]:
    """The minerals of which the hero may found a mine now."""
    if mine_on(state, hero.field):
        return ()
    sheet = state.sheets[seat]
    return tuple(
        mineral
        for mineral in hero.deposits
        if cards_left(state, mineral) and affordable(sheet, hero, mineral)
    )


def price(hero: Hero) -> int:
    """The crowns that a mine costs this hero's player (8.2, `thrift`)."""
    return max(0, MINE_CROWNS - card_of(hero).bonus(Ability.THRIFT))


def affordable(sheet: Sheet, hero: Hero, mineral: Mineral) -> bool:
    """Whether the player could pay for the hero's mine."""
    return sheet.crowns >= price(hero) and sheet.stock.of(mineral) >= MINE_MINERALS


def mine_on(state: State, field: int) -> Mineral | None:
    """The mine on a field; those of dead players are gone."""
    for seat in state.living():
        for mine in state.sheets[seat].mines:
            if mine.field == field:
                return mine.mineral
    return None


def cards_left(state: State, mineral: Mineral) -> int:
    """Mine cards of a mineral in the supply; those of dead players are back (2.3, 12.2)."""
    left = MINE_CARDS
    for seat in state.living():
        sheet = state.sheets[seat]
        left -= sum(mine.mineral is mineral for mine in sheet.mines)
        left -= sheet.card.mines.count(mineral) if sheet.card else 0
    return left


def build_founded(state: State) -> State:
    """Phase 5: in turn order, heroes by arrival, every founded mine is paid and built, or the
    turn was lost (8.2)."""
    for seat in state.order():
        for hero in state.sheets[seat].heroes:
            if hero.founding:
                state = built(state, seat, hero, hero.founding)
    return state


def built(state: State, seat: Seat, hero: Hero, mineral: Mineral) -> State:
    """After one founded mine was paid and built, if that is possible."""
    sheet = with_hero(state.sheets[seat], replace(hero, founding=None))
    if affordable(sheet, hero, mineral) and cards_left(state, mineral):
        sheet = replace(
            sheet,
            crowns=sheet.crowns - price(hero),
            stock=sheet.stock.plus(mineral, -MINE_MINERALS),
            mines=(*sheet.mines, BoardMine(hero.field, mineral)),
        )
    return with_sheet(state, seat, sheet)


def harvest(state: State) -> State:
    """Phase 3: nation mines yield to their owner, board mines to a foreign hero standing on
    them, else to their owner (8.3)."""
    standing = {hero.field: seat for seat, hero in state.heroes()}
    stocks = {seat: state.sheets[seat].stock for seat in state.living()}
    for owner in state.living():
        sheet = state.sheets[owner]
        assert sheet.nation is not None
        for mineral in NATIONS[sheet.nation].mines:
            stocks[owner] = stocks[owner].plus(mineral, NATION_YIELD)
        for mine in sheet.mines:
            collector = standing.get(mine.field, owner)
            stocks[collector] = stocks[collector].plus(mine.mineral, BOARD_YIELD)
    for seat, stock in stocks.items():
        state = with_sheet(state, seat, replace(state.sheets[seat], stock=stock))
    return state
