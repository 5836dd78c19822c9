"""How a position stands for a seat: a race to the fifth special building, for bots."""

from __future__ import annotations

from services.altarion.cards import Ability
from services.altarion.endgame import result
from services.altarion.odds import winning
from services.altarion.phases import advance
from services.altarion.rules.dispute import RollDispute, might, target_of
from services.altarion.rules.trade import AcceptOffer, DeclineOffer
from services.altarion.standing import Scene, scene, standing
from services.altarion.state import SEATS, Stage, State
from services.gamekit.game import NATURE, Seat

WON, LOST = 1000.0, -1000.0

LEADER = 0.6
"""What the best opponent counts against all of them on average."""


def evaluate(state: State, seat: Seat) -> float:
    """Rounds ahead of the others, roughly; larger is better. Of an offer or a dispute that is
    under way the likely answer or the chances are foreseen."""
    if ended := result(state):
        place = next(one.place for one in ended.places if one.seat == seat)
        return WON if place == 1 else LOST - place
    if state.sheets[seat].died:
        return LOST - len(state.living())
    if state.offer:
        return foreseen_answer(state, seat)
    if state.turn and state.turn.stage is Stage.DUEL:
        return foreseen_duel(state, seat)
    seen = scene(state)
    return standing(state, seat, seen) - rivals(state, seat, seen)


def rivals(state: State, seat: Seat, seen: Scene) -> float:
    """How the opponents stand: the best of them, and all on average."""
    others = [standing(state, one, seen) for one in SEATS[: len(state.sheets)] if one != seat]
    return LEADER * max(others) + (1 - LEADER) * sum(others) / len(others)


def foreseen_answer(state: State, seat: Seat) -> float:
    """An open offer is accepted by a partner who stands better for it."""
    partner = state.talks[0].partner
    taken = AcceptOffer().apply(state, partner)
    left = DeclineOffer().apply(state, partner)
    gain = standing(taken, partner, scene(taken)) - standing(left, partner, scene(left))
    return evaluate(taken if gain > 0 else left, seat)


def foreseen_duel(state: State, seat: Seat) -> float:
    """A dispute by the chances of its three outcomes, each with dice that bring it about."""
    _, _, hero = state.actor()
    edge = might(hero, Ability.ATTACK) - might(target_of(state), Ability.DEFEND)
    won, lost = winning(edge)
    tied = RollDispute(max(1, 1 - edge), max(1, 1 + edge))
    outcomes = (
        (won, RollDispute(6, 1)),
        (lost, RollDispute(1, 6)),
        (1 - won - lost, tied),
    )
    return sum(
        chance * evaluate(advance(dice.apply(state, NATURE)), seat)
        for chance, dice in outcomes
        if chance > 0
    )
