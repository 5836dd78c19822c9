"""Windows of several seats: all answer at once and unseen, then the cards are shown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from msgspec.structs import replace

from services.gamekit.chance import Chance
from services.gamekit.game import Action, IllegalAction, NatureMove, Record, Seat
from services.great_wall.cards.tactics import IN_WINDOW, Tactic
from services.great_wall.rules.tactics import check_play, played
from services.great_wall.state import State, pop, push, top
from services.great_wall.tasks import AnyTask
from services.great_wall.tasks.cards import Fire, Responding, Response
from services.great_wall.tasks.task import Event
from services.great_wall.windows import asked_of


def event_of(task: Responding, clan: int) -> Event:
    """What a seat responds to."""
    return task.events[task.clans.index(clan)]


def waiting(state: State, task: Responding) -> list[int]:
    """The seats that have not answered."""
    given = {answer.clan for answer in task.answers}
    return [clan for clan in asked_of(state, task) if clan not in given]


class Respond(Action[State], frozen=True):
    """Play a tactic card into a window of several seats, or pass: no card.

    Until all have answered, others see an answer without its card, like a pass.
    """

    tactic: Tactic | None
    boosted: bool

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        yield cls(None, False)
        task = top(state, Responding)
        for tactic in state.clans[seat].tactics:
            if tactic in IN_WINDOW[task.trigger]:
                yield cls(tactic, False)
                yield cls(tactic, True)

    def check(self, state: State, seat: Seat) -> None:
        task = top(state, Responding)
        if self.tactic is None:
            if self.boosted:
                raise IllegalAction("nothing_to_boost")
            return
        event = event_of(task, seat)
        check_play(state, seat, self.tactic, self.boosted, task.trigger, event)

    def apply(self, state: State, seat: Seat) -> State:
        task = top(state, Responding)
        given = (*task.answers, Response(seat, self.tactic, self.boosted))
        answers = tuple(sorted(given, key=lambda one: one.clan))
        return push(pop(state), replace(task, answers=answers))

    def shown(self, actor: Seat, viewer: Seat | None) -> Respond:
        return self if viewer == actor else Respond(None, False)


class Shown(Record, frozen=True):
    """A tactic card that a seat has played."""

    seat: Seat
    tactic: Tactic
    boosted: bool


class RevealResponses(NatureMove[State], frozen=True):
    """All answers to a window are shown; the cards are resolved in tea order."""

    plays: tuple[Shown, ...]

    @classmethod
    def resolve(cls, state: State, chance: Chance) -> Self:
        answers = top(state, Responding).answers
        return cls(
            tuple(Shown(Seat(one.clan), one.tactic, one.boosted) for one in answers if one.tactic)
        )

    def check(self, state: State, seat: Seat) -> None:
        if self != self.resolve(state, Chance(b"")):
            raise IllegalAction("wrong_answers")

    def apply(self, state: State, seat: Seat) -> State:
        task = top(state, Responding)
        state = pop(state)
        plays = {one.seat: one for one in self.plays}
        tasks: list[AnyTask] = []
        for clan, event in zip(task.clans, task.events, strict=True):
            play = plays.get(Seat(clan))
            if play:
                answer = Response(clan, play.tactic, play.boosted)
                state, done = played(state, answer, task.trigger, event)
                tasks += done
            tasks.append(Fire(task.trigger, clan, event, tactics=False))
        return push(state, *tasks)
