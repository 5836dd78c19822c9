"""What is left to do, as data: a match's stack holds these, the next one on top.

A task either runs by itself or asks; `flow` says which. So a half-finished turn can be saved,
previewed and undone.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TypeAlias, Union

from services.gamekit.game import Record, snake
from services.great_wall.cards.advisors import Advisor
from services.great_wall.cards.hordes import HordeCard
from services.great_wall.cards.tactics import Tactic
from services.great_wall.effects import Site, Trigger, Where
from services.great_wall.goods import (
    Location,
    Resource,
    Section,
    Soldier,
    Work,
    Zone,
)


class Phase(StrEnum):
    """The seasons, and what is before and after them."""

    SETUP = "setup"
    SPRING = "spring"
    SUMMER = "summer"
    FALL = "fall"
    WINTER = "winter"
    OVER = "over"


class Event(Record, frozen=True, array_like=True):
    """What a trigger is about: all that filters and amounts may ask."""

    location: Location | None = None
    types: tuple[Soldier, ...] = ()
    sections: tuple[Section, ...] = ()
    hordes: tuple[HordeCard, ...] = ()
    each: int = 0
    what: Work | None = None


NOTHING = Event()


class Task(Record, frozen=True, array_like=True, tag=snake):
    """Something left to do."""


class Begin(Task, frozen=True):
    """A season."""

    phase: Phase


class SettingOut(Task, frozen=True):
    """NATURE lays out what is face up, and deals generals and advisors."""


class Invading(Task, frozen=True):
    """NATURE places a horde."""


class Leading(Task, frozen=True):
    """Everybody chooses a general and an active advisor."""


class Unveiling(Task, frozen=True):
    """NATURE shows these choices."""


class Promoting(Task, frozen=True):
    """NATURE gives the automated general one of the discarded advisors."""

    advisors: tuple[Advisor, ...]


class Refilling(Task, frozen=True):
    """NATURE refills the advisor track."""


class Drawing(Task, frozen=True):
    """NATURE deals tactic cards to a seat."""

    clan: int
    count: int


class Discarding(Task, frozen=True):
    """A hand above the limit."""

    clan: int


class Commanding(Task, frozen=True):
    """Everybody chooses a command card."""


class Revealing(Task, frozen=True):
    """NATURE shows the command cards."""


class Placing(Task, frozen=True):
    """These clans put their command cards on the track."""

    clans: tuple[int, ...]


class SoloDraw(Task, frozen=True):
    """NATURE turns the automated general's card."""


class Turn(Task, frozen=True):
    """The turns from this space of the command track on."""

    space: int = 0


class EndTurn(Task, frozen=True):
    """Nobody is active."""


class Frames(Task, frozen=True):
    """These clans resolve the frame of the active clan's card."""

    clans: tuple[int, ...]
    script: str


class Perform(Task, frozen=True):
    """A list of effects, from step `at` on. Below what it set off it stays until all is done."""

    clan: int
    script: str
    event: Event = NOTHING
    at: int = 0


class Fire(Task, frozen=True):
    """A trigger."""

    trigger: Trigger
    clan: int
    event: Event = NOTHING
    tactics: bool = True


class Window(Task, frozen=True):
    """A seat may use these abilities, and play a tactic card if `tactic`."""

    clan: int
    trigger: Trigger
    event: Event
    abilities: tuple[str, ...]
    tactic: bool


class Response(Record, frozen=True, array_like=True):
    """A seat's hidden answer to a window."""

    clan: int
    tactic: Tactic | None = None
    boosted: bool = False


class Responding(Task, frozen=True):
    """Several seats may play a tactic card at once; NATURE shows the answers."""

    trigger: Trigger
    clans: tuple[int, ...]
    events: tuple[Event, ...]
    answers: tuple[Response, ...] = ()


class Moving(Task, frozen=True):
    """Clerks are moved; `arrived` counts by location those that this effect has moved."""

    clan: int
    left: int
    distinct: bool
    arrived: tuple[int, ...]


class Choosing(Task, frozen=True):
    """One of the lists of a `Choose` effect, which is step `at` of a script."""

    clan: int
    script: str
    at: int
    event: Event


class Copying(Task, frozen=True):
    """Another's card on the track."""

    clan: int
    left: int = 1


class Advancing(Task, frozen=True):
    """Advanced activations."""

    clan: int
    left: int


class ActivationStep(Task, frozen=True):
    """The activation step, before its list is made."""


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


class Gathering(Task, frozen=True):
    """Everybody gathers at a production location."""

    location: Location
    clans: tuple[int, ...]


class Leaving(Task, frozen=True):
    """The clerks go home."""

    location: Location


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


class Taking(Task, frozen=True):
    """Resources of choice."""

    clan: int
    left: int
    kinds: tuple[Resource, ...]
    different: bool = False


class Losing(Task, frozen=True):
    """A resource of choice is lost."""

    clan: int
    left: int


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


class Shaming(Task, frozen=True):
    """A seat takes a shame token."""

    clan: int


class Returning(Task, frozen=True):
    """Shame may be returned, at `price` chi each."""

    clan: int
    left: int
    price: int


class Reclaiming(Task, frozen=True):
    """Discarded command cards may be taken back."""

    clan: int
    left: int


class Sweeping(Task, frozen=True):
    """The command track is cleared."""


class Counting(Task, frozen=True):
    """These clans take their discarded command cards back, or score them."""

    clans: tuple[int, ...]


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


class Shooting(Task, frozen=True):
    """The archers of a clan shoot in a section."""

    clan: int
    section: Section


class Assaulting(Task, frozen=True):
    """NATURE assaults a section; a worker plays it. First its hordes' abilities, if not `begun`."""

    section: Section
    begun: bool = False


class Aftermath(Task, frozen=True):
    """Barricades go; the match may end."""


AnyTask: TypeAlias = Union[  # noqa: UP007  # a long list reads better so
    Begin,
    SettingOut,
    Invading,
    Leading,
    Unveiling,
    Promoting,
    Refilling,
    Drawing,
    Discarding,
    Commanding,
    Revealing,
    Placing,
    SoloDraw,
    Turn,
    EndTurn,
    Frames,
    Perform,
    Fire,
    Window,
    Responding,
    Moving,
    Choosing,
    Copying,
    Advancing,
    ActivationStep,
    Activating,
    Visit,
    Serving,
    Accepting,
    Gathering,
    Leaving,
    Upgrading,
    Yielding,
    Donating,
    Recruiting,
    Mustering,
    Attacking,
    LastWounds,
    Wounding,
    Taking,
    Losing,
    Building,
    Stocking,
    Paying,
    Hiring,
    Dismissing,
    Marching,
    Shaming,
    Returning,
    Reclaiming,
    Sweeping,
    Counting,
    DefeatCheck,
    Defeat,
    Killing,
    Dooming,
    Saving,
    Shooting,
    Assaulting,
    Aftermath,
]
