"""The year: setting out, spring, summer, fall with its turns, winter (R1, R3 - R5, R12)."""

from __future__ import annotations

from services.great_wall.cards.advisors import Advisor
from services.great_wall.goods import Section
from services.great_wall.tasks.task import Phase, Task


class Begin(Task, frozen=True):
    """A season."""

    phase: Phase


class SettingOut(Task, frozen=True):
    """NATURE lays out what is face up, and deals generals and advisors."""


class Leading(Task, frozen=True):
    """Everybody chooses a general and an active advisor."""


class Unveiling(Task, frozen=True):
    """NATURE shows these choices."""


class Invading(Task, frozen=True):
    """NATURE places a horde."""


class Promoting(Task, frozen=True):
    """NATURE gives the automated general one of the discarded advisors."""

    advisors: tuple[Advisor, ...]


class Refilling(Task, frozen=True):
    """NATURE refills the advisor track."""


class Sweeping(Task, frozen=True):
    """The command track is cleared."""


class Counting(Task, frozen=True):
    """These clans take their discarded command cards back, or score them."""

    clans: tuple[int, ...]


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


class Frames(Task, frozen=True):
    """These clans resolve the frame of the active clan's card."""

    clans: tuple[int, ...]
    script: str


class ActivationStep(Task, frozen=True):
    """The activation step, before its list is made."""


class EndTurn(Task, frozen=True):
    """Nobody is active."""


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
