"""Who is asked what, and how a round goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from services.gamekit.game import NATURE, Decision, Seat
from tests.ambush.cards import Card, Tower
from tests.ambush.moves import lost
from tests.ambush.state import (
    Attack,
    Camp,
    Keep,
    Loss,
    Order,
    Phase,
    Pull,
    Spoils,
    Stage,
    State,
    with_camp,
)

DUE = {
    Phase.DEAL: "deal",
    Phase.HORDE: "horde",
    Phase.REVEAL: "reveal",
    Phase.STORM: "storm",
}
"""What NATURE does in the phases that are its own."""

ASKS = {Loss: "loss", Spoils: "spoils", Keep: "keep"}
"""The prompt of each follow-up choice."""

STAGES = {Stage.ROLL: "roll", Stage.STEAL: "steal"}
"""What NATURE does once an attack was not stopped."""


def decisions(state: State) -> tuple[Decision, ...]:
    """Every open question: NATURE's first, then seat by seat."""
    if state.phase is Phase.OVER:
        return ()
    due = nature(state)
    first = (Decision(NATURE, due),) if due else ()
    return first + tuple(asked(state))


def nature(state: State) -> str | None:
    """What NATURE has to do now."""
    if state.pulls:
        return "draw"
    if state.attack is None:
        return DUE.get(state.phase)
    if state.attack.stage is Stage.WINDOW:
        return None if waiting(state.attack) else "unmask"
    return STAGES[state.attack.stage]


def asked(state: State) -> Iterator[Decision]:
    """The questions to the seats: what is on a camp's agenda comes first."""
    drawing = {pull.seat for pull in state.pulls}
    replying = waiting(state.attack) if state.attack else ()
    for seat in state.active():
        camp = state.camps[seat]
        if camp.agenda:
            yield Decision(seat, ASKS[type(camp.agenda[0])])
        elif state.attack and seat in replying:
            yield Decision(seat, "reply", about=state.attack.order.card.value)
        elif must_order(state, camp) and seat not in drawing:
            yield Decision(seat, "orders")


def must_order(state: State, camp: Camp) -> bool:
    """Whether a camp has yet to put a card on the table; an empty hand is excused."""
    return state.phase is Phase.ORDERS and camp.order is None and bool(camp.hand)


def waiting(attack: Attack) -> tuple[Seat, ...]:
    """The seats that have not answered an attack."""
    given = {given.seat for given in attack.replies}
    return tuple(seat for seat in attack.asked if seat not in given)


def advance(state: State) -> State:
    """Go on until somebody has to decide or NATURE has to move."""
    while True:
        after = CLOSE[state.phase](forced(state))
        if after is state:
            return state
        state = after


def forced(state: State) -> State:
    """Take the losses that leave no choice, and end the match when one seat is left."""
    if state.phase is Phase.OVER:
        return state
    if len(state.active()) < 2:
        return replace(state, phase=Phase.OVER)
    for seat in state.active():
        camp = state.camps[seat]
        while camp.agenda and isinstance(camp.agenda[0], Loss):
            towers = [Tower(name) for name, _ in camp.guards.items()]
            if len(towers) > 1:
                break
            camp = lost(camp, towers[0] if towers else None)
        if camp is not state.camps[seat]:
            state = with_camp(state, seat, camp)
    return state


def stays(state: State) -> State:
    """A phase that a move of NATURE closes."""
    return state


def close_orders(state: State) -> State:
    """All orders are placed and all foraged cards drawn."""
    if state.pulls or any(must_order(state, state.camps[seat]) for seat in state.active()):
        return state
    return replace(state, phase=Phase.REVEAL)


def close_attacks(state: State) -> State:
    """The next order, once nothing of the last one is left to do."""
    if state.attack or state.pulls or any(camp.agenda for camp in state.camps):
        return state
    if not state.orders:
        return replace(state, phase=Phase.STORM)
    (order, *rest) = state.orders
    return carried_out(replace(state, orders=tuple(rest)), order)


def carried_out(state: State, order: Order) -> State:
    """A scout is owed two cards; an attack opens a window for everyone with cards in hand, and
    is off if its target has left."""
    if order.target is not None and state.camps[order.target].retired:
        return state
    if order.card is Card.SCOUT:
        size = min(2, len(state.deck) + len(state.discard))
        pulls = (Pull(order.seat, size, scouted=True),) if size else ()
        return replace(state, pulls=pulls)
    asked = tuple(seat for seat in state.active() if seat != order.seat and state.camps[seat].hand)
    return replace(state, attack=Attack(order, asked))


def close_losses(state: State) -> State:
    """A round ends when the storm's losses are taken."""
    if any(camp.agenda for camp in state.camps):
        return state
    if state.round == state.options.rounds:
        return replace(state, phase=Phase.OVER)
    return new_round(state)


def new_round(state: State) -> State:
    """Each camp earns a coin for each tower with a guard."""
    camps = tuple(camp if camp.retired else paid(camp) for camp in state.camps)
    return replace(state, round=state.round + 1, phase=Phase.DEAL, camps=camps, face=None)


def paid(camp: Camp) -> Camp:
    """A camp at the start of a round."""
    towers = sum(1 for _ in camp.guards.items())
    goods = camp.goods + type(camp.goods)(coins=towers)
    return replace(camp, goods=goods, foraged=False, braced=False)


CLOSE: dict[Phase, Callable[[State], State]] = {
    Phase.DEAL: stays,
    Phase.HORDE: stays,
    Phase.ORDERS: close_orders,
    Phase.REVEAL: stays,
    Phase.ATTACKS: close_attacks,
    Phase.STORM: stays,
    Phase.LOSSES: close_losses,
    Phase.OVER: stays,
}
