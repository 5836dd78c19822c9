"""The temples (section 4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from services.gamekit.game import Action, IllegalAction, Seat
from services.hadrians_wall.goods import EVERY_WORKER, Worker
from services.hadrians_wall.resolve import Draft, gain
from services.hadrians_wall.state import State
from services.hadrians_wall.tracks import TEMPLES


class FillTemple(Action[State], frozen=True):
    """Any worker in the next box: row by row, the small temple first, the large one last."""

    worker: Worker

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        if state.sheets[seat].temples:
            for worker in EVERY_WORKER:
                yield cls(worker)

    def check(self, state: State, seat: Seat) -> None:
        sheet = state.sheets[seat]
        if sheet.temple_boxes >= len(TEMPLES):
            raise IllegalAction("track_complete", track="temples")
        pew = TEMPLES[sheet.temple_boxes]
        if sheet.temples < pew.temple:
            raise IllegalAction("not_built", building="temple", size=pew.temple)
        if sheet.priests < pew.level:
            raise IllegalAction("needs_citizens", track="priests", level=pew.level)
        if not getattr(sheet, self.worker):
            raise IllegalAction("cannot_afford", **{self.worker: 1})

    def apply(self, state: State, seat: Seat) -> State:
        draft = Draft(state.sheets[seat])
        draft[self.worker] -= 1
        draft["temple_boxes"] += 1
        gain(draft, TEMPLES[draft.sheet.temple_boxes].gain)
        return draft.into(state, seat)
