"""Kill events (R11): the owner chooses who dies, windows, saving, windows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Self

from msgspec.structs import replace

from services.gamekit.game import Action, IllegalAction, Seat
from services.great_wall.cards.board import SAVE_PRICE
from services.great_wall.cards.hordes import HordeCard
from services.great_wall.counting import lowered
from services.great_wall.field import (
    find,
    horde_of,
    soldiers_on,
    taken_off,
    to_pool,
    to_rest,
    with_horde,
)
from services.great_wall.goods import AT, Goods, Section, Soldier, added
from services.great_wall.passives import Cost
from services.great_wall.state import (
    Doomed,
    State,
    Toll,
    instead,
    paid,
    pop,
    push,
    top,
    with_clan,
)
from services.great_wall.tasks import AnyTask
from services.great_wall.tasks.task import Event
from services.great_wall.tasks.war import Dooming, Killing, Saving
from services.great_wall.triggers import Trigger
from services.great_wall.windows import fire_all

MANY = 99


def begin_kill(
    state: State, section: Section, fatal: Sequence[tuple[HordeCard, int]], *, archers: bool
) -> State:
    """Each clan loses so many soldiers on each card, and its archers of the section."""
    choices: list[AnyTask] = []
    doomed: list[Doomed] = []
    for clan in state.tea:
        for card, lethality in fatal:
            horde = horde_of(state, card)
            assert horde is not None
            spearmen, horsemen = soldiers_on(horde, clan)
            if spearmen and horsemen and lethality < spearmen + horsemen:
                choices.append(Dooming(clan, card, lethality))
                continue
            for soldier, count in ((Soldier.SPEARMAN, spearmen), (Soldier.HORSEMAN, horsemen)):
                if count and lethality:
                    doomed.append(Doomed(clan, card, soldier, min(count, lethality)))
        shooting = state.clans[clan].firing[AT[section]]
        if archers and shooting:
            doomed.append(Doomed(clan, None, Soldier.ARCHER, shooting))
    if not choices and not doomed:
        return state
    state = replace(state, toll=Toll(section, tuple(doomed)))
    return push(state, *choices, Killing())


def dooming(state: State, task: Dooming) -> State:
    """Ask the owner until enough soldiers are chosen."""
    return state if task.left > 0 else pop(state)


def doomed_count(state: State, clan: int, card: HordeCard | None, soldier: Soldier) -> int:
    """How many of these soldiers are about to die."""
    assert state.toll is not None
    return sum(
        one.count
        for one in state.toll.doomed
        if (one.clan, one.card, one.soldier) == (clan, card, soldier)
    )


def with_doomed(
    state: State, clan: int, card: HordeCard | None, soldier: Soldier, change: int
) -> State:
    """One more or one less of these soldiers is about to die."""
    assert state.toll is not None
    count = doomed_count(state, clan, card, soldier) + change
    others = [
        one
        for one in state.toll.doomed
        if (one.clan, one.card, one.soldier) != (clan, card, soldier)
    ]
    if count:
        others.append(Doomed(clan, card, soldier, count))
    return replace(state, toll=replace(state.toll, doomed=tuple(others)))


class DoomSoldier(Action[State], frozen=True):
    """Choose a soldier on a card that is about to die."""

    soldier: Soldier

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        yield cls(Soldier.SPEARMAN)
        yield cls(Soldier.HORSEMAN)

    def check(self, state: State, seat: Seat) -> None:
        task = top(state, Dooming)
        horde = horde_of(state, task.card)
        assert horde is not None
        there = dict.fromkeys(Soldier, 0)
        there[Soldier.SPEARMAN], there[Soldier.HORSEMAN] = soldiers_on(horde, task.clan)
        if there[self.soldier] <= doomed_count(state, task.clan, task.card, self.soldier):
            raise IllegalAction("no_soldier_there", soldier=self.soldier)

    def apply(self, state: State, seat: Seat) -> State:
        task = top(state, Dooming)
        state = instead(state, replace(task, left=task.left - 1))
        return with_doomed(state, task.clan, task.card, self.soldier, 1)


def dying(state: State) -> dict[int, int]:
    """Clan -> soldiers about to die, in tea order."""
    assert state.toll is not None
    counts = {
        clan: sum(one.count for one in state.toll.doomed if one.clan == clan) for clan in state.tea
    }
    return {clan: count for clan, count in counts.items() if count}


def kill(state: State, task: Killing) -> State:
    """The next step of R11.2."""
    toll = state.toll
    assert toll is not None
    if task.stage == 0:
        state = instead(state, Killing(1))
        return fire_all(state, Trigger.ON_WOULD_KILL, windows(state, dying(state)))
    if task.stage == 1:
        saving = [Saving(clan, MANY, free=False) for clan in dying(state) if clan < state.seats]
        return instead(state, *saving, Killing(2))
    if task.stage == 2:
        killed = dying(state)
        for one in toll.doomed:
            state = buried(state, one)
        state = replace(state, toll=replace(toll, doomed=()))
        state = instead(state, Killing(3))
        return fire_all(state, Trigger.ON_KILL, windows(state, killed))
    return replace(pop(state), toll=None)


def windows(state: State, counts: dict[int, int]) -> list[tuple[int, Event]]:
    """An event for each seat that loses soldiers."""
    assert state.toll is not None
    sections = (state.toll.section,)
    return [
        (clan, Event(sections=sections, each=count))
        for clan, count in counts.items()
        if clan < state.seats
    ]


def removed(state: State, clan: int, card: HordeCard | None, soldier: Soldier) -> State:
    """A soldier leaves its card, or its Firing spot."""
    assert state.toll is not None
    if card is None:
        one = state.clans[clan]
        firing = added(one.firing, AT[state.toll.section], -1)
        return with_clan(state, clan, replace(one, firing=firing))
    place = find(state, card)
    assert place is not None
    section, row = place
    horde = taken_off(state.hordes[section][row], clan, soldier)
    return with_horde(state, section, row, horde)


def buried(state: State, doomed: Doomed) -> State:
    """Killed soldiers go to the pool."""
    for _ in range(doomed.count):
        state = removed(state, doomed.clan, doomed.card, doomed.soldier)
    return to_pool(state, doomed.clan, AT[doomed.soldier], doomed.count)


def save(state: State, task: Saving) -> State:
    """Ask on while somebody can be saved; an effect that saves all does not ask."""
    count = dying(state).get(task.clan, 0)
    if task.left < 1 or not count:
        return pop(state)
    if task.free and task.left >= count:
        first = next(SaveSoldier.candidates(state, Seat(task.clan)))
        return first.apply(state, Seat(task.clan))
    return state


def save_price(state: State, task: Saving) -> int:
    """Chi that the next one costs."""
    return 0 if task.free else lowered(state.clans[task.clan], Cost.SAVE, SAVE_PRICE)


class SaveSoldier(Action[State], frozen=True):
    """Save a soldier: it goes to the Rest Zone. No card: an archer in a Firing spot."""

    card: HordeCard | None
    soldier: Soldier

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        assert state.toll is not None
        clan = top(state, Saving).clan
        return (cls(one.card, one.soldier) for one in state.toll.doomed if one.clan == clan)

    def check(self, state: State, seat: Seat) -> None:
        task = top(state, Saving)
        if not doomed_count(state, task.clan, self.card, self.soldier):
            raise IllegalAction("not_dying", soldier=self.soldier)
        price = save_price(state, task)
        if state.clans[task.clan].goods.chi < price:
            raise IllegalAction("cannot_afford", chi=price)

    def apply(self, state: State, seat: Seat) -> State:
        task = top(state, Saving)
        assert state.toll is not None
        price = Goods(chi=save_price(state, task))
        state = instead(state, replace(task, left=task.left - 1))
        state = paid(state, task.clan, price)
        state = with_doomed(state, task.clan, self.card, self.soldier, -1)
        state = removed(state, task.clan, self.card, self.soldier)
        section = AT[state.toll.section] if state.toll else 0
        return to_rest(state, task.clan, section, AT[self.soldier])
