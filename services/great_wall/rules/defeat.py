"""The horde defeat check (R10)."""

from __future__ import annotations

from msgspec.structs import replace

from services.great_wall.cards.board import DEFEAT_HONOUR
from services.great_wall.cards.hordes import HordeCard
from services.great_wall.field import (
    covered,
    find,
    full_hordes,
    is_on,
    soldiers_on,
    to_rest,
    with_rows,
)
from services.great_wall.goods import HORSEMAN, SECTIONS, SPEARMAN
from services.great_wall.rules.assault import lethality
from services.great_wall.rules.killing import begin_kill
from services.great_wall.rules.tea import humans
from services.great_wall.state import (
    NOBODY,
    Claim,
    Horde,
    State,
    honoured,
    instead,
    joined,
    pop,
    push,
    with_clan,
)
from services.great_wall.tasks.task import Event
from services.great_wall.tasks.war import Defeat, DefeatCheck
from services.great_wall.triggers import Trigger
from services.great_wall.windows import fire, fire_all


def check_defeats(state: State, _task: DefeatCheck) -> State:
    """The first full horde, left to right and from row 1 on, is resolved; then look again."""
    full = full_hordes(state)
    return push(state, Defeat(full[0])) if full else pop(state)


def majority(state: State, horde: Horde) -> int:
    """Who covers the most spots with soldiers; tea order breaks a tie (R10.2)."""
    best = max(state.tea, key=lambda clan: covered(horde, clan))  # the first of equals
    return best if covered(horde, best) else NOBODY


def defeat(state: State, task: Defeat) -> State:
    """The next step of R10.2."""
    place = find(state, task.card)
    assert place is not None
    section, row = place
    horde = state.hordes[section][row]
    event = Event(sections=(SECTIONS[section],), hordes=(task.card,))
    if task.stage == 0:
        state = instead(state, replace(task, stage=1))
        windows = [(clan, event) for clan in humans(state)]
        return fire_all(state, Trigger.ON_HORDE_DEFEATED, windows)
    if task.stage == 1:
        victor = majority(state, horde)
        state = instead(state, replace(task, stage=2, victor=victor))
        return fire(state, Trigger.ON_YOU_DEFEAT, victor, event) if victor >= 0 else state
    if task.stage == 2:
        state = instead(state, replace(task, stage=3))
        state = defeat_honour(state, section, horde)
        fatal = ((task.card, lethality(state, horde)),)
        return begin_kill(state, SECTIONS[section], fatal, archers=False)
    return claimed(survived(pop(state), section, horde), section, horde, task.victor)


def defeat_honour(state: State, section: int, horde: Horde) -> State:
    """Honour for soldiers on the card, and for each archer above it."""
    for clan in state.tea:
        if is_on(horde, clan):
            state = honoured(state, clan, DEFEAT_HONOUR)
        archers = state.clans[clan].firing[section]
        state = honoured(state, clan, DEFEAT_HONOUR * archers)
    return state


def survived(state: State, section: int, horde: Horde) -> State:
    """Who is still on the card goes to the Rest Zone."""
    for clan in state.tea:
        spearmen, horsemen = soldiers_on(horde, clan)
        for soldier, count in ((SPEARMAN, spearmen), (HORSEMAN, horsemen)):
            if count:
                state = to_rest(state, clan, section, soldier, count)
    return state


def claimed(state: State, section: int, horde: Horde, victor: int) -> State:
    """The card goes to the majority, or to the discards; those behind move up."""
    rows = tuple(one for one in state.hordes[section] if one.card is not horde.card)
    state = with_rows(state, section, rows)
    if victor in (NOBODY, state.reed):
        return discarded(state, horde.card)
    clan = state.clans[victor]
    return with_clan(state, victor, replace(clan, claimed=(*clan.claimed, Claim(horde.card))))


def discarded(state: State, card: HordeCard) -> State:
    """A horde card goes to the discards."""
    return replace(state, horde_discard=joined(state.horde_discard, (card,)))
