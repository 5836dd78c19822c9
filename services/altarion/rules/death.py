"""Chapter 12.1, 12.2: heroes die and go to the sand, players die with their last hero."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from services.altarion.state import (
    Ending,
    Phase,
    Sheet,
    Stage,
    State,
    Turn,
    with_sheet,
    without_hero,
)
from services.gamekit.game import IllegalAction, Seat


def slain(state: State, seat: Seat, card: int) -> State:
    """A hero goes to the bottom of the hero pile; its player dies with the last one (9.7)."""
    sheet = without_hero(state.sheets[seat], card)
    state = with_sheet(replace(state, sand=(*state.sand, card)), seat, sheet)
    return state if sheet.heroes else perished(state, (seat,))


def perished(state: State, seats: Iterable[Seat]) -> State:
    """Players die, all of `seats` at once; they leave every queue and talk (12.2). The game is
    over when at most one is left (1.3, 12.6)."""
    dead = tuple(seats)
    number = state.deaths + 1
    state = replace(state, deaths=number)
    for seat in dead:
        sheet = state.sheets[seat]
        state = replace(state, sand=(*state.sand, *heroes_of(sheet)))
        state = with_sheet(state, seat, replace(sheet, heroes=(), arriving=None, died=number))
    if len(state.living()) < 2:
        return over(state, Ending.ELIMINATION)
    talks = tuple(one for one in state.talks if not {one.seat, one.partner} & {*dead})
    return replace(
        state,
        queue=tuple(seat for seat in state.queue if seat not in dead),
        talks=talks,
        offer=state.offer if talks[:1] == state.talks[:1] else None,
    )


def over(state: State, ending: Ending) -> State:
    """The end of the match (1.3, 12.3). Cards of an exploration in progress are discarded."""
    drawn = state.turn.drawn if state.turn else ()
    return replace(
        state,
        phase=Phase.OVER,
        ending=ending,
        queue=(),
        turn=None,
        talks=(),
        offer=None,
        exploration=state.exploration.discarded(drawn) if drawn else state.exploration,
    )


def heroes_of(sheet: Sheet) -> tuple[int, ...]:
    """The heroes of a player in order of arrival; one that waits for its place comes last."""
    waiting = () if sheet.arriving is None else (sheet.arriving,)
    return (*(hero.card for hero in sheet.heroes), *waiting)


def resigned(state: State, seat: Seat) -> State:
    """A player who resigns dies; what the turn in progress meant for others is settled (12.2).

    Raises `IllegalAction`: `game_over`, `already_dead`.
    """
    if state.phase is Phase.OVER:
        raise IllegalAction("game_over")
    if state.sheets[seat].died:
        raise IllegalAction("already_dead")
    turn, actor = state.turn, state.queue[:1]
    state = perished(state, (seat,))
    if state.ending or turn is None or seat not in (*actor, turn.foe):
        return state
    pile = state.exploration.discarded(turn.drawn)
    own = seat in actor
    state = replace(state, exploration=pile, turn=None if own else peaceful(turn))
    return avenged(state, turn, own) if turn.stage is Stage.LOOT else state


def avenged(state: State, turn: Turn, own: bool) -> State:
    """A dispute that was decided before its winner resigned: the other's hero still dies."""
    if own and turn.won:
        return slain(state, turn.foe, turn.target)
    if not own and not turn.won:
        return slain(replace(state, turn=None), state.queue[0], turn.hero)
    return state


def peaceful(turn: Turn) -> Turn:
    """A turn after its dispute: the action is due."""
    return replace(turn, stage=Stage.ACTION, foe=Seat(-1), target=-1, won=False, due=0)
