"""Chapter 9: two heroes on touching fields, two dice, spoils, and a death."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from msgspec.structs import replace

from services.altarion.board import NEIGHBOURS
from services.altarion.cards import Ability
from services.altarion.goods import WHEEL, Mineral
from services.altarion.rules.death import peaceful, slain
from services.altarion.rules.plain import Plain, on_to
from services.altarion.state import (
    Hero,
    Sheet,
    Stage,
    State,
    card_of,
    with_hero,
    with_sheet,
)
from services.altarion.tracks import BREATHLESS, SPOILS, TRUCE_ENDS
from services.gamekit.chance import Chance
from services.gamekit.game import Action, IllegalAction, NatureMove, Seat


class StartDispute(Action[State], frozen=True):
    """Attack a hero on a touching field, after the move and before the action (9.1, 9.2)."""

    hero: int

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        return (cls(foe.card) for _, foe in opponents(state))

    def check(self, state: State, seat: Seat) -> None:
        if all(foe.card != self.hero for _, foe in opponents(state)):
            raise IllegalAction("no_dispute_possible", hero=self.hero)

    def apply(self, state: State, seat: Seat) -> State:
        owner, foe = next(one for one in opponents(state) if one[1].card == self.hero)
        _, turn, hero = state.actor()
        turn = replace(turn, stage=Stage.DUEL, foe=owner, target=foe.card)
        sheet = state.sheets[seat]
        sheet = replace(sheet, challenged=(*sheet.challenged, owner))
        state = with_sheet(replace(state, turn=turn), seat, fought(sheet, hero))
        return with_sheet(state, owner, fought(state.sheets[owner], foe))


def fought(sheet: Sheet, hero: Hero) -> Sheet:
    """After one of the heroes was in its dispute of the round."""
    return with_hero(sheet, replace(hero, disputed=True))


def opponents(state: State) -> list[tuple[Seat, Hero]]:
    """The heroes with whom the hero whose turn it is may start a dispute, with their owners
    (9.2, 9.4, 9.5)."""
    seat, turn, hero = state.actor()
    if state.round < TRUCE_ENDS or turn.die in BREATHLESS or hero.disputed:
        return []
    touching, challenged = NEIGHBOURS[hero.field], state.sheets[seat].challenged
    return [
        (owner, foe)
        for owner, foe in state.heroes()
        if foe.field in touching
        and owner != seat
        and owner not in challenged
        and foe.seasoned
        and not foe.disputed
    ]


class KeepPeace(Plain, frozen=True):
    """Start no dispute."""

    def apply(self, state: State, seat: Seat) -> State:
        return on_to(state, Stage.ACTION)


class RollDispute(NatureMove[State], frozen=True):
    """Both dice: strength, die and ability of each; on equal totals nobody dies (9.1, 9.3)."""

    attacker: int
    defender: int

    @classmethod
    def resolve(cls, state: State, chance: Chance) -> Self:
        seat, turn, _ = state.actor()
        return cls(
            attacker=chance.die(f"die/{state.round}/{seat}/{turn.hero}/attack/1"),
            defender=chance.die(f"die/{state.round}/{turn.foe}/{turn.target}/defend/1"),
        )

    def check(self, state: State, seat: Seat) -> None:
        if not (1 <= self.attacker <= 6 and 1 <= self.defender <= 6):
            raise IllegalAction("no_such_roll")

    def apply(self, state: State, seat: Seat) -> State:
        owner, turn, hero = state.actor()
        foe = target_of(state)
        attack = self.attacker + might(hero, Ability.ATTACK)
        defence = self.defender + might(foe, Ability.DEFEND)
        if attack == defence:
            return replace(state, turn=peaceful(turn))
        won = attack > defence
        winner, loser = (hero, turn.foe) if won else (foe, owner)
        spoils = SPOILS + card_of(winner).bonus(Ability.PLUNDER)
        due = min(spoils, state.sheets[loser].stock.total())
        return replace(state, turn=replace(turn, stage=Stage.LOOT, won=won, due=due))


def target_of(state: State) -> Hero:
    """The hero that is attacked."""
    assert state.turn is not None
    foe = state.sheets[state.turn.foe].hero(state.turn.target)
    assert foe is not None
    return foe


def might(hero: Hero, ability: Ability) -> int:
    """What a hero adds to its die (9.1, 9.3)."""
    return card_of(hero).strength + card_of(hero).bonus(ability)


class Loot(Action[State], frozen=True):
    """The winner's player takes one mineral of choice from the loser's stock (9.6)."""

    mineral: Mineral

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        return map(cls, WHEEL)

    def check(self, state: State, seat: Seat) -> None:
        _, loser = parties(state)
        if not state.sheets[loser].stock.of(self.mineral):
            raise IllegalAction("not_in_stock", mineral=self.mineral)

    def apply(self, state: State, seat: Seat) -> State:
        assert state.turn is not None
        return taken(state, self.mineral, 1)


def taken(state: State, mineral: Mineral, count: int) -> State:
    """After `count` of the spoils changed hands."""
    turn = state.turn
    assert turn is not None
    winner, loser = parties(state)
    for seat, change in ((winner, count), (loser, -count)):
        sheet = state.sheets[seat]
        state = with_sheet(state, seat, replace(sheet, stock=sheet.stock.plus(mineral, change)))
    return replace(state, turn=replace(turn, due=turn.due - count))


def parties(state: State) -> tuple[Seat, Seat]:
    """Winner and loser of the dispute whose spoils are taken."""
    turn = state.turn
    assert turn is not None
    attacker = state.queue[0]
    return (attacker, turn.foe) if turn.won else (turn.foe, attacker)


def looted(state: State) -> State:
    """Close the taking of spoils where nothing is left to choose: all that is left is taken,
    then the loser's hero dies (9.6, 14.11). A surviving attacker still acts (9.2, 14.2)."""
    turn = state.turn
    assert turn is not None
    _, loser = parties(state)
    stock = state.sheets[loser].stock
    kinds = stock.kinds()
    if turn.due and turn.due < stock.total() and len(kinds) > 1:
        return state
    for mineral in kinds if turn.due else ():
        state = taken(state, mineral, min(stock.of(mineral), turn.due))
    if turn.won:
        return slain(replace(state, turn=peaceful(turn)), loser, turn.target)
    return slain(replace(state, turn=None), loser, turn.hero)
