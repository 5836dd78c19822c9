"""Chapter 7: cards are drawn one at a time until the hero stops, fails or may draw no more."""

from __future__ import annotations

from typing import Self

from msgspec.structs import astuple, replace

from services.altarion.board import EXPLORATION_LIMIT, FIELDS
from services.altarion.cards import EXPLORATION, Ability, ExplorationCard, Parameter, Trial
from services.altarion.goods import NOTHING, Mineral, Stock, rolled
from services.altarion.piles import EXPLORATION_CARDS
from services.altarion.rules.plain import Plain, on_to
from services.altarion.state import Hero, Stage, State, card_of, with_sheet
from services.altarion.tracks import GAINS
from services.gamekit.chance import Chance
from services.gamekit.game import IllegalAction, NatureMove, Seat


class Explore(Plain, frozen=True):
    """Act by exploring where the hero stands; a mine there does not matter (5.6, 14.5)."""

    def apply(self, state: State, seat: Seat) -> State:
        return on_to(state, Stage.EXPLORATION)


class DrawAgain(Plain, frozen=True):
    """After a positive card draw another one (7.1)."""

    def apply(self, state: State, seat: Seat) -> State:
        return on_to(state, Stage.EXPLORATION)


class StopExploring(Plain, frozen=True):
    """After a positive card leave it at that (7.1)."""

    def apply(self, state: State, seat: Seat) -> State:
        return ended(state)


class DrawExploration(NatureMove[State], frozen=True):
    """A card, the die of its test, and the random minerals that it gives or costs (7.1-7.3)."""

    card: ExplorationCard
    roll: int | None
    gained: tuple[Mineral, ...] = ()
    lost: tuple[Mineral, ...] = ()

    @classmethod
    def resolve(cls, state: State, chance: Chance) -> Self:
        seat, turn, hero = state.actor()
        pile, number = state.exploration.stocked(), len(turn.drawn)
        card = chance.draw(pile.label("exploration"), pile.of(EXPLORATION_CARDS))
        die = f"die/{state.round}/{seat}/{turn.hero}"
        roll = chance.die(f"{die}/trial/{number + 1}") if EXPLORATION[card].least else None
        if positive(card, roll, hero):
            numbers = range(number * GAINS + 1, number * GAINS + GAINS + 1)
            dice = [chance.die(f"{die}/mineral/{one}") for one in numbers]
            return cls(card, roll, gained=tuple(map(rolled, dice)))
        lost, stock = [], state.sheets[seat].stock
        for one in range(1, losses(card, stock) + 1):
            label = f"loss/{state.round}/{seat}/{turn.hero}/{one}"
            lost.append(rolled(chance.draw(label, pieces(stock))))
            stock = stock.plus(lost[-1], -1)
        return cls(card, roll, lost=tuple(lost))

    def check(self, state: State, seat: Seat) -> None:
        owner, _, hero = state.actor()
        if not state.exploration.stocked().holds(self.card):
            raise IllegalAction("not_in_pile", card=self.card)
        if bool(EXPLORATION[self.card].least) != (self.roll in range(1, 7)):
            raise IllegalAction("wrong_roll", card=self.card)
        stock = state.sheets[owner].stock
        good = positive(self.card, self.roll, hero)
        due = (GAINS, 0) if good else (0, losses(self.card, stock))
        if (len(self.gained), len(self.lost)) != due or not stock.covers(bag(self.lost)):
            raise IllegalAction("wrong_minerals")

    def apply(self, state: State, seat: Seat) -> State:
        owner, turn, hero = state.actor()
        sheet = state.sheets[owner]
        stock = sheet.stock + bag(self.gained) - bag(self.lost)
        drawn = (*turn.drawn, self.card)
        state = replace(
            state,
            exploration=state.exploration.stocked().less(self.card),
            turn=replace(turn, drawn=drawn, stage=Stage.MORE),
        )
        state = with_sheet(state, owner, replace(sheet, stock=stock))
        if positive(self.card, self.roll, hero) and len(drawn) < limit(hero):
            return state
        return ended(state)


def positive(card: ExplorationCard, roll: int | None, hero: Hero) -> bool:
    """Whether a test was passed (2.8; `lore` helps in every test)."""
    trial = EXPLORATION[card]
    return roll is None or roll + edge(trial, hero) >= trial.least


def edge(trial: Trial, hero: Hero) -> int:
    """What the hero adds to the die."""
    card = card_of(hero)
    parameter = {
        Parameter.STRENGTH: card.strength,
        Parameter.MINING: card.mining,
        Parameter.NOTHING: 0,
    }[trial.parameter]
    return parameter + card.bonus(Ability.LORE)


def limit(hero: Hero) -> int:
    """How many cards may be drawn (2.2, `deep`)."""
    return EXPLORATION_LIMIT[FIELDS[hero.field].kind] + card_of(hero).bonus(Ability.DEEP)


def losses(card: ExplorationCard, stock: Stock) -> int:
    """How many pieces a failure costs: no more than there are (7.3)."""
    return min(EXPLORATION[card].losses, stock.total())


def pieces(stock: Stock) -> dict[int, int]:
    """Every piece of a stock by its number on the wheel, to be drawn from (13.2)."""
    return {face: count for face, count in enumerate(astuple(stock), 1) if count}


def bag(minerals: tuple[Mineral, ...]) -> Stock:
    """Single pieces as a stock."""
    stock = NOTHING
    for mineral in minerals:
        stock = stock.plus(mineral)
    return stock


def ended(state: State) -> State:
    """The exploration is over: its cards are discarded (6.4)."""
    assert state.turn is not None
    pile = state.exploration.discarded(state.turn.drawn)
    return replace(state, exploration=pile, turn=None)
