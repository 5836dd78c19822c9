"""Spring (R3): the year goes on, hordes come, the advisor track moves."""

from __future__ import annotations

from typing import Self

from msgspec.structs import replace

from services.gamekit.chance import Chance
from services.gamekit.game import IllegalAction, NatureMove, Seat
from services.great_wall.cards.advisors import Advisor
from services.great_wall.cards.board import HORDE_ROWS, TRACK
from services.great_wall.cards.hordes import SECTION_OF, HordeCard
from services.great_wall.field import with_rows
from services.great_wall.goods import AT, Section
from services.great_wall.piles import dealt, drawn
from services.great_wall.state import (
    Horde,
    State,
    instead,
    joined,
    pop,
    top,
    with_clan,
    without,
)
from services.great_wall.tasks import AnyTask
from services.great_wall.tasks.seasons import Begin, Invading, Promoting, Refilling
from services.great_wall.tasks.task import Phase

DISCARDED = 2
"""Advisors that leave the track each spring."""


def begin_spring(state: State) -> State:
    """A new year: hordes, then advisors, then summer."""
    year = state.year + 1
    gone = state.advisor_track[:DISCARDED]
    hordes: list[AnyTask] = [Invading()] * state.setup.years[year - 1].new_hordes
    state = replace(state, year=year, phase=Phase.SPRING)
    state = replace(state, advisor_track=state.advisor_track[DISCARDED:])
    advisors: list[AnyTask] = [Refilling()]
    if state.setup.automated_general and gone:
        advisors.insert(0, Promoting(gone))
    else:
        discard = joined(state.advisor_discard, gone)
        state = replace(state, advisor_discard=discard)
    return instead(state, *hordes, *advisors, Begin(Phase.SUMMER))


def invade(state: State, _task: Invading) -> State:
    """NATURE places a horde, unless there is none left anywhere (R3.3)."""
    return state if state.horde_deck or state.horde_discard else pop(state)


def stocked(state: State) -> tuple[tuple[HordeCard, ...], Section | None]:
    """The deck to draw from, its discards shuffled in when it is empty; and its known back."""
    if state.horde_deck:
        return state.horde_deck, state.back
    return state.horde_discard, None


def destination(state: State, indicator: Section) -> Section | None:
    """Where the next horde goes (R3.2): an empty section, else the one indicated; None: a raid."""
    for section in state.setup.sections:
        if not state.hordes[AT[section]]:
            return section
    return indicator if len(state.hordes[AT[indicator]]) < HORDE_ROWS else None


class Invade(NatureMove[State], frozen=True):
    """The top horde card is turned, then the next back shows where it goes.

    No `back`: the deck is empty. No `section`: a raid, the card is discarded.
    """

    card: HordeCard
    back: Section | None
    section: Section | None

    @classmethod
    def resolve(cls, state: State, chance: Chance) -> Self:
        deck, back = stocked(state)
        label = f"horde/{state.hordes_drawn}"
        if back is None:
            back = chance.draw(f"{label}/back", [SECTION_OF[card] for card in deck])
        faces = [card for card in deck if SECTION_OF[card] is back]
        card = chance.draw(f"{label}/face", faces)
        left = without(deck, card)
        after = None
        if left:
            backs = [SECTION_OF[one] for one in left]
            after = chance.draw(f"horde/{state.hordes_drawn + 1}/back", backs)
        return cls(card, after, destination(state, after or SECTION_OF[card]))

    def check(self, state: State, seat: Seat) -> None:
        deck, back = stocked(state)
        if self.card not in deck or back not in (None, SECTION_OF[self.card]):
            raise IllegalAction("wrong_face")
        backs: list[Section | None] = [SECTION_OF[card] for card in without(deck, self.card)]
        if self.back not in (backs or [None]):
            raise IllegalAction("wrong_back")
        if self.section != destination(state, self.back or SECTION_OF[self.card]):
            raise IllegalAction("wrong_section")

    def apply(self, state: State, seat: Seat) -> State:
        deck, _ = stocked(state)
        state = replace(
            instead(state),
            horde_deck=without(deck, self.card),
            horde_discard=state.horde_discard if state.horde_deck else (),
            back=self.back,
            indicator=self.back or SECTION_OF[self.card],
            hordes_drawn=state.hordes_drawn + 1,
        )
        if self.section is None:
            return raided(state, self.card)
        at = AT[self.section]
        return with_rows(state, at, (*state.hordes[at], Horde(self.card)))


def raided(state: State, card: HordeCard) -> State:
    """A token a human leaves the game, as far as there are any."""
    pool = max(0, state.shame_pool - state.seats)
    return replace(state, shame_pool=pool, horde_discard=joined(state.horde_discard, (card,)))


def refill(state: State, _task: Refilling) -> State:
    """NATURE refills the track, unless it is full or no card is left."""
    there = state.advisor_deck or state.advisor_discard
    return state if there and len(state.advisor_track) < TRACK else pop(state)


class RefillTrack(NatureMove[State], frozen=True):
    """Advisors fill the track up to four, from its right (R3.4)."""

    advisors: tuple[Advisor, ...]

    @classmethod
    def resolve(cls, state: State, chance: Chance) -> Self:
        label = f"advisor/{state.advisors_drawn}"
        lacking = TRACK - len(state.advisor_track)
        return cls(tuple(drawn(chance, label, state.advisor_deck, state.advisor_discard, lacking)))

    def check(self, state: State, seat: Seat) -> None:
        there = len(state.advisor_deck) + len(state.advisor_discard)
        if len(self.advisors) != min(TRACK - len(state.advisor_track), there):
            raise IllegalAction("wrong_size")
        if dealt(state.advisor_deck, state.advisor_discard, self.advisors) is None:
            raise IllegalAction("not_in_deck")

    def apply(self, state: State, seat: Seat) -> State:
        piles = dealt(state.advisor_deck, state.advisor_discard, self.advisors)
        assert piles is not None
        return replace(
            instead(state),
            advisor_track=state.advisor_track + self.advisors,
            advisor_deck=piles[0],
            advisor_discard=piles[1],
            advisors_drawn=state.advisors_drawn + len(self.advisors),
        )


class Promote(NatureMove[State], frozen=True):
    """One of the discarded advisors supports the automated general (R15.6)."""

    advisor: Advisor

    @classmethod
    def resolve(cls, state: State, chance: Chance) -> Self:
        return cls(chance.draw(f"promotion/{state.year}", top(state, Promoting).advisors))

    def check(self, state: State, seat: Seat) -> None:
        if self.advisor not in top(state, Promoting).advisors:
            raise IllegalAction("not_discarded", advisor=self.advisor)

    def apply(self, state: State, seat: Seat) -> State:
        gone = without(top(state, Promoting).advisors, self.advisor)
        discard = joined(state.advisor_discard, gone)
        general = state.clans[state.qin]
        general = replace(general, supporting=(*general.supporting, self.advisor))
        state = replace(instead(state), advisor_discard=discard)
        return with_clan(state, state.qin, general)
