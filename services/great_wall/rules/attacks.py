"""Attack steps (R8): soldiers cover vital spots, archers wound, rewards come at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from msgspec.structs import replace

from services.gamekit.game import Action, IllegalAction, Seat
from services.great_wall.cards.hordes import FACE_OF
from services.great_wall.effects import Attack
from services.great_wall.field import (
    free_firing,
    full_hordes,
    has_target,
    is_target,
    soldier_mark,
    targets,
    to_firing,
    to_rest,
    with_horde,
    with_marks,
)
from services.great_wall.goods import (
    ARCHER,
    AT,
    ONE,
    RESOURCES,
    SOLDIERS,
    Resource,
    Section,
    Soldier,
    Zone,
    added,
)
from services.great_wall.state import (
    WOUND,
    State,
    earned,
    honoured,
    instead,
    push,
    top,
    with_clan,
)
from services.great_wall.tasks import AnyTask
from services.great_wall.tasks.cards import Drawing, Fire, Taking
from services.great_wall.tasks.task import Event
from services.great_wall.tasks.war import Attacking, LastWounds, Returning, Unit
from services.great_wall.triggers import Trigger
from services.great_wall.windows import fire

GOODS_OF = {"w": Resource.WOOD, "s": Resource.STONE, "g": Resource.GOLD, "c": Resource.CHI}
HONOUR_OF = {"h": 1, "H": 2}


def muster_attack(state: State, clan: int, effect: Attack, count: int) -> State:
    """An attack step with the soldiers that stand in the effect's zones."""
    one = state.clans[clan]
    squad = []
    for section in state.setup.sections:
        at = AT[section]
        if Zone.FIRING in effect.zones and one.firing[at] and Soldier.ARCHER in effect.types:
            squad.append(Unit(Zone.FIRING, Soldier.ARCHER, section, one.firing[at]))
        if Zone.REST in effect.zones:
            squad += [
                Unit(Zone.REST, soldier, section, one.rest[at * len(SOLDIERS) + AT[soldier]])
                for soldier in effect.types
                if one.rest[at * len(SOLDIERS) + AT[soldier]]
            ]
    if not squad or count < 1:
        return state
    step = Attacking(
        clan, count, tuple(squad), effect.mandatory, full_hordes(state), effect.per_section
    )
    return push(state, step)


def shot(state: State, clan: int, section: Section) -> State:
    """The step in which all archers in Firing spots of a section shoot."""
    archers = state.clans[clan].firing[AT[section]]
    squad = (Unit(Zone.FIRING, Soldier.ARCHER, section, archers),)
    return push(state, Attacking(clan, archers, squad, mandatory=True, full=full_hordes(state)))


def can_strike(state: State, task: Attacking, unit: Unit) -> bool:
    """Whether a unit may and can attack."""
    if not unit.count or task.sections.count(unit.section) >= task.per_section:
        return False
    return has_target(state, unit.soldier, unit.section) and (
        unit.soldier is not Soldier.ARCHER
        or unit.zone is Zone.FIRING
        or free_firing(state, AT[unit.section]) > 0
    )


def attack(state: State, task: Attacking) -> State:
    """Ask on while somebody can attack; a single forced attack is made without asking."""
    able = [unit for unit in task.squad if can_strike(state, task, unit)] if task.left > 0 else []
    if not able:
        return step_over(state, task)
    if task.mandatory and len(able) == 1:
        options = targets(state, able[0].soldier, able[0].section)
        if len(options) == 1:
            (row, spots), unit = options[0], able[0]
            return Strike(unit.zone, unit.soldier, unit.section, row, spots).apply(state, Seat(0))
    return state


def step_over(state: State, task: Attacking) -> State:
    """Recruits that could not attack find a place (R8.4); then the windows (R8.6)."""
    state = instead(state)
    for unit in task.squad:
        if unit.zone is Zone.RECRUIT:
            for _ in range(unit.count):
                state = settled(state, task.clan, unit.soldier, unit.section)
    if not task.types:
        return state
    event = Event(
        types=tuple(dict.fromkeys(task.types)),
        sections=tuple(dict.fromkeys(task.sections)),
        hordes=tuple(dict.fromkeys(task.hordes)),
    )
    last = LastWounds(task.clan, task.full)
    return push(state, Fire(Trigger.ON_ATTACK, task.clan, event), last)


def settled(state: State, clan: int, soldier: Soldier, section: Section) -> State:
    """A recruit without a target: an archer takes a Firing spot if one is free, others rest."""
    if soldier is Soldier.ARCHER and free_firing(state, AT[section]) > 0:
        return to_firing(state, clan, AT[section])
    return to_rest(state, clan, AT[section], AT[soldier])


def last_wounds(state: State, task: LastWounds) -> State:
    """The window for the hordes that this step filled, the first window's wounds included."""
    filled = tuple(card for card in full_hordes(state) if card not in task.full)
    state = instead(state)
    if not filled:
        return state
    event = Event(hordes=filled, each=len(filled))
    return fire(state, Trigger.ON_LAST_WOUND, task.clan, event)


class Strike(Action[State], frozen=True):
    """A soldier attacks: `row` from 0, `spots` to cover or, for an archer, to wound."""

    zone: Zone
    soldier: Soldier
    section: Section
    row: int
    spots: tuple[int, ...]

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        task = top(state, Attacking)
        for unit in task.squad:
            if can_strike(state, task, unit):
                for row, spots in targets(state, unit.soldier, unit.section):
                    yield cls(unit.zone, unit.soldier, unit.section, row, spots)

    def check(self, state: State, seat: Seat) -> None:
        task = top(state, Attacking)
        unit = self.unit(task)
        if unit is None or not can_strike(state, task, unit):
            raise IllegalAction("cannot_attack", soldier=self.soldier, section=self.section)
        if not is_target(state, self.soldier, self.section, self.row, self.spots):
            raise IllegalAction("no_target", row=self.row)

    def unit(self, task: Attacking) -> Unit | None:
        """The unit that the soldier comes from."""
        for unit in task.squad:
            if (unit.zone, unit.soldier, unit.section) == (self.zone, self.soldier, self.section):
                return unit
        return None

    def apply(self, state: State, seat: Seat) -> State:
        task = top(state, Attacking)
        section = AT[self.section]
        horde = state.hordes[section][self.row]
        struck = replace(
            task,
            left=task.left - 1,
            squad=tuple(
                replace(unit, count=unit.count - 1) if unit is self.unit(task) else unit
                for unit in task.squad
            ),
            types=(*task.types, self.soldier),
            sections=(*task.sections, self.section),
            hordes=(*task.hordes, horde.card),
        )
        state = self.moved(instead(state, struck), task.clan)
        archer = self.soldier is Soldier.ARCHER
        mark = WOUND if archer else soldier_mark(horde, task.clan, self.soldier)
        state = with_horde(state, section, self.row, with_marks(horde, self.spots, mark))
        if archer or task.clan >= state.seats:
            return state
        return rewarded(state, task.clan, [FACE_OF[horde.card].grid[spot] for spot in self.spots])

    def moved(self, state: State, clan: int) -> State:
        """The soldier leaves its zone; an archer not yet there goes to a Firing spot (R8.3)."""
        section = AT[self.section]
        if self.zone is Zone.REST:
            one = state.clans[clan]
            rest = added(one.rest, section * len(SOLDIERS) + AT[self.soldier], -1)
            state = with_clan(state, clan, replace(one, rest=rest))
        if AT[self.soldier] == ARCHER and self.zone is not Zone.FIRING:
            state = to_firing(state, clan, section)
        return state


def rewarded(state: State, clan: int, codes: list[str]) -> State:
    """The printed rewards of covered spots, at once (R8.2)."""
    tasks: list[AnyTask] = []
    for code in codes:
        if code in GOODS_OF:
            state = earned(state, clan, ONE[GOODS_OF[code]])
        elif code in HONOUR_OF:
            state = honoured(state, clan, HONOUR_OF[code])
        elif code == "a":
            tasks.append(Taking(clan, 1, RESOURCES))
        elif code == "t":
            tasks.append(Drawing(clan, 1))
        elif code == "d":
            tasks.append(Returning(clan, 1, price=0))
    return push(state, *tasks)
