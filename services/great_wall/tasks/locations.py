"""Clerks and the locations that they serve at (R6.1, R6.3, R7)."""

from __future__ import annotations

from services.great_wall.effects import Site
from services.great_wall.goods import Location, Resource, Section, Work
from services.great_wall.tasks.task import Event, Task


class Moving(Task, frozen=True):
    """Clerks are moved; `arrived` counts by location those that this effect has moved."""

    clan: int
    left: int
    distinct: bool
    arrived: tuple[int, ...]


class Advancing(Task, frozen=True):
    """Advanced activations."""

    clan: int
    left: int


class Activating(Task, frozen=True):
    """The active clan orders these locations."""

    clan: int
    locations: tuple[Location, ...]


class Visit(Task, frozen=True):
    """A location activates."""

    location: Location
    advanced: bool


class Serving(Task, frozen=True):
    """A clan resolves its clerks at a location."""

    clan: int
    location: Location


class Accepting(Task, frozen=True):
    """A clan may take what a location gives."""

    clan: int
    script: str
    event: Event


class Leaving(Task, frozen=True):
    """The clerks go home."""

    location: Location


class Gathering(Task, frozen=True):
    """Everybody gathers at a production location."""

    location: Location
    clans: tuple[int, ...]


class Upgrading(Task, frozen=True):
    """Overseers are placed or upgraded, each location once."""

    clan: int
    left: int
    where: Location | None
    discount: int
    done: tuple[Location, ...] = ()


class Yielding(Task, frozen=True):
    """Overseers give their income."""

    clan: int
    left: int
    done: tuple[Location, ...] = ()


class Donating(Task, frozen=True):
    """Goods are put into the warehouse."""

    clan: int
    left: int
    resource: Resource
    given: int = 0


class Building(Task, frozen=True):
    """Barricades or wall levels are built."""

    clan: int
    left: int
    what: Work
    free: bool
    site: Site
    built: int = 0


class Stocking(Task, frozen=True):
    """So many goods of the warehouse go into a cost, to be chosen."""

    clan: int
    units: int


class Paying(Task, frozen=True):
    """Own goods of any building kind."""

    clan: int
    units: int


class Hiring(Task, frozen=True):
    """Clerks or advisors are hired."""

    clan: int
    left: int
    what: Work
    hired: int = 0


class Dismissing(Task, frozen=True):
    """The neutral clan discards an advisor of the track."""

    clan: int
    left: int = 1


class Marching(Task, frozen=True):
    """A logistics move, from one section to one other once a soldier has gone."""

    clan: int
    left: int
    origin: Section | None = None
    target: Section | None = None
