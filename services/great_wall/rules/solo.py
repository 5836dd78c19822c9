"""The automated general's effects (R15), and what he decides for the neutral clan (R15.7)."""

from __future__ import annotations

from msgspec.structs import replace

from services.great_wall.cards.board import PRODUCTION, WALL
from services.great_wall.cards.commands import Command
from services.great_wall.counting import amount
from services.great_wall.effects import (
    AdvancedActivation,
    Attack,
    Build,
    Choose,
    Donate,
    Effect,
    MoveClerks,
    MoveTea,
    Recruit,
    Site,
)
from services.great_wall.goods import AT, BUILDING, ONE, Location, Soldier, Work
from services.great_wall.idle import sites
from services.great_wall.rules.solo_clerks import move_clerks
from services.great_wall.rules.solo_soldiers import indicated, recruited, shot
from services.great_wall.rules.tea import moved_up
from services.great_wall.rules.works import stands
from services.great_wall.state import State, honoured, push
from services.great_wall.tasks.locations import Donating, Visit
from services.great_wall.tasks.task import Event


def carried_out(  # noqa: C901, PLR0912  # one case a primitive
    state: State, clan: int, effect: Effect, event: Event
) -> State:
    """An effect of the general's, or of the neutral clan's while he is its overlord.

    The cards that he may have hold no other primitives.
    """
    count = getattr(effect, "count", None)
    times = amount(state, clan, count, event) if count else 1
    match effect:
        case MoveClerks():
            return move_clerks(state, clan, times, effect.to)
        case AdvancedActivation():
            return advanced(state, clan)
        case Build():
            for _ in range(times):
                state = build(state, clan, effect)
        case Recruit():
            for _ in range(times):
                state = recruited(state, clan, effect.types[0])
        case Attack():
            if clan == state.qin:
                for section in state.setup.sections:
                    state = shot(state, section)
        case Donate():
            return push(state, Donating(clan, times, effect.of))
        case MoveTea():
            return moved_up(state, clan, effect.steps)
        case Choose():
            for step in effect.options[0]:
                state = carried_out(state, clan, step, event)
    return state


def deck(state: State) -> tuple[Command, ...]:
    """His cards to draw from: all six again once they are used up."""
    return state.solo_deck or tuple(sorted(tuple(Command)[:6]))


def first_location(state: State, clan: int, locations: tuple[Location, ...]) -> Location | None:
    """In his turn his own locations come first, from the highest down."""
    if clan != state.qin or clan < 0:
        return None
    desks = state.clans[clan].desks
    return next((one for one in state.location_track if one in locations and desks[AT[one]]), None)


def advanced(state: State, clan: int) -> State:
    """The lowest location with a clerk of his activates (R6.3)."""
    desks = state.clans[clan].desks
    for location in reversed(state.location_track):
        if desks[AT[location]]:
            return push(state, Visit(location, advanced=True))
    return state


def gathered(state: State, location: Location) -> State:
    """Honour for his clerks: the overseer's level each, and no goods (R15.4)."""
    general = state.clans[state.qin]
    level = general.overseers[PRODUCTION.index(location)]
    return honoured(state, state.qin, level * general.desks[AT[location]])


def visit(state: State, location: Location) -> State:
    """Barracks: a spearman for each clerk."""
    if location is Location.BARRACKS:
        for _ in range(state.clans[state.qin].desks[AT[location]]):
            state = recruited(state, state.qin, Soldier.SPEARMAN)
    return state


def build(state: State, clan: int, effect: Build) -> State:
    """A barricade in the indicated section, else the next with room; his lowest wall."""
    open_sites = sites(state, effect.what)
    order = [at for at in indicated(state) if at in open_sites]
    if not order:
        return state
    if effect.site is Site.LOWEST_WALL:
        order.sort(key=lambda at: state.walls[at])
    return raise_work(state, clan, effect.what, order[0])


def raise_work(state: State, clan: int, what: Work, section: int) -> State:
    """It stands: a wall takes what the warehouse has, in board order; the rest is free."""
    if what is Work.WALL:
        cost = WALL[state.walls[section] + 1].cost
        stock = state.warehouse
        for kind in BUILDING:
            units = min(cost, stock.of(kind))
            stock, cost = stock - ONE[kind] * units, cost - units
        state = replace(state, warehouse=stock)
    return stands(state, what, section, clan)
