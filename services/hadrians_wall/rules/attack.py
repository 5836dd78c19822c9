"""The Picts attack: common cards, each seat for itself (section 6)."""

from __future__ import annotations

from typing import Self

from msgspec.structs import replace

from services.gamekit.chance import Chance
from services.gamekit.game import IllegalAction, NatureMove, Record, Seat
from services.hadrians_wall.cards import FATE
from services.hadrians_wall.effects import VALOUR
from services.hadrians_wall.forts import FORTS
from services.hadrians_wall.goods import COHORT_FIELD, EVERY_COHORT, Cohort, Difficulty
from services.hadrians_wall.resolve import Draft, resolve
from services.hadrians_wall.rules import fate
from services.hadrians_wall.rules.diplomats import FAVOUR_FIELD
from services.hadrians_wall.state import Phase, Sheet, State
from services.hadrians_wall.tracks import YEARS

POTENTIAL = (1, 2, 2, 3, 3, 4)
"""The most disdain, and the most valour, that each year's attack can bring."""

ATTACK_CARDS = {
    Difficulty.EASY: (1, 2, 3, 4, 6, 8),
    Difficulty.NORMAL: (1, 2, 4, 6, 8, 10),
    Difficulty.HARD: (1, 3, 5, 7, 9, 12),
}
"""The cards of each year's attack."""


class Front(Record, frozen=True):
    """The attack on one cohort of a seat: what comes, what holds, and what gets through.

    `temple` and `diplomat` are how many of those cards favours of each kind could cancel.
    """

    cohort: Cohort
    cards: int
    defence: int
    through: int
    temple: int
    diplomat: int


class Claim(Record, frozen=True):
    """What an attack does to one seat, if it spends no favour. `own_cards` hit nobody else."""

    seat: Seat
    own_cards: tuple[int, ...]
    fronts: tuple[Front, ...]
    disdain: int
    valour: int


def cards_due(state: State) -> int:
    """How many common cards attack this year."""
    table = ATTACK_CARDS[state.options.difficulty][state.year - 1]
    return table + FORTS[state.options.campaign].attack_cards + state.pieces


def shares(state: State, cards: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The common cards, and then each seat's own, of one draw in that order."""
    found, start = [], 0
    for due in (cards_due(state), *(sheet.alarms for sheet in state.sheets)):
        found.append(cards[start : start + due])
        start += due
    return found


def total_due(state: State) -> int:
    """How many cards are drawn in all: what is due, as far as pile and discard have it."""
    due = cards_due(state) + sum(sheet.alarms for sheet in state.sheets)
    return min(due, len(state.pile) + len(state.discard))


def front(sheet: Sheet, cohort: Cohort, coming: int) -> Front:
    """The attack of so many cards on one cohort."""
    defence: int = getattr(sheet, COHORT_FIELD[cohort])
    through = max(0, coming - defence)
    diplomat = min(getattr(sheet, FAVOUR_FIELD[cohort]), through)
    return Front(cohort, coming, defence, through, min(sheet.favours, through), diplomat)


def outcome(year: int, through: int) -> tuple[int, int]:
    """(disdain, valour) for what got through, both bounded by the year's potential."""
    potential = POTENTIAL[year - 1]
    return min(through, potential), max(0, potential - through)


def claims(state: State, cards: tuple[int, ...]) -> tuple[Claim, ...]:
    """What a draw of `cards` does to each seat."""
    common, *own = shares(state, cards)
    found = []
    for seat, (sheet, extra) in enumerate(zip(state.sheets, own, strict=True)):
        directions = [FATE[card].direction for card in common + extra]
        fronts = tuple(front(sheet, one, directions.count(one)) for one in EVERY_COHORT)
        through = sum(one.through for one in fronts)
        found.append(Claim(Seat(seat), extra, fronts, *outcome(state.year, through)))
    return tuple(found)


class Attack(NatureMove[State], frozen=True):
    """Draw the cards of the year's attack, and say what they do to every seat."""

    cards: tuple[int, ...]
    """The common ones; a seat's own are in its claim."""
    claims: tuple[Claim, ...]

    @classmethod
    def resolve(cls, state: State, chance: Chance) -> Self:
        cards = fate.draw(state, chance, total_due(state))
        return cls(shares(state, cards)[0], claims(state, cards))

    def drawn(self) -> tuple[int, ...]:
        """Every card, in the order in which they were drawn."""
        return sum((claim.own_cards for claim in self.claims), self.cards)

    def check(self, state: State, seat: Seat) -> None:
        cards = self.drawn()
        if len(cards) != total_due(state) or len(self.cards) != len(shares(state, cards)[0]):
            raise IllegalAction("wrong_size", due=total_due(state))
        fate.without(state, cards)
        if self.claims != claims(state, cards):
            raise IllegalAction("wrong_claims")

    def apply(self, state: State, seat: Seat) -> State:
        struck = zip(state.sheets, self.claims, strict=True)
        sheets = tuple(attacked(sheet, claim) for sheet, claim in struck)
        state = fate.without(state, self.drawn())
        return replace(state, sheets=sheets, attack=self.cards, phase=Phase.FAVOURS)


def attacked(sheet: Sheet, claim: Claim) -> Sheet:
    """A sheet under attack: it may spend favours as long as one of them could help."""
    left, centre, right = claim.fronts
    return replace(
        sheet,
        alarms=0,
        own_attack=claim.own_cards,
        through=(left.through, centre.through, right.through),
        facing=any(one.temple or one.diplomat for one in claim.fronts),
    )


def settled(state: State) -> State:
    """The attack is over: disdain or valour, and on to the next year or the end."""
    spent = sum((sheet.own_attack for sheet in state.sheets), state.attack)
    last = state.year == YEARS
    return replace(
        state,
        sheets=tuple(judged(sheet, state.year) for sheet in state.sheets),
        discard=state.discard + spent,
        attack=(),
        neutral=(),
        neutral_used=state.neutral_used + state.neutral,
        pieces=0,
        fate=state.fate if last else -1,
        year=state.year if last else state.year + 1,
        phase=Phase.OVER if last else Phase.FATE,
    )


def judged(sheet: Sheet, year: int) -> Sheet:
    """A sheet after an attack. Valour pays at once, and what it brings is kept."""
    disdain, valour = outcome(year, sum(sheet.through))
    draft = Draft(sheet)
    draft["disdain"] += disdain
    for _ in range(valour):
        resolve(draft, VALOUR)
    draft.update(passed=False, own_attack=(), through=(0, 0, 0), facing=False)
    return draft.done()
