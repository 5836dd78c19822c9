"""Ambush with faults put in: what the checks of every game must find."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, Self

from msgspec.structs import replace

from services.gamekit.chance import Chance
from services.gamekit.game import Action, Decision, IllegalAction, Result, ScoreSheet, Seat
from tests.ambush.cards import Card, Tower
from tests.ambush.game import Ambush
from tests.ambush.moves import Answer, Fortify, LoseGuard, PlaceOrder
from tests.ambush.nature import DealHands, RollRaid, StealCard
from tests.ambush.state import Phase, State
from tests.ambush.view import View

Kinds = tuple[type[Action[Any]], ...]


class TellsByView(Ambush):
    """The deck's size stands for what is in it."""

    def view(self, state: State, seat: Seat | None) -> View:
        return replace(super().view(state, seat), deck_size=state.deck.count(Card.RAID))


class TellsByQuestion(Ambush):
    """Only who has a fitting card is asked for a reply."""

    def decisions(self, state: State) -> tuple[Decision, ...]:
        def able(seat: Seat) -> bool:
            return any(card in state.camps[seat].hand for card in (Card.SHIELD, Card.FEINT))

        every = super().decisions(state)
        return tuple(one for one in every if one.prompt != "reply" or able(one.seat))


class TellsByScore(Ambush):
    """Cards in hand are counted before the end."""

    def score(self, state: State) -> tuple[ScoreSheet, ...]:
        return super().score(replace(state, phase=Phase.OVER))


class Gossiping(PlaceOrder, frozen=True):
    """Says with a refusal how many raids are left in the deck."""

    def check(self, state: State, seat: Seat) -> None:
        if self.card not in state.camps[seat].hand:
            raise IllegalAction("not_in_hand", raids=state.deck.count(Card.RAID))
        super().check(state, seat)


class TellsByRefusal(Ambush):
    """The details of a refusal depend on what is hidden."""

    moves: Mapping[str, Kinds] = {
        **Ambush.moves,
        "orders": (*Ambush.moves["orders"][:2], Gossiping),
    }


class Peeking(Fortify, frozen=True):
    """Is offered only while the left neighbour holds a raid."""

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        if Card.RAID in state.camps[(seat + 1) % len(state.camps)].hand:
            yield from super().candidates(state, seat)


class TellsByCandidates(Ambush):
    """What may be tried depends on other hands."""

    moves: Mapping[str, Kinds] = {**Ambush.moves, "orders": (Peeking, *Ambush.moves["orders"][1:])}


class OpenAnswer(Answer, frozen=True):
    """Is shown as it is given."""

    def shown(self, actor: Seat, viewer: Seat | None) -> Self:
        return self


class TellsByAnswer(Ambush):
    """Replies are shown before all are given."""

    moves: Mapping[str, Kinds] = {**Ambush.moves, "reply": (OpenAnswer,)}


class OpenDeal(DealHands, frozen=True):
    """Hides the hands from spectators only."""

    def shown(self, actor: Seat, viewer: Seat | None) -> Self:
        hands = () if viewer is None else self.hands
        return type(self)(hands)


class TellsByDeal(Ambush):
    """Seats see one another's hands dealt."""

    moves: Mapping[str, Kinds] = {**Ambush.moves, "deal": (OpenDeal,)}


class OpenTheft(StealCard, frozen=True):
    """Is seen by everybody."""

    def shown(self, actor: Seat, viewer: Seat | None) -> Self:
        return self


class TellsByTheft(Ambush):
    """The stolen card is shown to those who do not know the trophy."""

    moves: Mapping[str, Kinds] = {**Ambush.moves, "steal": (OpenTheft,)}


class ForgetsTheVictim(Ambush):
    """What a victim imagines is a trophy that it knows better."""

    def imagine(self, state: State, seat: Seat | None, chance: Chance) -> State:
        imagined = super().imagine(state, seat, chance)
        if state.phase is Phase.OVER:
            return imagined
        camps = tuple(
            replace(camp, trophies=tuple(replace(one, card=Card.SCOUT) for one in camp.trophies))
            for camp in imagined.camps
        )
        return replace(imagined, camps=camps)


class ImaginesByWhim(Ambush):
    """Imagination does not come from its chance."""

    def imagine(self, state: State, seat: Seat | None, chance: Chance) -> State:
        rng = Random()
        return super().imagine(state, seat, Chance(rng.randbytes(8)))


class AsksTwice(Ambush):
    """A seat has two questions."""

    def decisions(self, state: State) -> tuple[Decision, ...]:
        every = super().decisions(state)
        return every + every[-1:]


class EndsSilently(Ambush):
    """No questions and no result."""

    def result(self, state: State) -> Result | None:
        return None


class NeverRests(Ambush):
    """Advancing goes on and on."""

    def advance(self, state: State) -> State:
        return super().advance(replace(state, round=state.round + 1))


class Stuttering(LoseGuard, frozen=True):
    """Is listed twice."""

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        yield from super().candidates(state, seat)
        yield from super().candidates(state, seat)


class ListsTwice(Ambush):
    """Some answers are listed twice."""

    moves: Mapping[str, Kinds] = {**Ambush.moves, "loss": (Stuttering,)}


class SameDie(RollRaid, frozen=True):
    """Every raid's die has the same label."""

    @classmethod
    def resolve(cls, state: State, chance: Chance) -> Self:
        return cls(chance.die("die"))


class RollsTwice(Ambush):
    """A label is used twice."""

    moves: Mapping[str, Kinds] = {**Ambush.moves, "roll": (SameDie,)}


class AsksTheGone(Ambush):
    """Whoever leaves is asked all the same."""

    def retire(self, state: State, seat: Seat) -> State:
        super().retire(state, seat)
        return state


class CountsAnew(Ambush):
    """The result has other scores than the sheets."""

    def result(self, state: State) -> Result | None:
        result = super().result(state)
        if result is None:
            return None
        first, *rest = result.places
        return Result((replace(first, score=first.score + 1), *rest))


class GivesUp(Ambush):
    """Who runs out of time plays what is not legal."""

    def default(self, state: State, seat: Seat) -> Action[Any] | None:
        return PlaceOrder(Card.RAID, seat)


class TellsByDefault(Ambush):
    """What a time-out plays depends on other hands."""

    def default(self, state: State, seat: Seat) -> Action[Any] | None:
        return Fortify(Tower.GATE) if Card.RAID in state.camps[seat - 1].hand else None
