"""Chapter 5: a hero takes its turn, rolls and walks."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Self

from msgspec.structs import replace

from services.altarion.board import NEIGHBOURS, WITHIN
from services.altarion.cards import HEROES, Ability
from services.altarion.state import Hero, Stage, State, Turn, with_hero, with_sheet
from services.altarion.tracks import STEPS
from services.gamekit.chance import Chance
from services.gamekit.game import Action, IllegalAction, NatureMove, Seat


class ChooseHero(Action[State], frozen=True):
    """Which of the own heroes has its turn next; each has one a round (5.3)."""

    hero: int

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        return (cls(hero.card) for hero in waiting(state, seat))

    def check(self, state: State, seat: Seat) -> None:
        hero = state.sheets[seat].hero(self.hero)
        if hero is None:
            raise IllegalAction("not_your_hero", hero=self.hero)
        if hero.acted:
            raise IllegalAction("hero_has_acted", hero=self.hero)

    def apply(self, state: State, seat: Seat) -> State:
        sheet = state.sheets[seat]
        hero = sheet.hero(self.hero)
        assert hero is not None
        stage = Stage.SPEND if hero.deposits else Stage.ROLL
        state = replace(state, turn=Turn(self.hero, stage))
        begun = replace(hero, acted=True, seasoned=True)
        return with_sheet(state, seat, with_hero(sheet, begun))


def waiting(state: State, seat: Seat) -> list[Hero]:
    """The heroes that still have a turn in this round, in order of arrival."""
    return [hero for hero in state.sheets[seat].heroes if not hero.acted]


class RollMove(NatureMove[State], frozen=True):
    """The move die (5.4)."""

    die: int

    @classmethod
    def resolve(cls, state: State, chance: Chance) -> Self:
        seat, turn, _ = state.actor()
        return cls(chance.die(f"die/{state.round}/{seat}/{turn.hero}/move/1"))

    def check(self, state: State, seat: Seat) -> None:
        if self.die not in STEPS:
            raise IllegalAction("no_such_roll")

    def apply(self, state: State, seat: Seat) -> State:
        assert state.turn is not None
        return replace(state, turn=replace(state.turn, die=self.die, stage=Stage.MOVE))


class Move(Action[State], frozen=True):
    """Walk as far as the die says, without returning, to a field of one's choice (5.4, 5.5)."""

    field: int

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        return (cls(field) for field in reachable(state))

    def check(self, state: State, seat: Seat) -> None:
        if self.field not in reachable(state):
            raise IllegalAction("not_reachable", field=self.field)

    def apply(self, state: State, seat: Seat) -> State:
        _, turn, hero = state.actor()
        moved = with_hero(state.sheets[seat], replace(hero, field=self.field))
        state = replace(state, turn=replace(turn, stage=Stage.DISPUTE))
        return with_sheet(state, seat, moved)


def reachable(state: State) -> tuple[int, ...]:
    """Where the hero whose turn it is may end its move, in ascending order (5.5)."""
    _, turn, hero = state.actor()
    return ends(hero.card, hero.field, turn.die, state.occupied())


@lru_cache(maxsize=1024)
def ends(card: int, field: int, die: int, occupied: frozenset[int]) -> tuple[int, ...]:
    """Where a hero may end its move; `stride` offers the ends of one step more too."""
    steps = STEPS[die]
    near = walk(field, steps, occupied)
    stride = HEROES[card].bonus(Ability.STRIDE)
    if not stride:
        return near
    return tuple(sorted({*near, *walk(field, steps + stride, occupied)}))


def walk(field: int, steps: int, occupied: frozenset[int]) -> tuple[int, ...]:
    """Where walks of exactly `steps` end, or of the longest possible shorter length; the field
    itself for a hero that is enclosed."""
    for length in range(steps, 0, -1):
        if ends := walks(field, length, occupied & WITHIN[field][length]):
            return ends
    return (field,)


@lru_cache(maxsize=4096)
def walks(field: int, steps: int, occupied: frozenset[int]) -> tuple[int, ...]:
    """Where walks of exactly `steps` over free fields end, none of them standing on a field
    twice. `occupied` holds what stands within `steps` of the field, its hero included."""
    return tuple(sorted(ends_of(field, steps, occupied)))


def ends_of(field: int, steps: int, closed: frozenset[int]) -> set[int]:
    """The ends of all walks from a field, `closed` being occupied or stood on before."""
    onward = [step for step in NEIGHBOURS[field] if step not in closed]
    if steps == 1:
        return set(onward)
    closed |= {field}
    ends: set[int] = set()
    for step in onward:
        ends |= ends_of(step, steps - 1, closed)
    return ends
