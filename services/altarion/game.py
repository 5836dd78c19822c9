"""Altarion, put together: which moves answer which prompt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from services.altarion import endgame, phases, view
from services.altarion.defaults import default
from services.altarion.evaluate import evaluate
from services.altarion.figures import Tale, figures, tale
from services.altarion.rules.arrivals import DrawFirstPlayer, DrawHero, DrawNations, PlaceHero
from services.altarion.rules.death import resigned
from services.altarion.rules.dispute import KeepPeace, Loot, RollDispute, StartDispute
from services.altarion.rules.exploration import DrawAgain, DrawExploration, Explore, StopExploring
from services.altarion.rules.mines import FoundMine, RollInstead
from services.altarion.rules.mining import DrawMining, Mine, Pick
from services.altarion.rules.movement import ChooseHero, Move, RollMove
from services.altarion.rules.trade import AcceptOffer, DeclineOffer, MakeOffer, OfferNothing
from services.altarion.rules.tribute import BuildNothing, BuildSpecial
from services.altarion.state import AltarionOptions, Sheet
from services.altarion.state import State as Position
from services.gamekit.chance import Chance
from services.gamekit.game import Action, Decision, Game, Meta, Result, ScoreSheet, Seat


class Altarion(Game[Position]):
    """Six nations on a planet: heroes explore and mine, fight and trade, and pay tribute."""

    meta = Meta(
        key="altarion",
        title="Altarion",
        min_seats=2,
        max_seats=6,
        rules_version="1",
        windows=("answer",),
        retires=True,
    )
    State = Position
    View = view.View
    Options = AltarionOptions
    moves: Mapping[str, tuple[type[Action[Any]], ...]] = {
        "nations": (DrawNations,),
        "first_player": (DrawFirstPlayer,),
        "hero_card": (DrawHero,),
        "place": (PlaceHero,),
        "hero": (ChooseHero,),
        "spend": (FoundMine, RollInstead),
        "roll": (RollMove,),
        "move": (Move,),
        "dispute": (StartDispute, KeepPeace),
        "duel": (RollDispute,),
        "loot": (Loot,),
        "action": (Mine, Explore),
        "mining": (DrawMining,),
        "pick": (Pick,),
        "exploration": (DrawExploration,),
        "more": (DrawAgain, StopExploring),
        "offer": (MakeOffer, OfferNothing),
        "answer": (AcceptOffer, DeclineOffer),
        "special": (BuildSpecial, BuildNothing),
    }

    def setup(self, seats: int, options: AltarionOptions) -> Position:
        return Position(options, (Sheet(),) * seats)

    def decisions(self, state: Position) -> tuple[Decision, ...]:
        return phases.decisions(state)

    def advance(self, state: Position) -> Position:
        return phases.advance(state)

    def view(self, state: Position, seat: Seat | None) -> view.View:
        return view.view(state, seat)

    def imagine(self, state: Position, seat: Seat | None, chance: Chance) -> Position:
        """All is public but the order of the piles and future rolls, which no position holds."""
        return state

    def score(self, state: Position) -> tuple[ScoreSheet, ...]:
        return endgame.score(state)

    def result(self, state: Position) -> Result | None:
        return endgame.result(state)

    def retire(self, state: Position, seat: Seat) -> Position:
        return resigned(state, seat)

    def evaluate(self, state: Position, seat: Seat) -> float:
        return evaluate(state, seat)

    def default(self, state: Position, seat: Seat) -> Action[Position]:
        """What a seat that runs out of time does (13.4)."""
        return default(state, seat)

    def tale(self, state: Position) -> Tale:
        """What a simulation keeps of a match that is over."""
        return tale(state)

    def figures(self, tales: Sequence[Tale]) -> dict[str, Any]:
        """What a simulation prints of Altarion besides what it prints of every game."""
        return figures(tales)


GAME = Altarion()
