"""Planning: sequences of a seat's own actions, the promising ones grown step by step."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import nlargest
from typing import Any, NamedTuple

from services.bots.policy import LONGEST, Sequence, goes_on
from services.gamekit.game import Action, Game, Seat
from services.gamekit.play import legal, open_decision

TAPER = 1 / 3
"""The part of the budget over which the width goes down to 1."""


class Budget:
    """What a search may spend, in positions looked at: the same on every machine."""

    def __init__(self, nodes: int) -> None:
        self.nodes = nodes
        self.left = nodes

    def spend(self, nodes: int = 1) -> bool:
        """Take some; whether any are left."""
        self.left -= nodes
        return self.left > 0

    def share(self) -> float:
        """The part that is left; 0 once all is spent."""
        return max(0.0, self.left / self.nodes)


class Line(NamedTuple):
    """A plan so far: the position that it leads to, and how it came there."""

    state: Any
    value: float
    length: int = 0
    action: Action[Any] | None = None
    before: Line | None = None

    def sequence(self) -> Sequence:
        """Its actions in order."""
        actions: list[Action[Any]] = []
        line: Line | None = self
        while line is not None and line.action is not None:
            actions.append(line.action)
            line = line.before
        return tuple(reversed(actions))


class Beam:
    """Grows plans of `seat` until it has no more to decide or NATURE must move.

    Plans that lead to the same position are one plan. `width` are kept after each step, fewer and
    fewer when the budget draws to its end; once it is spent only the best one is, so that it still
    comes to its end. What a game calls
    `follow_ups`, prompts of small choices that an action brings with it, is answered at once by
    the best answer and makes no step of its own.
    """

    def __init__(self, game: Game[Any], seat: Seat, width: int, budget: Budget) -> None:
        self.game = game
        self.seat = seat
        self.width = width
        self.budget = budget
        self.follow_ups: frozenset[str] = getattr(game, "follow_ups", frozenset())

    def plans(self, state: Any, most: int) -> list[Line]:
        """The `most` best plans, best first; never empty."""
        finished: list[Line] = []
        growing = [Line(state, 0.0)]
        while growing and growing[0].length < LONGEST:
            open_, closed = self._grown(growing)
            finished = nlargest(most, finished + closed, key=value_of)
            width = 1 + int((self.width - 1) * min(1.0, self.budget.share() / TAPER))
            growing = nlargest(width, open_, key=value_of)
        return finished or growing

    def _grown(self, lines: list[Line]) -> tuple[list[Line], list[Line]]:
        """Every line with one more action: those that go on, and those that end with it."""
        open_: list[Line] = []
        closed: list[Line] = []
        seen = set()
        for line in lines:
            for child in self._children(line):
                if child.state not in seen:
                    seen.add(child.state)
                    on = goes_on(self.game, child.state, self.seat)
                    (open_ if on else closed).append(child)
            if self.budget.left <= 0 and (open_ or closed):
                break
        return open_, closed

    def _children(self, line: Line) -> Iterator[Line]:
        for child in self._answers(line):
            yield self._followed(child) if self.follow_ups else child

    def _followed(self, line: Line) -> Line:
        """A line with its follow-ups answered."""
        while asked := open_decision(self.game, line.state, self.seat):
            if asked.prompt not in self.follow_ups:
                break
            line = max(self._answers(line), key=value_of)
        return line

    def _answers(self, line: Line) -> Iterator[Line]:
        game, seat = self.game, self.seat
        for action in legal(game, line.state, seat):
            state = game.advance(action.apply(line.state, seat))
            self.budget.spend()
            yield Line(state, game.evaluate(state, seat), line.length + 1, action, line)


def value_of(line: Line) -> float:
    """By what lines are compared."""
    return line.value
