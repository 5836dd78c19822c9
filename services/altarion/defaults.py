"""What is played for a seat whose time has run out (13.4)."""

from __future__ import annotations

from collections.abc import Callable

from services.altarion.goods import WHEEL, Mineral, Stock
from services.altarion.phases import decisions
from services.altarion.rules.arrivals import PlaceHero, berths
from services.altarion.rules.dispute import KeepPeace, Loot, parties
from services.altarion.rules.exploration import StopExploring
from services.altarion.rules.mines import RollInstead
from services.altarion.rules.mining import Mine, Pick
from services.altarion.rules.movement import ChooseHero, Move, reachable, waiting
from services.altarion.rules.trade import DeclineOffer, OfferNothing
from services.altarion.rules.tribute import BuildNothing
from services.altarion.state import State
from services.gamekit.game import Action, Seat


def scarcest(stock: Stock) -> Mineral:
    """The kind with the least stock, then the lowest wheel number."""
    return min(WHEEL, key=stock.of)


def commonest(stock: Stock) -> Mineral:
    """The kind with the most stock, then the lowest wheel number."""
    return max(WHEEL, key=stock.of)


PLAIN: dict[str, Action[State]] = {
    "spend": RollInstead(),
    "dispute": KeepPeace(),
    "action": Mine(),
    "more": StopExploring(),
    "offer": OfferNothing(),
    "answer": DeclineOffer(),
    "special": BuildNothing(),
}
"""The answer to a prompt, whatever the position."""

LOOKED_UP: dict[str, Callable[[State], Action[State]]] = {
    "place": lambda state: PlaceHero(berths(state, state.queue[0])[0]),
    "hero": lambda state: ChooseHero(waiting(state, state.queue[0])[0].card),
    "move": lambda state: Move(reachable(state)[0]),
    "pick": lambda state: Pick(scarcest(state.sheets[state.queue[0]].stock)),
    "loot": lambda state: Loot(commonest(state.sheets[parties(state)[1]].stock)),
}
"""The answer to a prompt that depends on the position."""


def default(state: State, seat: Seat) -> Action[State]:
    """The answer to the open question of `seat`."""
    (decision,) = decisions(state)
    assert decision.seat == seat
    return PLAIN.get(decision.prompt) or LOOKED_UP[decision.prompt](state)
