"""Tactic cards and abilities: drawn, discarded, used in their windows (R7.10, R18.1)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from msgspec.structs import replace

from services.gamekit.chance import Chance
from services.gamekit.game import Action, IllegalAction, NatureMove, Seat
from services.great_wall.cards.scripts import ABILITIES
from services.great_wall.cards.tactics import HAND_LIMIT, IN_WINDOW, TACTICS, Tactic
from services.great_wall.effects import Effects, Pay
from services.great_wall.goods import Goods
from services.great_wall.piles import dealt, drawn
from services.great_wall.state import (
    State,
    earned,
    instead,
    joined,
    pop,
    push,
    top,
    with_clan,
    without,
)
from services.great_wall.tasks.cards import Discarding, Drawing, Fire, Perform, Response, Window
from services.great_wall.tasks.task import Event
from services.great_wall.triggers import Trigger
from services.great_wall.windows import KILLS, fire, playable


def open_fire(state: State, task: Fire) -> State:
    """A trigger opens its window."""
    state = pop(state)
    return fire(state, task.trigger, task.clan, task.event, tactics=task.tactics)


def draw(state: State, task: Drawing) -> State:
    """NATURE deals, unless there is nothing to deal."""
    if task.count < 1 or not (state.tactic_deck or state.tactic_discard):
        return pop(state)
    return state


class DealTactics(NatureMove[State], frozen=True):
    """Tactic cards for a seat, which alone sees them; fewer if they run out."""

    seat: Seat
    size: int
    cards: tuple[Tactic, ...]

    @classmethod
    def resolve(cls, state: State, chance: Chance) -> Self:
        task = top(state, Drawing)
        label = f"tactic/{state.tactics_drawn}"
        cards = drawn(chance, label, state.tactic_deck, state.tactic_discard, task.count)
        return cls(Seat(task.clan), len(cards), tuple(sorted(cards)))

    def check(self, state: State, seat: Seat) -> None:
        task = top(state, Drawing)
        there = len(state.tactic_deck) + len(state.tactic_discard)
        if self.seat != task.clan:
            raise IllegalAction("wrong_seat", seat=task.clan)
        if not len(self.cards) == self.size == min(task.count, there):
            raise IllegalAction("wrong_size")
        if dealt(state.tactic_deck, state.tactic_discard, self.cards) is None:
            raise IllegalAction("not_in_deck")

    def apply(self, state: State, seat: Seat) -> State:
        piles = dealt(state.tactic_deck, state.tactic_discard, self.cards)
        assert piles is not None
        clan = state.clans[self.seat]
        clan = replace(clan, tactics=joined(clan.tactics, self.cards))
        state = replace(
            instead(state, Discarding(self.seat)),
            tactic_deck=piles[0],
            tactic_discard=piles[1],
            tactics_drawn=state.tactics_drawn + self.size,
        )
        return with_clan(state, self.seat, clan)

    def shown(self, actor: Seat, viewer: Seat | None) -> DealTactics:
        return self if viewer == self.seat else replace(self, cards=())


def discard_down(state: State, task: Discarding) -> State:
    """Ask while the hand is above the limit; its size is public."""
    return state if len(state.clans[task.clan].tactics) > HAND_LIMIT else pop(state)


class DiscardTactic(Action[State], frozen=True):
    """Discard a tactic card above the hand limit."""

    tactic: Tactic

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        return (cls(tactic) for tactic in state.clans[top(state, Discarding).clan].tactics)

    def check(self, state: State, seat: Seat) -> None:
        if self.tactic not in state.clans[top(state, Discarding).clan].tactics:
            raise IllegalAction("not_in_hand", tactic=self.tactic)

    def apply(self, state: State, seat: Seat) -> State:
        return discarded(state, top(state, Discarding).clan, self.tactic)


def discarded(state: State, clan: int, tactic: Tactic) -> State:
    """A card goes from a hand to the discard pile."""
    one = state.clans[clan]
    one = replace(one, tactics=without(one.tactics, tactic))
    pile = joined(state.tactic_discard, (tactic,))
    return with_clan(replace(state, tactic_discard=pile), clan, one)


def window(state: State, task: Window) -> State:
    """Ask while something may be used."""
    return state if task.abilities or task.tactic else pop(state)


class UseAbility(Action[State], frozen=True):
    """Use the triggered ability of an own general or active advisor."""

    card: str

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        return (cls(name) for name in top(state, Window).abilities)

    def check(self, state: State, seat: Seat) -> None:
        task = top(state, Window)
        if self.card not in task.abilities:
            raise IllegalAction("not_triggered", card=self.card[:40])
        if not state.clans[task.clan].goods.covers(price_of(ABILITIES[self.card].do)):
            raise IllegalAction("cannot_afford")

    def apply(self, state: State, seat: Seat) -> State:
        task = top(state, Window)
        left = tuple(name for name in task.abilities if name != self.card)
        state = instead(state, replace(task, abilities=left))
        return push(state, Perform(task.clan, self.card, task.event))


def price_of(effects: Effects) -> Goods:
    """What a list of effects begins by paying."""
    return effects[0].goods if effects and isinstance(effects[0], Pay) else Goods()


def check_play(
    state: State, clan: int, tactic: Tactic, boosted: bool, trigger: Trigger, event: Event
) -> None:
    """Refuse a card that is not in hand, does not fit, or whose boost cannot be paid."""
    if tactic not in state.clans[clan].tactics:
        raise IllegalAction("not_in_hand", tactic=tactic)
    if not playable(state, clan, tactic, trigger, event):
        raise IllegalAction("wrong_window", tactic=tactic)
    if boosted and state.clans[clan].goods.chi < TACTICS[tactic].boost:
        raise IllegalAction("cannot_afford", chi=TACTICS[tactic].boost)


def played(
    state: State, answer: Response, trigger: Trigger, event: Event
) -> tuple[State, list[Perform | Fire]]:
    """A card leaves the hand and its boost is paid; then its effect, and what it triggers."""
    tactic, clan = answer.tactic, answer.clan
    assert tactic is not None
    state = discarded(state, clan, tactic)
    if answer.boosted:
        state = earned(state, clan, Goods(chi=-TACTICS[tactic].boost))
    if trigger in KILLS and state.toll:
        toll = replace(state.toll, spent=(*state.toll.spent, clan))
        state = replace(state, toll=toll)
    script = f"{tactic}/{'boosted' if answer.boosted else 'basic'}"
    return state, [Perform(clan, script, event), Fire(Trigger.ON_PLAY_TACTIC, clan)]


class PlayTactic(Action[State], frozen=True):
    """Play a tactic card where no other seat may answer: basic, or boosted for chi."""

    tactic: Tactic
    boosted: bool

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        task = top(state, Window)
        if task.tactic:
            for tactic in state.clans[task.clan].tactics:
                if tactic in IN_WINDOW[task.trigger]:
                    yield cls(tactic, False)
                    yield cls(tactic, True)

    def check(self, state: State, seat: Seat) -> None:
        task = top(state, Window)
        if not task.tactic:
            raise IllegalAction("no_tactic_now")
        check_play(state, task.clan, self.tactic, self.boosted, task.trigger, task.event)

    def apply(self, state: State, seat: Seat) -> State:
        task = top(state, Window)
        state = instead(state, replace(task, tactic=False))
        answer = Response(task.clan, self.tactic, self.boosted)
        state, tasks = played(state, answer, task.trigger, task.event)
        return push(state, *tasks)
