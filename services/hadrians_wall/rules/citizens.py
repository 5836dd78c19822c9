"""Citizens, and the forum where workers change their trade (sections 3 and 4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from services.gamekit.game import Action, IllegalAction, Seat
from services.hadrians_wall.goods import EVERY_CITIZEN, Citizen, Worker
from services.hadrians_wall.resolve import Draft, join
from services.hadrians_wall.state import State
from services.hadrians_wall.tracks import CITIZEN_BOXES, FORUM_BOXES


class FillCitizen(Action[State], frozen=True):
    """A civilian becomes a citizen: fill the next box of a track."""

    citizen: Citizen

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        if state.sheets[seat].civilian:
            for citizen in EVERY_CITIZEN:
                yield cls(citizen)

    def check(self, state: State, seat: Seat) -> None:
        sheet = state.sheets[seat]
        if not sheet.civilian:
            raise IllegalAction("cannot_afford", civilian=1)
        if getattr(sheet, self.citizen) >= CITIZEN_BOXES:
            raise IllegalAction("track_complete", track=self.citizen)

    def apply(self, state: State, seat: Seat) -> State:
        draft = Draft(state.sheets[seat])
        draft["civilian"] -= 1
        join(draft, self.citizen)
        return draft.into(state, seat)


TRADES = (Worker.BUILDER, Worker.SERVANT, Worker.CIVILIAN)
"""The workers that the forum knows."""

PAIRS = (
    (2, 0, 0, Worker.SERVANT),
    (2, 0, 0, Worker.CIVILIAN),
    (0, 2, 0, Worker.BUILDER),
    (0, 2, 0, Worker.CIVILIAN),
    (0, 0, 2, Worker.BUILDER),
    (0, 0, 2, Worker.SERVANT),
    (1, 1, 0, Worker.CIVILIAN),
    (1, 0, 1, Worker.SERVANT),
    (0, 1, 1, Worker.BUILDER),
)


class UseForum(Action[State], frozen=True):
    """Once a year: two workers, none a soldier, for one of a kind that was not among them."""

    builders: int
    servants: int
    civilians: int
    take: Worker

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        sheet = state.sheets[seat]
        if state.year not in sheet.forum:
            for pair in PAIRS:
                builders, servants, civilians, _ = pair
                if (
                    sheet.builder >= builders
                    and sheet.servant >= servants
                    and sheet.civilian >= civilians
                ):
                    yield cls(*pair)

    def check(self, state: State, seat: Seat) -> None:
        sheet = state.sheets[seat]
        paid = (self.builders, self.servants, self.civilians)
        if (
            sheet.builder < self.builders
            or sheet.servant < self.servants
            or sheet.civilian < self.civilians
        ):
            raise IllegalAction("cannot_afford")
        if min(paid) < 0 or sum(paid) != 2:
            raise IllegalAction("pay_two_workers")
        if self.take not in TRADES or paid[TRADES.index(self.take)]:
            raise IllegalAction("wrong_worker", worker=self.take)
        if state.year in sheet.forum:
            raise IllegalAction("once_a_year")
        if len(sheet.forum) >= FORUM_BOXES:
            raise IllegalAction("track_complete", track="forum")

    def apply(self, state: State, seat: Seat) -> State:
        draft = Draft(state.sheets[seat])
        draft["builder"] -= self.builders
        draft["servant"] -= self.servants
        draft["civilian"] -= self.civilians
        draft[self.take] += 1
        draft["forum"] += (state.year,)
        return draft.into(state, seat)
