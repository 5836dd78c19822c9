"""Chapter 6: two cards are drawn; if both are positive the hero takes minerals of choice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from msgspec.structs import replace

from services.altarion.board import FIELDS, Kind
from services.altarion.cards import MINING, Ability, MiningCard, Seam
from services.altarion.goods import WHEEL, Mineral
from services.altarion.piles import MINING_CARDS
from services.altarion.rules.mines import mine_on
from services.altarion.rules.plain import Plain, on_to
from services.altarion.state import Hero, Stage, State, card_of, with_hero, with_sheet
from services.altarion.tracks import CARDS_A_MINING
from services.gamekit.chance import Chance
from services.gamekit.game import Action, IllegalAction, NatureMove, Record, Seat


class Mine(Plain, frozen=True):
    """Act by mining where the hero stands; a mine there does not matter (5.6, 14.5)."""

    def apply(self, state: State, seat: Seat) -> State:
        return on_to(state, Stage.MINING)


class Struck(Record, frozen=True):
    """A mining card as it was drawn; `roll` only where its rock is hard for this hero here."""

    card: MiningCard
    roll: int | None = None

    def positive(self) -> bool:
        """Whether it counts as a success."""
        return self.roll is None or self.roll >= MINING[self.card].least


class DrawMining(NatureMove[State], frozen=True):
    """Both mining cards, each hard rock rolled for as it is drawn (6.1)."""

    cards: tuple[Struck, ...]

    @classmethod
    def resolve(cls, state: State, chance: Chance) -> Self:
        seat, turn, hero = state.actor()
        pile, cards = state.mining, []
        for number in range(1, CARDS_A_MINING + 1):
            pile = pile.stocked()
            card = chance.draw(pile.label("mining"), pile.of(MINING_CARDS))
            pile = pile.less(card)
            die = f"die/{state.round}/{seat}/{turn.hero}/rock/{number}"
            cards.append(Struck(card, chance.die(die) if hard(MINING[card], hero) else None))
        return cls(tuple(cards))

    def check(self, state: State, seat: Seat) -> None:
        _, _, hero = state.actor()
        if len(self.cards) != CARDS_A_MINING:
            raise IllegalAction("wrong_size")
        pile = state.mining
        for one in self.cards:
            pile = pile.stocked()
            if not pile.holds(one.card):
                raise IllegalAction("not_in_pile", card=one.card)
            pile = pile.less(one.card)
            if hard(MINING[one.card], hero) != (one.roll in range(1, 7)):
                raise IllegalAction("wrong_roll", card=one.card)

    def apply(self, state: State, seat: Seat) -> State:
        owner, turn, hero = state.actor()
        pile = state.mining
        for one in self.cards:
            pile = pile.stocked().less(one.card)
        struck = all(one.positive() for one in self.cards)
        state = replace(
            state,
            mining=pile.discarded(one.card for one in self.cards),
            turn=replace(turn, stage=Stage.PICK, due=haul(hero)) if struck else None,
        )
        return uncovered(state, owner, hero, self.cards)


def hard(seam: Seam, hero: Hero) -> bool:
    """Whether a card must be rolled for (2.2, 2.6 `sure`)."""
    if not seam.least or FIELDS[hero.field].kind is Kind.OUTCROP:
        return False
    return not card_of(hero).bonus(Ability.SURE)


def haul(hero: Hero) -> int:
    """How many minerals a success yields (6.2)."""
    card = card_of(hero)
    return card.mining + card.bonus(Ability.ORE)


def uncovered(state: State, seat: Seat, hero: Hero, cards: tuple[Struck, ...]) -> State:
    """The deposits among the cards allow a mine in the hero's next turn, even after a failure
    (6.3), but not on a field that has a mine (14.6)."""
    found = {MINING[one.card].deposit for one in cards}
    deposits = tuple(mineral for mineral in WHEEL if mineral in found)
    if not deposits or mine_on(state, hero.field):
        return state
    sheet = with_hero(state.sheets[seat], replace(hero, deposits=deposits))
    return with_sheet(state, seat, sheet)


class Pick(Action[State], frozen=True):
    """Take one mineral of a successful mining (6.2)."""

    mineral: Mineral

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        return map(cls, WHEEL)

    def check(self, state: State, seat: Seat) -> None:
        """Supplies are unlimited (2.3)."""

    def apply(self, state: State, seat: Seat) -> State:
        turn, sheet = state.turn, state.sheets[seat]
        assert turn is not None
        left = replace(turn, due=turn.due - 1) if turn.due > 1 else None
        sheet = replace(sheet, stock=sheet.stock.plus(self.mineral))
        return with_sheet(replace(state, turn=left), seat, sheet)
