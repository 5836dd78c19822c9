"""Soldiers: recruited, sent out, killed, saved; shame (R8 - R11)."""

from __future__ import annotations

from services.gamekit.game import Record
from services.great_wall.cards.hordes import HordeCard
from services.great_wall.effects import Where
from services.great_wall.goods import Section, Soldier, Zone
from services.great_wall.tasks.task import Task


class Recruited(Record, frozen=True, array_like=True):
    """A recruit that has been paid for; it attacks or rests in its section."""

    soldier: Soldier
    section: Section
    attacks: bool


class Recruiting(Task, frozen=True):
    """Soldiers are recruited."""

    clan: int
    left: int
    types: tuple[Soldier, ...]
    discount: int
    price: int | None
    recruits: tuple[Recruited, ...] = ()


class Mustering(Task, frozen=True):
    """Recruits go to Rest Zones, or attack together."""

    clan: int
    recruits: tuple[Recruited, ...]


class Unit(Record, frozen=True, array_like=True):
    """Soldiers that may still attack in this step."""

    zone: Zone
    soldier: Soldier
    section: Section
    count: int


class Attacking(Task, frozen=True):
    """An attack step."""

    clan: int
    left: int
    squad: tuple[Unit, ...]
    mandatory: bool
    full: tuple[HordeCard, ...]
    """Hordes without a free spot before the step."""
    per_section: int = 99
    types: tuple[Soldier, ...] = ()
    sections: tuple[Section, ...] = ()
    hordes: tuple[HordeCard, ...] = ()


class LastWounds(Task, frozen=True):
    """The window for hordes that an attack step filled."""

    clan: int
    full: tuple[HordeCard, ...]


class Wounding(Task, frozen=True):
    """Wounds are placed."""

    clan: int
    left: int
    where: Where
    hordes: tuple[HordeCard, ...]


class DefeatCheck(Task, frozen=True):
    """Hordes without a free spot are defeated."""


class Defeat(Task, frozen=True):
    """A horde is defeated, stage by stage."""

    card: HordeCard
    stage: int = 0
    victor: int = -1


class Killing(Task, frozen=True):
    """The kill event, stage by stage."""

    stage: int = 0


class Dooming(Task, frozen=True):
    """The owner chooses who dies on a card."""

    clan: int
    card: HordeCard
    left: int


class Saving(Task, frozen=True):
    """Doomed soldiers may be saved; `free`: by an effect, else for chi."""

    clan: int
    left: int
    free: bool


class Shaming(Task, frozen=True):
    """A seat takes a shame token."""

    clan: int


class Returning(Task, frozen=True):
    """Shame may be returned, at `price` chi each."""

    clan: int
    left: int
    price: int
