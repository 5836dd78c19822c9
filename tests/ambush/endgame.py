"""Scores, places, and what becomes of a seat that leaves."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from services.gamekit.game import IllegalAction, Result, ScoreLine, ScoreSheet, Seat
from services.gamekit.ranking import ranked
from tests.ambush.cards import TROPHY, Card
from tests.ambush.state import Attack, Camp, Keep, Phase, State, joined, with_camp

PUBLIC: dict[str, Callable[[Camp], int]] = {
    "renown": lambda camp: camp.goods.renown,
    "coins": lambda camp: camp.goods.coins // 2,
    "towers": lambda camp: sum(1 for _ in camp.guards.items()),
    "breaches": lambda camp: -camp.breaches,
}
"""Points that everybody can count at any time."""

SECRET: dict[str, Callable[[Camp], int]] = {
    "trophies": lambda camp: sum(TROPHY[one.card] for one in camp.trophies if one.card),
    "shields": lambda camp: camp.hand.count(Card.SHIELD),
}
"""Points that are shown when the match is over."""


def score(state: State) -> tuple[ScoreSheet, ...]:
    """The sheets: public lines, and at the end the secret ones too."""
    lines = PUBLIC | SECRET if state.phase is Phase.OVER else PUBLIC
    return tuple(sheet(Seat(seat), camp, lines) for seat, camp in enumerate(state.camps))


def sheet(seat: Seat, camp: Camp, lines: dict[str, Callable[[Camp], int]]) -> ScoreSheet:
    """One camp's sheet."""
    counted = tuple(ScoreLine(key, points(camp)) for key, points in lines.items())
    return ScoreSheet(seat, counted, sum(line.points for line in counted))


def result(state: State) -> Result | None:
    """Who stayed comes before who left; then score, fewer breaches, more guards decide."""
    if state.phase is not Phase.OVER:
        return None
    sheets = score(state)
    return Result(
        ranked(
            {
                one.seat: {
                    "retired": standing(state.camps[one.seat], len(sheets)),
                    "score": one.total,
                    "breaches": -state.camps[one.seat].breaches,
                    "guards": state.camps[one.seat].guards.total(),
                }
                for one in sheets
            }
        )
    )


def standing(camp: Camp, seats: int) -> int:
    """Higher is better: who left later stands before who left earlier."""
    return camp.retired or seats + 1


def retire(state: State, seat: Seat) -> State:
    """`seat` leaves for good: its cards go back unseen, its attacks and those on it are off.

    Raises `IllegalAction`: `game_over`, `already_retired`.
    """
    camp = state.camps[seat]
    if state.phase is Phase.OVER:
        raise IllegalAction("game_over")
    if camp.retired:
        raise IllegalAction("already_retired")
    number = 1 + sum(1 for other in state.camps if other.retired)
    gone = replace(camp, hand=(), order=None, agenda=(), retired=number)
    state = replace(
        state,
        deck=joined(state.deck, cards_of(camp)),
        pulls=tuple(pull for pull in state.pulls if pull.seat != seat),
        orders=tuple(one for one in state.orders if one.seat != seat),
        attack=deserted(state.attack, seat) if state.attack else None,
    )
    return with_camp(state, seat, gone)


def cards_of(camp: Camp) -> list[Card]:
    """The secret cards of a camp, but for its trophies."""
    cards = [*camp.hand, *([camp.order.card] if camp.order else [])]
    for pending in camp.agenda:
        cards += pending.cards if isinstance(pending, Keep) else ()
    return cards


def deserted(attack: Attack, seat: Seat) -> Attack | None:
    """What is left of an attack when `seat` leaves."""
    if seat in (attack.order.seat, attack.order.target):
        return None
    return replace(
        attack,
        asked=tuple(asked for asked in attack.asked if asked != seat),
        replies=tuple(given for given in attack.replies if given.seat != seat),
    )
