"""Cards at work: lists of effects, windows, and what a card lets its owner choose (R0, R6, R18)."""

from __future__ import annotations

from services.gamekit.game import Record
from services.great_wall.cards.tactics import Tactic
from services.great_wall.goods import Resource
from services.great_wall.tasks.task import NOTHING, Event, Task
from services.great_wall.triggers import Trigger


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


class Reclaiming(Task, frozen=True):
    """Discarded command cards may be taken back."""

    clan: int
    left: int


class Drawing(Task, frozen=True):
    """NATURE deals tactic cards to a seat."""

    clan: int
    count: int


class Discarding(Task, frozen=True):
    """A hand above the limit."""

    clan: int


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
