"""Chapter 4: who is asked what, and how a round goes on."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from msgspec.structs import replace

from services.altarion.rules.arrivals import PlaceHero, berths
from services.altarion.rules.death import over
from services.altarion.rules.dispute import looted, opponents, parties
from services.altarion.rules.mines import RollInstead, build_founded, foundable, harvest
from services.altarion.rules.movement import ChooseHero, Move, reachable, waiting
from services.altarion.rules.plain import on_to
from services.altarion.rules.rounds import clockwise, enter, next_round, paid
from services.altarion.rules.trade import talks, tradable
from services.altarion.rules.tribute import collect_tribute, may_build
from services.altarion.state import Ending, Phase, Stage, State
from services.gamekit.game import NATURE, Decision, Seat

Questions = tuple[Decision, ...]
"""There is one question at a time, or none."""

NATURAL = frozenset((Stage.ROLL, Stage.DUEL, Stage.MINING, Stage.EXPLORATION))
"""The stages of a turn in which NATURE moves. Each stage has the name of its prompt."""


def decisions(state: State) -> Questions:
    """The open question; none when the game is over."""
    return () if state.phase is Phase.OVER else ASKS[state.phase](state)


@cache
def ask(seat: Seat, prompt: str, about: str = "") -> Questions:
    """A question, made once."""
    return (Decision(seat, str(prompt), about),)


def ask_setup(state: State) -> Questions:
    """NATURE draws what a table starts with."""
    return ask(NATURE, SETUP[state.phase])


SETUP = {
    Phase.NATIONS: "nations",
    Phase.FIRST_PLAYER: "first_player",
    Phase.FIRST_HEROES: "hero_card",
}


def ask_arrivals(state: State) -> Questions:
    """The next hero is drawn, or placed."""
    seat = state.queue[0]
    drawn = state.sheets[seat].arriving is not None
    return ask(seat, "place") if drawn else ask(NATURE, "hero_card")


def ask_heroes(state: State) -> Questions:
    """Which hero, or what its turn has come to."""
    turn = state.turn
    if turn is None:
        return ask(state.queue[0], "hero")
    if turn.stage in NATURAL:
        return ask(NATURE, turn.stage)
    seat = parties(state)[0] if turn.stage is Stage.LOOT else state.queue[0]
    return ask(seat, turn.stage)


def ask_trade(state: State) -> Questions:
    """What is offered to the next partner, or what that partner answers."""
    talk = state.talks[0]
    if state.offer:
        return ask(talk.partner, "answer", str(talk.seat))
    return ask(talk.seat, "offer", str(talk.partner))


def ask_specials(state: State) -> Questions:
    """Whether to build a special building."""
    return ask(state.queue[0], "special")


ASKS: dict[Phase, Callable[[State], Questions]] = {
    Phase.NATIONS: ask_setup,
    Phase.FIRST_PLAYER: ask_setup,
    Phase.FIRST_HEROES: ask_setup,
    Phase.FIRST_PLACES: ask_arrivals,
    Phase.ARRIVALS: ask_arrivals,
    Phase.HEROES: ask_heroes,
    Phase.TRADE: ask_trade,
    Phase.SPECIALS: ask_specials,
}
"""The question of each phase."""


def advance(state: State) -> State:
    """Go on until somebody has a choice or NATURE has to move (4.3, 13.3)."""
    while True:
        after = CLOSE[state.phase](state)
        if after is state:
            return state
        state = after


def stays(state: State) -> State:
    """A phase that a move of NATURE closes, or none."""
    return state


def close_first_heroes(state: State) -> State:
    """All first heroes are drawn before any is placed (3.6)."""
    return state if state.queue else enter(state, Phase.FIRST_PLACES)


def close_places(state: State) -> State:
    """The first heroes stand: round one begins."""
    return placed(state) if state.queue else next_round(state, state.first)


def close_arrivals(state: State) -> State:
    """The new heroes stand: phases 1 to 3 run by themselves (4.2)."""
    if state.queue:
        return placed(state)
    state = collect_tribute(state)
    return state if state.ending else enter(harvest(paid(state)), Phase.HEROES)


def placed(state: State) -> State:
    """Put the next hero where it must go."""
    seat = state.queue[0]
    if state.sheets[seat].arriving is None:
        return state
    fields = berths(state, seat)
    return PlaceHero(fields[0]).apply(state, seat) if len(fields) == 1 else state


def close_heroes(state: State) -> State:
    """Phase 4: one player finishes all heroes, then the next."""
    if not state.queue:
        return replace(state, phase=Phase.TRADE, talks=talks(state))
    if state.turn:
        close = TURN.get(state.turn.stage, stays)
        return close(state)
    seat = state.queue[0]
    heroes = waiting(state, seat)
    if not heroes:
        return replace(state, queue=state.queue[1:])
    return ChooseHero(heroes[0].card).apply(state, seat) if len(heroes) == 1 else state


def close_spend(state: State) -> State:
    """A hero that can found no mine rolls."""
    seat, _, hero = state.actor()
    return state if foundable(state, seat, hero) else RollInstead().apply(state, seat)


def close_move(state: State) -> State:
    """A hero with one way to go, or none, takes it."""
    ends = reachable(state)
    return Move(ends[0]).apply(state, state.queue[0]) if len(ends) == 1 else state


def close_dispute(state: State) -> State:
    """Without a hero in reach there is no dispute (14.4)."""
    return state if opponents(state) else on_to(state, Stage.ACTION)


TURN = {
    Stage.SPEND: close_spend,
    Stage.MOVE: close_move,
    Stage.DISPUTE: close_dispute,
    Stage.LOOT: looted,
}
"""The stages of a turn that may leave no choice."""


def close_trade(state: State) -> State:
    """Phase 4b; then phase 5 builds what was founded."""
    if state.offer:
        return state
    if not state.talks:
        return enter(build_founded(state), Phase.SPECIALS)
    return state if tradable(state, state.talks[0]) else replace(state, talks=state.talks[1:])


def close_specials(state: State) -> State:
    """Phase 6, and the end of the round or the game (1.4, 12.3)."""
    if state.queue:
        able = may_build(state.sheets[state.queue[0]])
        return state if able else replace(state, queue=state.queue[1:])
    if state.round >= state.options.round_limit:
        return over(state, Ending.LIMIT)
    return next_round(state, clockwise(state))


CLOSE: dict[Phase, Callable[[State], State]] = {
    Phase.NATIONS: stays,
    Phase.FIRST_PLAYER: stays,
    Phase.FIRST_HEROES: close_first_heroes,
    Phase.FIRST_PLACES: close_places,
    Phase.ARRIVALS: close_arrivals,
    Phase.HEROES: close_heroes,
    Phase.TRADE: close_trade,
    Phase.SPECIALS: close_specials,
    Phase.OVER: stays,
}
