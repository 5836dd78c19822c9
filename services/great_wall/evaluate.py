"""How well a seat stands, for bots: honour scored, and what is likely to become honour."""

from __future__ import annotations

from services.gamekit.game import Seat
from services.great_wall.cards.board import PRODUCTION
from services.great_wall.cards.hordes import FACE_OF
from services.great_wall.endgame import general_score, sheet
from services.great_wall.field import covered, is_on
from services.great_wall.rules.assault import defence, offence
from services.great_wall.state import State


def evaluate(state: State, seat: Seat) -> float:
    """The seat's worth less that of its best opponent, half weighted."""
    own = worth(state, seat)
    others = [worth(state, other) for other in range(state.seats) if other != seat]
    if state.qin >= 0:
        others.append(float(general_score(state)))
    return own - 0.5 * max(others)


def worth(state: State, seat: int) -> float:
    """Honour in hand and in sight."""
    left = len(state.setup.years) - state.year
    return (
        sheet(state, seat).total
        + stores(state, seat)
        + engine(state, seat) * (left + 0.5)
        + army(state, seat)
        + safety(state)
    )


def stores(state: State, seat: int) -> float:
    """Goods and cards that are still to be used; alone they are worth less at the end."""
    clan = state.clans[seat]
    value = min(clan.goods.total(), 20) * 0.45 + len(clan.tactics) * 0.8
    return value if state.year < len(state.setup.years) or state.active >= 0 else value * 0.5


def engine(state: State, seat: int) -> float:
    """What grows: overseers, clerks, advisors."""
    clan = state.clans[seat]
    return (
        sum(clan.overseers[: len(PRODUCTION)]) * 0.8
        + (clan.clerks + sum(clan.desks)) * 0.5
        + len(clan.active) * 0.8
        + len(clan.supporting) * 0.8
    )


def army(state: State, seat: int) -> float:
    """Soldiers on hordes, in firing spots and at rest, and clerks at work."""
    clan = state.clans[seat]
    value = sum(clan.firing) * 2.0 + sum(clan.rest) * 0.8 + sum(clan.desks) * 0.3
    for row in state.hordes:
        for horde in row:
            if is_on(horde, seat):
                value += 1.0 + 0.15 * covered(horde, seat) * FACE_OF[horde.card].honour
    return value


def safety(state: State) -> float:
    """A section that will not hold costs everybody."""
    lacking = sum(
        min(6, max(0, offence(state, section) - defence(state, section)))
        for section in state.setup.sections
    )
    return -0.3 * lacking
