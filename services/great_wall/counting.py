"""Amounts and filters of cards: what is counted, and what must hold."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from services.great_wall.amounts import Amount, Counter
from services.great_wall.cards.board import PLACES, RESERVE, SOLDIER_COST
from services.great_wall.cards.commands import Command
from services.great_wall.cards.scripts import CHEAPER
from services.great_wall.field import highest_walls, horde_of, soldiers_on
from services.great_wall.goods import (
    AT,
    ONE,
    RESOURCES,
    Goods,
    Soldier,
    mixes,
)
from services.great_wall.passives import Cost
from services.great_wall.state import Clan, State
from services.great_wall.tasks.task import Event
from services.great_wall.triggers import When

PLENTY = Goods(99, 99, 99, 99)


def on_track(state: State, command: Command) -> int:
    """Command cards of a name on the track, whoever owns them (R6.2)."""
    return sum(1 for played in state.track if played and played.command is command)


def humans_above(state: State, clan: int) -> int:
    """Seats whose tea marker is above this clan's."""
    above = state.tea[: state.tea.index(clan)]
    return sum(1 for one in above if one < state.seats)


def hired_clerks(clan: Clan) -> int:
    """Clerks beyond the starting five."""
    return RESERVE - clan.reserve


class Case(NamedTuple):
    """What is counted for whom."""

    state: State
    who: int
    event: Event

    @property
    def clan(self) -> Clan:
        """The clan that is counted for."""
        return self.state.clans[self.who]


COUNT: dict[Counter, Callable[[Case], int]] = {
    Counter.SUPPORT: lambda it: len(it.clan.supporting),
    Counter.SUPPORT_PAIRS: lambda it: len(it.clan.supporting) // 2,
    Counter.TRACK_ECONOMY: lambda it: on_track(it.state, Command.ECONOMY),
    Counter.TRACK_ATTACK_ORDER: lambda it: on_track(it.state, Command.ATTACK_ORDER),
    Counter.CLERKS_HERE: lambda it: clerks_at(*it),
    Counter.HUMANS_ABOVE: lambda it: humans_above(it.state, it.who),
    Counter.EACH: lambda it: it.event.each,
    Counter.ARCHER_SECTIONS: lambda it: sum(1 for archers in it.clan.firing if archers),
    Counter.ARCHERS_ON_HIGHEST_WALLS: lambda it: sum(
        it.clan.firing[section] for section in highest_walls(it.state)
    ),
    Counter.REST_SECTIONS: lambda it: sum(any(it.clan.rest[at : at + 3]) for at in (0, 3, 6)),
    Counter.OVERSEER_LEVELS: lambda it: sum(it.clan.overseers),
    Counter.CLEAN_HORDES: lambda it: sum(1 for claim in it.clan.claimed if not claim.shame),
    Counter.ADVISORS: lambda it: advisors_of(it.clan),
    Counter.ADVISORS_PLUS_HIRED_CLERKS: lambda it: advisors_of(it.clan) + hired_clerks(it.clan),
    Counter.RESOURCE_PAIRS: lambda it: it.clan.goods.total() // 2,
}


def clerks_at(state: State, clan: int, event: Event) -> int:
    """A clan's clerks at the event's location."""
    return state.clans[clan].desks[AT[event.location]] if event.location else 0


def advisors_of(clan: Clan) -> int:
    """A clan's advisors, active and supporting."""
    return len(clan.active) + len(clan.supporting)


def amount(state: State, clan: int, printed: Amount, event: Event) -> int:
    """What an amount comes to."""
    value = printed.plus
    if printed.per:
        product, case = printed.times, Case(state, clan, event)
        for counter in printed.per:
            product *= COUNT[counter](case)
        value += product
    return value if printed.most is None else min(printed.most, value)


def holds(state: State, clan: int, when: When, event: Event) -> bool:
    """Whether all filters hold for a clan."""
    return (
        (when.location is None or event.location is when.location)
        and (not when.special or is_special(event))
        and (not when.min_clerks or clerks_at(state, clan, event) >= when.min_clerks)
        and (when.type is None or when.type in event.types)
        and (not when.on_card or stands_on(state, clan, event, when.on_card))
        and (not when.in_firing or shoots_in(state, clan, event))
        and (when.what is None or event.what is when.what)
    )


def is_special(event: Event) -> bool:
    """Whether the event's location is a special one."""
    return event.location is not None and PLACES[event.location].slots is None


def stands_on(state: State, clan: int, event: Event, types: tuple[Soldier, ...]) -> bool:
    """Whether a clan has a soldier of one of these types on the event's horde."""
    for card in event.hordes:
        horde = horde_of(state, card)
        spearmen, horsemen = soldiers_on(horde, clan) if horde else (0, 0)
        if (spearmen and Soldier.SPEARMAN in types) or (horsemen and Soldier.HORSEMAN in types):
            return True
    return False


def shoots_in(state: State, clan: int, event: Event) -> bool:
    """Whether a clan has an archer in a Firing spot of the event's section."""
    firing = state.clans[clan].firing
    return any(firing[AT[section]] for section in event.sections)


def change_of(clan: Clan, what: Cost) -> tuple[Goods, int]:
    """How much less something costs a clan: of given kinds, and of any kind."""
    fixed, free = Goods(), 0
    for advisor in clan.active:
        change = CHEAPER.get(advisor)
        if change and change.what is what:
            if change.of:
                fixed += ONE[change.of] * -change.by
            else:
                free -= change.by
    return fixed, free


def recruit_prices(
    clan: Clan, soldier: Soldier, discount: int, price: int | None
) -> tuple[Goods, ...]:
    """Every way to pay for a recruit (R18.2)."""
    fixed, free = change_of(clan, Cost(soldier))
    return prices(soldier, fixed, free + discount, price)


@lru_cache(maxsize=4096)
def prices(soldier: Soldier, fixed: Goods, discount: int, price: int | None) -> tuple[Goods, ...]:
    """Every way to pay a soldier's cost less `fixed` and less `discount` units of any kind."""
    if price is not None:
        return tuple(mixes(price, PLENTY, RESOURCES))
    cost = SOLDIER_COST[soldier]
    left = Goods(**{kind: max(0, cost.of(kind) - fixed.of(kind)) for kind in RESOURCES})
    return tuple(mixes(max(0, left.total() - discount), left, RESOURCES))


def lowered(clan: Clan, what: Cost, cost: int) -> int:
    """A cost of one kind (or of any) for a clan, never below 0."""
    fixed, free = change_of(clan, what)
    return max(0, cost - fixed.total() - free)
