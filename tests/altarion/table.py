"""Builders for positions of Altarion, and a table at which a match reads like the rulebook."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from services.altarion.cards import HEROES, ExplorationCard, MiningCard, Nation
from services.altarion.game import GAME
from services.altarion.goods import Mineral, Stock
from services.altarion.rules.arrivals import PlaceHero
from services.altarion.rules.dispute import RollDispute
from services.altarion.rules.exploration import DrawExploration
from services.altarion.rules.mining import DrawMining, Struck
from services.altarion.rules.movement import Move, RollMove
from services.altarion.state import AltarionOptions, Hero, Phase, Sheet, State
from services.gamekit.game import NATURE, Action, IllegalAction, Seat
from services.gamekit.play import guard, legal, play

(
    BRAKKA,
    SAEL,
    TORVIN,
    MIRREL,
    DASHKA,
    PIP,
    ONDO,
    GRUBHA,
    HATHE,
    RUVI,
    KASPAR,
    ELOWET,
    JORM,
    TILLA,
    BENNO,
    AUNE,
    VARG,
    NESSA,
) = range(len(HEROES))

CORE = 30
AROUND = (21, 22, 29, 31, 38, 39)
"""The six fields around the core."""
OUTCROP, RUINS, PLAIN = 20, 45, 21
FAR = (0, 4, 26, 34, 56, 60)
"""The corners: nobody reaches anybody from there."""


def at(card: int, field: int, **fields: Any) -> Hero:
    """A hero on the board that is no newcomer."""
    return Hero(card, field, **{"seasoned": True, **fields})


def player(*heroes: Hero, **fields: Any) -> Sheet:
    """A player with these heroes, in order of arrival; Vesk unless told otherwise."""
    return Sheet(heroes=heroes, **{"nation": Nation.VESK, **fields})


def given(*players: Sheet, **fields: Any) -> Table:
    """Phase 4 of round 5 begins, and seat 0 is at it, unless `fields` of the state say otherwise.

    Heroes who are nowhere are still to be drawn.
    """
    gone = {hero.card for sheet in players for hero in sheet.heroes}
    gone |= {*fields.get("sand", ())}
    gone |= {sheet.arriving for sheet in players if sheet.arriving is not None}
    fresh = {
        "options": AltarionOptions(),
        "sheets": players,
        "round": 5,
        "phase": Phase.HEROES,
        "undrawn": tuple(card for card in range(len(HEROES)) if card not in gone),
    }
    state = State(**{**fresh, **fields})
    return Table(state if "queue" in fields else replace(state, queue=state.order()))


class Table:
    """A match under way. Seats move one by one, and dice and cards fall as the test says."""

    def __init__(self, state: State) -> None:
        self.state: State = GAME.advance(state)

    def plays(self, seat: int, *actions: Action[State]) -> Table:
        """A seat makes moves."""
        for action in actions:
            self.state = play(GAME, self.state, Seat(seat), action)
        return self

    def falls(self, *moves: Action[State]) -> Table:
        """NATURE makes moves."""
        return self.plays(NATURE, *moves)

    def rolls(self, die: int) -> Table:
        """The move die falls."""
        return self.falls(RollMove(die))

    def walks(self, die: int, field: int) -> Table:
        """The move die falls, and the hero ends its move on a field if it has the choice."""
        seat = self.state.queue[0]
        self.rolls(die)
        return self.plays(seat, Move(field)) if self.prompt == "move" else self

    def fights(self, attacker: int, defender: int) -> Table:
        """The dice of a dispute fall."""
        return self.falls(RollDispute(attacker, defender))

    def mines(self, *cards: MiningCard | tuple[MiningCard, int]) -> Table:
        """Two mining cards are drawn, a hard rock with its die."""
        struck = [Struck(*one) if isinstance(one, tuple) else Struck(one) for one in cards]
        return self.falls(DrawMining(tuple(struck)))

    def explores(
        self, card: ExplorationCard, roll: int | None = None, **minerals: tuple[Mineral, ...]
    ) -> Table:
        """An exploration card is drawn."""
        return self.falls(DrawExploration(card, roll, **minerals))

    @property
    def seat(self) -> int:
        """Who is asked, -1 for NATURE."""
        (decision,) = GAME.decisions(self.state)
        return decision.seat

    @property
    def prompt(self) -> str:
        """What is asked; "" when the match is over."""
        return next((decision.prompt for decision in GAME.decisions(self.state)), "")

    def asks(self, seat: int, prompt: str) -> bool:
        """Whether this is the one open question."""
        return [(one.seat, one.prompt) for one in GAME.decisions(self.state)] == [(seat, prompt)]

    def answers(self) -> list[Action[Any]]:
        """The legal answers to the open question."""
        return list(legal(GAME, self.state, Seat(self.seat)))

    def fields(self) -> list[int]:
        """The fields among which the open question asks to choose."""
        return [one.field for one in self.answers() if isinstance(one, Move | PlaceHero)]

    def refuses(self, seat: int, action: Action[State]) -> str:
        """The code that a move is refused with, "" if it is legal."""
        try:
            guard(GAME, self.state, Seat(seat), action)
        except IllegalAction as refusal:
            return refusal.code
        return ""

    def sheet(self, seat: int) -> Sheet:
        """A player's sheet."""
        return self.state.sheets[seat]

    def stock(self, seat: int) -> Stock:
        """A player's minerals."""
        return self.state.sheets[seat].stock

    def hero(self, card: int) -> Hero:
        """A hero on the board."""
        (found,) = (hero for _, hero in self.state.heroes() if hero.card == card)
        return found

    def places(self) -> list[tuple[int, ...]]:
        """The seats at each place, best first."""
        result = GAME.result(self.state)
        assert result is not None
        numbers = sorted({place.place for place in result.places})
        return [
            tuple(one.seat for one in result.places if one.place == number) for number in numbers
        ]
