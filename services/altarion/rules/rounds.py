"""Chapter 4: turn order, the start of a round, phase 2."""

from __future__ import annotations

from msgspec.structs import replace

from services.altarion.cards import NATIONS
from services.altarion.state import Phase, Sheet, State
from services.altarion.tracks import MOST_HEROES, recruits
from services.gamekit.game import Seat


def enter(state: State, phase: Phase) -> State:
    """A phase begins: all living players are to come, in turn order (4.0)."""
    return replace(state, phase=phase, queue=state.order())


def clockwise(state: State) -> Seat:
    """Whom the first player marker moves to: the next living seat (4.0)."""
    living = state.living()
    return next((seat for seat in living if seat > state.first), living[0])


def next_round(state: State, first: Seat) -> State:
    """A round begins; in rounds 3, 5, 7, … whoever has room gets another hero (4.1)."""
    state = replace(
        state,
        round=state.round + 1,
        phase=Phase.ARRIVALS,
        first=first,
        sheets=tuple(map(rested, state.sheets)),
    )
    if not recruits(state.round):
        return replace(state, queue=())
    short = (seat for seat in state.order() if len(state.sheets[seat].heroes) < MOST_HEROES)
    return replace(state, queue=tuple(short))


def rested(sheet: Sheet) -> Sheet:
    """A sheet at the start of a round."""
    heroes = tuple(replace(hero, acted=False, disputed=False) for hero in sheet.heroes)
    return replace(sheet, heroes=heroes, challenged=())


def paid(state: State) -> State:
    """Phase 2: every living player collects the nation's income (2.4)."""
    return replace(state, sheets=tuple(map(after_payday, state.sheets)))


def after_payday(sheet: Sheet) -> Sheet:
    """A sheet with its income of the round; the dead get none."""
    if sheet.died or sheet.nation is None:
        return sheet
    return replace(sheet, crowns=sheet.crowns + NATIONS[sheet.nation].income)
