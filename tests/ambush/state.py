"""The position of Ambush: frozen values only."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from msgspec.structs import replace

from services.gamekit.game import IllegalOptions, Options, Record, Seat, snake
from tests.ambush.cards import HORDE, Back, Card, Face, Garrison, Goods, Reply


class Phase(StrEnum):
    """The parts of a round, in order, and the end."""

    DEAL = "deal"
    HORDE = "horde"
    ORDERS = "orders"
    REVEAL = "reveal"
    ATTACKS = "attacks"
    STORM = "storm"
    LOSSES = "losses"
    OVER = "over"


class AmbushOptions(Options, frozen=True):
    """A match's options. A truce forbids attacks on the left neighbour in round 1."""

    rounds: int = 3
    hard: bool = False
    truce: bool = False

    def check(self, seats: int) -> None:
        if not 1 <= self.rounds <= len(HORDE):
            raise IllegalOptions("bad_rounds", field="rounds", least=1, most=len(HORDE))
        if self.truce and seats < 3:
            raise IllegalOptions("truce_needs_three", field="truce", least=3)


class Pending(Record, frozen=True, tag_field="kind", tag=snake):
    """A follow-up choice on a camp's agenda."""


class Loss(Pending, frozen=True):
    """Take a guard from a tower of your choice."""


class Spoils(Pending, frozen=True):
    """Take one of two spoils."""

    first: Goods
    second: Goods


class Keep(Pending, frozen=True):
    """Keep one of these cards; the others go back under the deck. Only the camp sees them."""

    cards: tuple[Card, ...]


class Order(Record, frozen=True):
    """A card on the table and whom it is meant for."""

    seat: Seat
    card: Card
    target: Seat | None = None


class Trophy(Record, frozen=True):
    """A card stolen from `victim`, face down: known to thief and victim, scored at the end.

    `card` is None where the viewer does not know it.
    """

    victim: Seat
    card: Card | None


class Camp(Record, frozen=True):
    """A seat's place. Hand and order, the cards to keep from and the trophies are secret."""

    goods: Goods = Goods(coins=3)
    guards: Garrison = Garrison(north=1, gate=1, south=1)
    hand: tuple[Card, ...] = ()
    order: Order | None = None
    agenda: tuple[Loss | Spoils | Keep, ...] = ()
    trophies: tuple[Trophy, ...] = ()
    breaches: int = 0
    foraged: bool = False
    braced: bool = False
    retired: int = 0
    """0 while the seat plays; 1 for the first to leave, 2 for the second…"""


class Pull(Record, frozen=True):
    """Cards that NATURE owes to a seat: one foraged, or two scouted to choose from."""

    seat: Seat
    size: int
    scouted: bool


class Given(Record, frozen=True):
    """A seat's reply; hidden until all have replied."""

    seat: Seat
    reply: Reply


class Stage(StrEnum):
    """How far an attack has come."""

    WINDOW = "window"
    ROLL = "roll"
    STEAL = "steal"


class Attack(Record, frozen=True):
    """The attack being carried out, and what those who may answer it have answered."""

    order: Order
    asked: tuple[Seat, ...]
    replies: tuple[Given, ...] = ()
    stage: Stage = Stage.WINDOW


class State(Record, frozen=True):
    """Everything there is to know. `deck` and `discard` are sorted: their order means nothing."""

    options: AmbushOptions
    round: int
    phase: Phase
    camps: tuple[Camp, ...]
    deck: tuple[Card, ...]
    horde: tuple[Face, ...]
    discard: tuple[Card, ...] = ()
    back: Back | None = None
    face: Face | None = None
    pulls: tuple[Pull, ...] = ()
    orders: tuple[Order, ...] = ()
    attack: Attack | None = None

    def active(self) -> tuple[Seat, ...]:
        """The seats that still play."""
        return tuple(Seat(seat) for seat, camp in enumerate(self.camps) if not camp.retired)

    def stocked(self, size: int) -> State:
        """With the discard mixed into the deck if `size` cards are not there otherwise."""
        if len(self.deck) >= size or not self.discard:
            return self
        return replace(self, deck=joined(self.deck, self.discard), discard=())


def joined(pile: Iterable[Card], cards: Iterable[Card]) -> tuple[Card, ...]:
    """Both piles as one."""
    return tuple(sorted([*pile, *cards]))


def without(pile: tuple[Card, ...], cards: Iterable[Card]) -> tuple[Card, ...]:
    """`pile` less `cards`, which are all in it."""
    left = list(pile)
    for card in cards:
        left.remove(card)
    return tuple(left)


def holds(pile: tuple[Card, ...], cards: tuple[Card, ...]) -> bool:
    """Whether all of `cards` are in `pile`."""
    return all(pile.count(card) >= cards.count(card) for card in set(cards))


def with_camp(state: State, seat: Seat, camp: Camp) -> State:
    """`state` with another camp at `seat`."""
    camps = state.camps[:seat] + (camp,) + state.camps[seat + 1 :]
    return replace(state, camps=camps)
