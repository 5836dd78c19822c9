"""A game is a set of pure functions over frozen values: no clock, no socket, no dice."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Generic, NewType, Protocol, Self, TypeVar

from services.gamekit.chance import Chance
from services.gamekit.record import Record as Record  # noqa: PLC0414 # authors find it here

Seat = NewType("Seat", int)
"""A place at the table, 0-based."""

NATURE = Seat(-1)
"""The environment is a seat too: draws, reveals and resolutions are its moves."""


class Refusal(Exception):
    """What the rules do not allow: a stable snake_case `code` and public details."""

    def __init__(self, code: str, **detail: str | int) -> None:
        super().__init__(code)
        self.code = code
        self.detail = detail

    def __str__(self) -> str:
        facts = ", ".join(f"{key}={value}" for key, value in self.detail.items())
        return f"{self.code} ({facts})" if facts else self.code


class IllegalAction(Refusal):
    """An action that the position does not allow."""


class IllegalOptions(Refusal):
    """Match options that the game does not offer; `field` among the details names the culprit."""


S = TypeVar("S", bound=Record)


def snake(name: str) -> str:
    """`FillBox` -> `fill_box`: the name of an action on the wire and in a record."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


class Action(Record, Generic[S], frozen=True, tag_field="kind", tag=snake):
    """One kind of move: its fields, what may be tried, its guards and its consequence."""

    @classmethod
    @abstractmethod
    def candidates(cls, state: S, seat: Seat) -> Iterator[Self]:
        """Every instance that `check` could accept (a superset is fine), in a stable order.

        It may depend only on what `seat` can see.
        """
        raise NotImplementedError

    @abstractmethod
    def check(self, state: S, seat: Seat) -> None:
        """Raise `IllegalAction` unless `seat` may do this now. Reads only; may see anything."""

    @abstractmethod
    def apply(self, state: S, seat: Seat) -> S:
        """The consequence, after `check` has passed. Never fails."""
        raise NotImplementedError

    def shown(self, actor: Seat, viewer: Seat | None) -> Self:
        """This action as `viewer` may see it (None is a spectator).

        A secret choice overrides it and blanks its secret fields for everyone but `actor`.
        """
        return self


class NatureMove(Action[S], frozen=True):
    """A move of NATURE: a draw, a reveal of simultaneous secrets, or a resolution."""

    @classmethod
    @abstractmethod
    def resolve(cls, state: S, chance: Chance) -> Self:
        """The one move that `chance` and the position make due. Pure."""
        raise NotImplementedError

    @classmethod
    def candidates(cls, state: S, seat: Seat) -> Iterator[Self]:
        """Nothing is chosen: NATURE's move comes from `resolve`."""
        return iter(())


class Decision(Record, frozen=True):
    """An open question: `seat` must answer `prompt` with one of the game's moves for it.

    `about` is a public word on what a response window responds to; standing answers test it.
    """

    seat: Seat
    prompt: str
    about: str = ""


class ScoreLine(Record, frozen=True):
    """One line of a score sheet: `points` for `key`, with the public reason in `detail`."""

    key: str
    points: int
    detail: str = ""


class ScoreSheet(Record, frozen=True):
    """A seat's score, line by line; `total` is the sum unless the rules cap it."""

    seat: Seat
    lines: tuple[ScoreLine, ...]
    total: int


class Place(Record, frozen=True):
    """Where a seat finished: 1 is best, equal numbers are shared places.

    `decided_by` is "score" or the key of the tie-break that set this place apart from its
    neighbours, "shared" when nothing did.
    """

    seat: Seat
    place: int
    score: int
    decided_by: str = "score"


class Result(Record, frozen=True):
    """The end of a match: every seat once, in order of place. `outcome` is free text of the
    game for endings that places do not tell (a solo title, a campaign goal), or ""."""

    places: tuple[Place, ...]
    outcome: str = ""


class Options(Record, frozen=True):
    """A game's match options; every field has a default."""

    def check(self, seats: int) -> None:
        """Raise `IllegalOptions(code, field=..., ...)` unless these options fit `seats` seats."""


class Meta(Record, frozen=True):
    """What is said of a game before it starts."""

    key: str
    title: str
    min_seats: int
    max_seats: int
    rules_version: str
    deferred: tuple[str, ...] = ()
    """Prompts of NATURE that the host leaves to a worker."""
    windows: tuple[str, ...] = ()
    """Prompts that a seat may answer ahead of time by a standing answer."""
    retires: bool = False
    """Whether `retire` is ruled by the game; otherwise a bot plays on for a seat that leaves."""


class Game(Protocol[S]):
    """The rules of one game. `S` is its state."""

    meta: Meta
    State: type[S]
    View: type[Record]
    Options: type[Options]
    moves: Mapping[str, tuple[type[Action[Any]], ...]]
    """prompt -> the kinds of move that answer it; a kind may answer several prompts."""

    @abstractmethod
    def setup(self, seats: int, options: Any) -> S:
        """The position before anything is drawn. `options` has passed its `check`."""
        raise NotImplementedError

    @abstractmethod
    def decisions(self, state: S) -> tuple[Decision, ...]:
        """Every open question, in seat order; several at once are simultaneous play.

        At most one per seat. Empty only when the game is over.
        """
        raise NotImplementedError

    @abstractmethod
    def advance(self, state: S) -> S:
        """Close each phase whose work is done. Idempotent; no chance, no choice."""
        raise NotImplementedError

    @abstractmethod
    def view(self, state: S, seat: Seat | None) -> Record:
        """What `seat` sees (None: a spectator), built up from an allow-list."""
        raise NotImplementedError

    @abstractmethod
    def imagine(self, state: S, seat: Seat | None, chance: Chance) -> S:
        """A position equal in all that `seat` sees, the rest drawn anew from `chance`."""
        raise NotImplementedError

    @abstractmethod
    def score(self, state: S) -> tuple[ScoreSheet, ...]:
        """The score sheets as they stand, at any time; public lines only until the game ends."""
        raise NotImplementedError

    @abstractmethod
    def result(self, state: S) -> Result | None:
        """The places, once the game is over."""
        raise NotImplementedError

    def retire(self, state: S, seat: Seat) -> S:
        """`seat` leaves for good. Called only where `meta.retires`."""
        raise IllegalAction("cannot_retire")

    def evaluate(self, state: S, seat: Seat) -> float:
        """How well `seat` stands, for bots: larger is better, any scale."""
        sheets = self.score(state)
        best = max((sheet.total for sheet in sheets if sheet.seat != seat), default=0)
        return float(sheets[seat].total - best)

    def default(self, state: S, seat: Seat) -> Action[S] | None:
        """What the rules say that `seat` plays when its time runs out, legal and by what the seat
        sees; None leaves the open question to the bot that takes over."""
        return None

    def tale(self, state: S) -> Record | None:
        """What simulations keep of a match that is over, for `figures`; None: nothing."""
        return None

    def figures(self, tales: Sequence[Any]) -> dict[str, Any]:
        """What many matches come to besides scores and lengths, by name: numbers, or numbers by
        name. `tales` holds what `tale` kept of each."""
        return {}
