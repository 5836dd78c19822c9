"""A year begins: its fate, the cards that are dealt, the income (sections 2 and 3)."""

from __future__ import annotations

from typing import Self

from msgspec.structs import replace

from services.gamekit.chance import Chance
from services.gamekit.game import IllegalAction, NatureMove, Record, Seat
from services.hadrians_wall.cards import FACES, FATE, PlayerCard
from services.hadrians_wall.effects import Choice
from services.hadrians_wall.forts import FORTS
from services.hadrians_wall.goods import Price
from services.hadrians_wall.resolve import Draft, ask, receive
from services.hadrians_wall.rules import fate
from services.hadrians_wall.state import Phase, Sheet, State, deck

HAND = 2


def soldiers_asked(state: State) -> int:
    """How many soldiers the fate card must bring (fort 10 of the campaign, in year 1)."""
    return FORTS[state.options.campaign].first_fate_soldiers if state.year == 1 else 0


class TurnFate(NatureMove[State], frozen=True):
    """Turn over the year's fate card: every seat takes its workers and resources."""

    card: int
    rejected: tuple[int, ...] = ()
    """Cards before it that brought too few soldiers; they go to the discard."""

    @classmethod
    def resolve(cls, state: State, chance: Chance) -> Self:
        least = soldiers_asked(state)
        rejected: tuple[int, ...] = ()
        while True:
            (card,) = fate.draw(fate.discarded(state, rejected), chance)
            if FATE[card].supply.soldier >= least:
                return cls(card, rejected)
            rejected += (card,)

    def check(self, state: State, seat: Seat) -> None:
        least = soldiers_asked(state)
        fate.without(state, (*self.rejected, self.card))
        if FATE[self.card].supply.soldier < least:
            raise IllegalAction("too_few_soldiers", card=self.card, least=least)
        for card in self.rejected:
            if FATE[card].supply.soldier >= least:
                raise IllegalAction("not_to_be_rejected", card=card)

    def apply(self, state: State, seat: Seat) -> State:
        state = fate.discarded(state, (*self.rejected, self.card))
        supply = FATE[self.card].supply
        sheets = tuple(supplied(sheet, supply) for sheet in state.sheets)
        return replace(state, sheets=sheets, fate=self.card, phase=Phase.DEAL)


def supplied(sheet: Sheet, goods: Price) -> Sheet:
    """The sheet with more goods in hand."""
    draft = Draft(sheet)
    receive(draft, goods)
    return draft.done()


class Hand(Record, frozen=True):
    """The two cards that a seat drew; others do not see which."""

    seat: Seat
    cards: tuple[PlayerCard, ...]


class DealCards(NatureMove[State], frozen=True):
    """Every seat draws two of its player cards."""

    hands: tuple[Hand, ...]

    @classmethod
    def resolve(cls, state: State, chance: Chance) -> Self:
        return cls(
            tuple(
                Hand(Seat(seat), chance.deal(f"player/{seat}/{state.year}", deck(sheet), HAND))
                for seat, sheet in enumerate(state.sheets)
            )
        )

    def check(self, state: State, seat: Seat) -> None:
        if [hand.seat for hand in self.hands] != list(range(len(state.sheets))):
            raise IllegalAction("wrong_seats")
        for hand, sheet in zip(self.hands, state.sheets, strict=True):
            if len(hand.cards) != HAND or len(set(hand.cards)) != HAND:
                raise IllegalAction("wrong_size", seat=hand.seat)
            if not set(hand.cards) <= set(deck(sheet)):
                raise IllegalAction("not_in_deck", seat=hand.seat)

    def apply(self, state: State, seat: Seat) -> State:
        dealt = zip(state.sheets, self.hands, strict=True)
        sheets = tuple(replace(sheet, hand=hand.cards) for sheet, hand in dealt)
        return replace(state, sheets=sheets, phase=Phase.PATH)

    def shown(self, actor: Seat, viewer: Seat | None) -> DealCards:
        return DealCards(
            tuple(hand if hand.seat == viewer else replace(hand, cards=()) for hand in self.hands)
        )


def neutral_due(state: State) -> int:
    """How many neutral cards are turned up each year."""
    seats = len(state.sheets)
    return FORTS[state.options.campaign].neutral_cards if seats == 1 else int(seats == 2)


class TurnNeutral(NatureMove[State], frozen=True):
    """With one or two seats: turn up the neutral cards that stand for missing neighbours."""

    cards: tuple[PlayerCard, ...]

    @classmethod
    def resolve(cls, state: State, chance: Chance) -> Self:
        label = f"neutral/{state.year}"
        return cls(chance.deal(label, neutral_deck(state), neutral_due(state)))

    def check(self, state: State, seat: Seat) -> None:
        if len(self.cards) != neutral_due(state) or len(set(self.cards)) != len(self.cards):
            raise IllegalAction("wrong_size")
        if not set(self.cards) <= set(neutral_deck(state)):
            raise IllegalAction("not_in_deck")

    def apply(self, state: State, seat: Seat) -> State:
        return replace(state, neutral=self.cards)


def neutral_deck(state: State) -> tuple[PlayerCard, ...]:
    """The neutral cards that were not turned up yet."""
    return tuple(card for card in FACES if card not in state.neutral_used)


def income(state: State) -> State:
    """Prospect and yearly income of every seat; then the actions begin."""
    sheets = tuple(paid(sheet) for sheet in state.sheets)
    return replace(state, sheets=sheets, phase=Phase.ACTIONS)


def paid(sheet: Sheet) -> Sheet:
    """A sheet with its prospect's goods and its income."""
    draft = Draft(sheet)
    receive(draft, earned(sheet, sheet.prospects[-1]))
    for _ in range(sheet.road):
        ask(draft, Choice.ROAD_INCOME)
    return draft.done()


def earned(sheet: Sheet, prospect: PlayerCard) -> Price:
    """What a sheet earns with a prospect, but for the attributes of its roads."""
    yearly = Price(builder=sheet.workshop, civilian=sheet.hotel, resource=sheet.production)
    return FACES[prospect].prospect + yearly
