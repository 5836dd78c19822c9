"""What is being asked or resolved now, as everybody sees it."""

from __future__ import annotations

from typing import Any

from services.gamekit.game import Record
from services.great_wall.cards.hordes import HordeCard
from services.great_wall.goods import Location, Resource, Section, Soldier, Work, Zone
from services.great_wall.state import Doomed, State
from services.great_wall.tasks.cards import Perform, Window
from services.great_wall.tasks.seasons import Commanding, Revealing
from services.great_wall.tasks.task import Task
from services.great_wall.tasks.war import Attacking, Mustering, Recruited, Recruiting, Unit


class Squad(Record, frozen=True):
    """Soldiers that may still attack in this step."""

    zone: Zone
    soldier: Soldier
    section: Section
    count: int


class RecruitView(Record, frozen=True):
    """A recruit that has been paid for; it attacks or rests in its section."""

    soldier: Soldier
    section: Section
    attacks: bool


class Dying(Record, frozen=True):
    """Soldiers about to die; no card: in Firing spots."""

    clan: int
    card: HordeCard | None
    soldier: Soldier
    count: int


class Pending(Record, frozen=True):
    """The task on top: for which clan, by which card, and what of it is left."""

    task: str
    clan: int | None
    source: str
    left: int
    what: Work | None
    location: Location | None
    locations: tuple[Location, ...]
    resource: Resource | None
    kinds: tuple[Resource, ...]
    section: Section | None
    card: HordeCard | None
    hordes: tuple[HordeCard, ...]
    abilities: tuple[str, ...]
    tactic: bool
    squad: tuple[Squad, ...]
    recruits: tuple[RecruitView, ...]
    dying: tuple[Dying, ...]


class Item(Record, frozen=True):
    """Something that is still to be done, or has been begun."""

    task: str
    clan: int | None
    source: str
    location: Location | None
    section: Section | None
    card: HordeCard | None


def agenda(state: State) -> tuple[Item, ...]:
    """What is still to be done, the next thing first."""
    return tuple(item(task) for task in reversed(state.stack))


def item(task: Any) -> Item:
    """One task; whatever seats have answered unseen is no part of it."""
    return Item(
        task=name_of(task),
        clan=getattr(task, "clan", None),
        source=getattr(task, "script", getattr(task, "trigger", "")),
        location=getattr(task, "location", None),
        section=getattr(task, "section", None),
        card=getattr(task, "card", None),
    )


def hides_commands(state: State) -> bool:
    """Whether chosen command cards still lie face down."""
    return bool(state.stack) and isinstance(state.stack[-1], Commanding | Revealing)


def pending(state: State) -> Pending | None:
    """What everybody may know of the task on top: nothing that a seat has answered."""
    if not state.stack:
        return None
    task: Any = state.stack[-1]

    def public(name: str, otherwise: Any) -> Any:
        return getattr(task, name, otherwise)

    squad = task.squad if isinstance(task, Attacking) else ()
    return Pending(
        task=name_of(task),
        clan=public("clan", None),
        source=source(state),
        left=public("left", public("units", 0)),
        what=public("what", None),
        location=public("location", public("where", None)) if places(task) else None,
        locations=public("locations", ()),
        resource=public("resource", None),
        kinds=public("kinds", ()),
        section=public("section", public("origin", None)),
        card=public("card", None),
        hordes=public("hordes", ()),
        abilities=task.abilities if isinstance(task, Window) else (),
        tactic=task.tactic if isinstance(task, Window) else False,
        squad=tuple(squad_view(unit) for unit in squad if unit.count),
        recruits=tuple(
            RecruitView(one.soldier, one.section, one.attacks) for one in recruits(state)
        ),
        dying=tuple(dying_view(one) for one in state.toll.doomed) if state.toll else (),
    )


def name_of(task: Task) -> str:
    """`attacking`: the kind of task."""
    return str(type(task).__struct_config__.tag)


def places(task: Any) -> bool:
    """Whether a task's place is a location."""
    return isinstance(getattr(task, "location", getattr(task, "where", None)), Location)


def source(state: State) -> str:
    """The card or location whose effect is being resolved."""
    for task in reversed(state.stack):
        if isinstance(task, Perform):
            return task.script
    return ""


def recruits(state: State) -> tuple[Recruited, ...]:
    """Recruits that are paid for and not yet on the board."""
    for task in reversed(state.stack):
        if isinstance(task, Recruiting | Mustering):
            return task.recruits
    return ()


def squad_view(unit: Unit) -> Squad:
    """One unit."""
    return Squad(unit.zone, unit.soldier, unit.section, unit.count)


def dying_view(one: Doomed) -> Dying:
    """One group of soldiers."""
    return Dying(one.clan, one.card, one.soldier, one.count)
