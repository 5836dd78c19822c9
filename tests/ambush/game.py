"""Ambush, put together: which moves answer which prompt."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from services.gamekit.chance import Chance
from services.gamekit.game import Action, Decision, Game, Meta, Result, ScoreSheet, Seat
from tests.ambush import endgame, phases, view
from tests.ambush.cards import DECK, HORDE
from tests.ambush.moves import (
    Answer,
    Forage,
    Fortify,
    KeepCard,
    LoseGuard,
    PlaceOrder,
    TakeSpoils,
)
from tests.ambush.nature import (
    DealHands,
    DrawCards,
    RevealOrders,
    RevealReplies,
    RollRaid,
    ShowHorde,
    StealCard,
)
from tests.ambush.state import AmbushOptions, Camp, Phase
from tests.ambush.state import State as Position
from tests.ambush.storm import Storm


class Ambush(Game[Position]):
    """Camps on a border: secret orders, attacks that all may answer, a storm each round."""

    meta = Meta(
        key="ambush",
        title="Ambush",
        min_seats=2,
        max_seats=4,
        rules_version="1",
        deferred=("storm",),
        windows=("reply",),
        retires=True,
    )
    State = Position
    View = view.View
    Options = AmbushOptions
    moves: Mapping[str, tuple[type[Action[Any]], ...]] = {
        "deal": (DealHands,),
        "horde": (ShowHorde,),
        "orders": (Fortify, Forage, PlaceOrder),
        "draw": (DrawCards,),
        "reveal": (RevealOrders,),
        "reply": (Answer,),
        "unmask": (RevealReplies,),
        "roll": (RollRaid,),
        "steal": (StealCard,),
        "keep": (KeepCard,),
        "spoils": (TakeSpoils,),
        "storm": (Storm,),
        "loss": (LoseGuard,),
    }

    def setup(self, seats: int, options: AmbushOptions) -> Position:
        deck = sorted(card for card, count in DECK.items() for _ in range(count * seats))
        state = Position(
            options=options,
            round=0,
            phase=Phase.DEAL,
            camps=(Camp(),) * seats,
            deck=tuple(deck),
            horde=tuple(HORDE),
        )
        return phases.new_round(state)

    def decisions(self, state: Position) -> tuple[Decision, ...]:
        return phases.decisions(state)

    def advance(self, state: Position) -> Position:
        return phases.advance(state)

    def view(self, state: Position, seat: Seat | None) -> view.View:
        return view.view(state, seat)

    def imagine(self, state: Position, seat: Seat | None, chance: Chance) -> Position:
        return view.imagine(state, seat, chance)

    def score(self, state: Position) -> tuple[ScoreSheet, ...]:
        return endgame.score(state)

    def result(self, state: Position) -> Result | None:
        return endgame.result(state)

    def retire(self, state: Position, seat: Seat) -> Position:
        return endgame.retire(state, seat)


GAME = Ambush()
