"""What is laid out and dealt before the first fall (R1.2 - R1.4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from msgspec.structs import replace

from services.gamekit.chance import Chance
from services.gamekit.game import IllegalAction, NatureMove, Record, Seat
from services.great_wall.cards.advisors import Advisor
from services.great_wall.cards.artifacts import Artifact
from services.great_wall.cards.board import ARTIFACTS_IN_PLAY, QIN_ADVISORS, QIN_TRACK, TRACK
from services.great_wall.cards.generals import General
from services.great_wall.cards.hordes import SECTION_OF
from services.great_wall.goods import Location, Section
from services.great_wall.state import State, instead, with_clan, without

DEALT = 2
"""Generals and advisors dealt to each seat."""


class Dealt(Record, frozen=True):
    """What a seat may choose from; everybody sees it."""

    seat: Seat
    generals: tuple[General, ...]
    advisors: tuple[Advisor, ...]


class SetOut(NatureMove[State], frozen=True):
    """Lay out artifacts and advisors, show the first horde's back, deal to every seat."""

    artifacts: tuple[Artifact, ...]
    back: Section
    dealt: tuple[Dealt, ...]
    advisors: tuple[Advisor, ...]
    general_advisors: tuple[Advisor, ...]
    location_track: tuple[Location, ...]

    @classmethod
    def resolve(cls, state: State, chance: Chance) -> Self:
        artifacts = chance.deal("artifact", Artifact, ARTIFACTS_IN_PLAY)
        back = chance.draw("horde/0/back", [SECTION_OF[card] for card in state.horde_deck])
        generals, deck = tuple(General), state.advisor_deck
        dealt = []
        for seat in range(state.seats):
            two = chance.deal(f"general/{seat}", generals, DEALT)
            own = chance.deal(f"advisor/seat/{seat}", deck, DEALT)
            generals, deck = without(generals, *two), without(deck, *own)
            dealt.append(Dealt(Seat(seat), two, own))
        track = chance.deal("advisor/track", deck, TRACK)
        his: tuple[Advisor, ...] = ()
        places: tuple[Location, ...] = ()
        if state.setup.automated_general:
            his = chance.deal("advisor/general", without(deck, *track), QIN_ADVISORS)
            places = chance.deal("location", QIN_TRACK, len(QIN_TRACK))
        return cls(tuple(sorted(artifacts)), back, tuple(dealt), track, his, places)

    def check(self, state: State, seat: Seat) -> None:
        advisors = [card for hand in self.dealt for card in hand.advisors]
        generals = [card for hand in self.dealt for card in hand.generals]
        alone = state.setup.automated_general
        if [hand.seat for hand in self.dealt] != list(range(state.seats)):
            raise IllegalAction("wrong_seats")
        distinct(self.artifacts, ARTIFACTS_IN_PLAY)
        distinct(generals, DEALT * state.seats)
        distinct(advisors, DEALT * state.seats)
        distinct(
            (*self.advisors, *advisors, *self.general_advisors),
            TRACK + DEALT * state.seats + (QIN_ADVISORS if alone else 0),
        )
        if sorted(self.location_track) != (sorted(QIN_TRACK) if alone else []):
            raise IllegalAction("wrong_locations")
        if len(self.advisors) != TRACK or self.back not in state.setup.sections:
            raise IllegalAction("wrong_size")

    def apply(self, state: State, seat: Seat) -> State:
        gone = [card for hand in self.dealt for card in hand.advisors]
        gone += [*self.advisors, *self.general_advisors]
        state = replace(
            instead(state),
            artifacts=self.artifacts,
            back=self.back,
            indicator=self.back,
            advisor_track=self.advisors,
            advisor_deck=without(state.advisor_deck, *gone),
            location_track=self.location_track,
        )
        for hand in self.dealt:
            clan = state.clans[hand.seat]
            clan = replace(clan, generals=hand.generals, advisors=hand.advisors)
            state = with_clan(state, hand.seat, clan)
        if state.setup.automated_general:
            general = replace(state.clans[state.qin], supporting=self.general_advisors)
            state = with_clan(state, state.qin, general)
        return state


def distinct(cards: Sequence[str], count: int) -> None:
    """Refuse a deal of another size, or of a card twice."""
    if not len(set(cards)) == len(cards) == count:
        raise IllegalAction("wrong_size")
