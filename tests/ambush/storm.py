"""The storm at a round's end: the one move of NATURE that the host leaves to a worker."""

from __future__ import annotations

from typing import Self

from msgspec.structs import replace

from services.gamekit.chance import Chance
from services.gamekit.game import IllegalAction, NatureMove, Record, Seat
from tests.ambush.cards import HORDE, Face
from tests.ambush.nature import struck
from tests.ambush.state import Phase, State

WORST = 3
"""Losses that one storm can cost a camp."""


class Strike(Record, frozen=True):
    """What hits one camp: its die, and the losses that follow from it."""

    seat: Seat
    roll: int
    losses: int


class Storm(NatureMove[State], frozen=True):
    """Place the horde card face up and strike every camp. `check` counts the losses again."""

    face: Face
    strikes: tuple[Strike, ...]

    @classmethod
    def resolve(cls, state: State, chance: Chance) -> Self:
        face = chance.draw(f"horde/{state.round}/face", faces(state))
        rolls = {seat: chance.die(f"die/{state.round}/{seat}/storm/1") for seat in state.active()}
        return cls(
            face,
            tuple(
                Strike(seat, roll, losses(state, face, seat, roll)) for seat, roll in rolls.items()
            ),
        )

    def check(self, state: State, seat: Seat) -> None:
        if self.face not in faces(state):
            raise IllegalAction("wrong_face")
        if tuple(strike.seat for strike in self.strikes) != state.active():
            raise IllegalAction("wrong_seats")
        for strike in self.strikes:
            if not 1 <= strike.roll <= 6:
                raise IllegalAction("no_such_roll", seat=strike.seat)
            if strike.losses != losses(state, self.face, strike.seat, strike.roll):
                raise IllegalAction("wrong_losses", seat=strike.seat)

    def apply(self, state: State, seat: Seat) -> State:
        for strike in self.strikes:
            state = struck(state, strike.seat, strike.losses)
        horde = tuple(face for face in state.horde if face != self.face)
        return replace(state, horde=horde, face=self.face, back=None, phase=Phase.LOSSES)


def faces(state: State) -> list[Face]:
    """What the back on the table may turn out to be."""
    return [face for face in state.horde if HORDE[face][0] == state.back]


def losses(state: State, face: Face, seat: Seat, roll: int) -> int:
    """The losses of a camp: strength and a third of the die over guards and shield."""
    camp = state.camps[seat]
    force = HORDE[face][1] + state.options.hard + roll // 3
    return max(0, min(WORST, force - camp.guards.total() - camp.braced))
