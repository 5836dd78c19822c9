"""Winter (R12): archers shoot, the hordes assault section by section, the match may end."""

from __future__ import annotations

from typing import Self

from msgspec.structs import replace

from services.gamekit.chance import Chance
from services.gamekit.game import IllegalAction, NatureMove, Record, Seat
from services.great_wall.cards.hordes import FACE_OF, HordeCard
from services.great_wall.effects import Lose
from services.great_wall.field import finished_walls, is_on
from services.great_wall.goods import AT, Section
from services.great_wall.rules import solo_soldiers
from services.great_wall.rules.assault import defence, lethality, offence
from services.great_wall.rules.attacks import shot
from services.great_wall.rules.killing import begin_kill
from services.great_wall.rules.tea import humans
from services.great_wall.state import Horde, State, instead, pop, push, top
from services.great_wall.tasks import AnyTask
from services.great_wall.tasks.cards import Fire, Losing
from services.great_wall.tasks.seasons import Aftermath, Assaulting, Begin, Shooting
from services.great_wall.tasks.task import Phase
from services.great_wall.tasks.war import DefeatCheck, Shaming
from services.great_wall.triggers import Trigger


def begin_winter(state: State) -> State:
    """Abilities, shooting, defeats, assaults, the end check."""
    sections = state.setup.sections
    shooting = [Shooting(clan, section) for section in sections for clan in state.tea]
    return instead(
        replace(state, phase=Phase.WINTER),
        *[Fire(Trigger.WINTER_START, clan) for clan in humans(state)],
        *shooting,
        DefeatCheck(),
        *[Assaulting(section) for section in sections],
        Aftermath(),
    )


def shoot(state: State, task: Shooting) -> State:
    """All archers of a clan in a section shoot, one attack step (R18.11)."""
    state = pop(state)
    if not state.clans[task.clan].firing[AT[task.section]]:
        return state
    if task.clan == state.qin:
        return solo_soldiers.shot(state, task.section)
    return shot(state, task.clan, task.section)


def assault(state: State, task: Assaulting) -> State:
    """No horde, no assault; else the hordes' abilities, then NATURE."""
    rows = state.hordes[AT[task.section]]
    if not rows:
        return pop(state)
    if task.begun:
        return state
    state = instead(state, replace(task, begun=True))
    losses: list[AnyTask] = []
    for horde in rows:
        losses += plundered(state, horde)
    return push(state, *losses)


def plundered(state: State, horde: Horde) -> list[AnyTask]:
    """Losses to a horde's ability at the start of the assault (R18.9)."""
    ability = FACE_OF[horde.card].ability
    if ability is None or ability.trigger is not Trigger.ASSAULT_START:
        return []
    return [
        Losing(clan, effect.count.plus)
        for clan in humans(state)
        if not is_on(horde, clan)
        for effect in ability.do
        if isinstance(effect, Lose)
    ]


class Fatal(Record, frozen=True):
    """How many soldiers each player loses on a card."""

    card: HordeCard
    lethality: int


class Assault(NatureMove[State], frozen=True):
    """The assault on a section. `check` counts everything that it claims again.

    `shamed`: who takes a shame token, in order, some more than once.
    """

    section: Section
    defence: int
    offence: int
    breach: bool
    shamed: tuple[Seat, ...]
    fatal: tuple[Fatal, ...]

    @classmethod
    def resolve(cls, state: State, chance: Chance) -> Self:
        section = top(state, Assaulting).section
        strong, strength = defence(state, section), offence(state, section)
        if strong >= strength:
            return cls(section, strong, strength, False, (), ())
        rows = state.hordes[AT[section]]
        shamed = [Seat(clan) for horde in rows for clan in humans(state) if not is_on(horde, clan)]
        fatal = tuple(Fatal(horde.card, lethality(state, horde)) for horde in rows)
        return cls(section, strong, strength, True, tuple(shamed), fatal)

    def check(self, state: State, seat: Seat) -> None:
        due = self.resolve(state, Chance(b""))
        for name in self.__struct_fields__:
            if getattr(self, name) != getattr(due, name):
                raise IllegalAction(f"wrong_{name}")

    def apply(self, state: State, seat: Seat) -> State:
        state = pop(state)
        if not self.breach:
            return state
        state = replace(state, breaches=state.breaches + 1)
        fatal = [(one.card, one.lethality) for one in self.fatal]
        state = begin_kill(state, self.section, fatal, archers=True)
        return push(state, *(Shaming(clan) for clan in self.shamed))


def aftermath(state: State, _task: Aftermath) -> State:
    """Barricades go; the match ends, or spring comes (R12.4, R12.5)."""
    state = replace(state, barricades=(0,) * len(state.barricades))
    ending = ending_of(state)
    if not ending:
        return instead(state, Begin(Phase.SPRING))
    return replace(state, stack=(), phase=Phase.OVER, ending=ending)


def ending_of(state: State) -> str:
    """Why the match ends now, or nothing."""
    if not state.shame_pool:
        return "shame"
    if finished_walls(state) >= state.setup.walls_to_end:
        return "walls"
    return "years" if state.year == len(state.setup.years) else ""
