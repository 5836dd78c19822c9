"""The Great Wall, put together: which moves answer which prompt."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from services.gamekit.chance import Chance
from services.gamekit.game import Action, Decision, Game, Meta, Result, ScoreSheet, Seat
from services.great_wall import endgame, evaluate, figures, flow, imagine, standing, view
from services.great_wall.options import GreatWallOptions
from services.great_wall.rules.attacks import Strike
from services.great_wall.rules.building import BuildBarricade, BuildWall, PayCost, UseStock
from services.great_wall.rules.choices import CopyCommand, Done, PickOption, ReclaimCard
from services.great_wall.rules.clerks import ActivateAdvanced, MoveClerk
from services.great_wall.rules.dealing import SetOut
from services.great_wall.rules.embassy import DismissAdvisor, HireAdvisor, HireClerk
from services.great_wall.rules.fall import ChooseCommand, DrawSolo, PlaceCommand, RevealCommands
from services.great_wall.rules.killing import DoomSoldier, SaveSoldier
from services.great_wall.rules.locations import Accept, ActivateLocation
from services.great_wall.rules.logistics import MoveSoldier
from services.great_wall.rules.overseers import RaiseOverseer, TakeIncome
from services.great_wall.rules.production import DonateGood
from services.great_wall.rules.recruiting import RecruitSoldier
from services.great_wall.rules.responses import Respond, RevealResponses
from services.great_wall.rules.setup import ChooseLeader, RevealLeaders, opening
from services.great_wall.rules.shame import PlaceShame, ReturnShame
from services.great_wall.rules.spring import Invade, Promote, RefillTrack
from services.great_wall.rules.summer import ScoreDiscard, TakeBack
from services.great_wall.rules.tactics import DealTactics, DiscardTactic, PlayTactic, UseAbility
from services.great_wall.rules.taking import LoseGood, TakeGood
from services.great_wall.rules.winter import Assault
from services.great_wall.rules.wounds import PlaceWound
from services.great_wall.state import NOBODY
from services.great_wall.state import State as Position
from services.great_wall.tasks.task import Phase


class GreatWall(Game[Position]):
    """Clans defend the wall against the hordes: clerks, advisors, soldiers, shame."""

    meta = Meta(
        key="great_wall",
        title="The Great Wall",
        min_seats=1,
        max_seats=4,
        rules_version="1",
        deferred=("assault",),
        windows=("tactic", "response"),
    )
    State = Position
    View = view.View
    Options = GreatWallOptions
    moves: Mapping[str, tuple[type[Action[Any]], ...]] = {
        "set_out": (SetOut,),
        "invasion": (Invade,),
        "leader": (ChooseLeader,),
        "unveil": (RevealLeaders,),
        "promotion": (Promote,),
        "refill": (RefillTrack,),
        "tactic_draw": (DealTactics,),
        "discard": (DiscardTactic,),
        "command": (ChooseCommand,),
        "reveal": (RevealCommands,),
        "solo_draw": (DrawSolo,),
        "space": (PlaceCommand,),
        "clerk": (MoveClerk, Done),
        "choice": (PickOption, Done),
        "copy": (CopyCommand, Done),
        "advanced": (ActivateAdvanced, Done),
        "activation": (ActivateLocation,),
        "visit": (Accept, Done),
        "overseer": (RaiseOverseer, Done),
        "yield": (TakeIncome, Done),
        "donation": (DonateGood, Done),
        "recruit": (RecruitSoldier, Done),
        "attack": (Strike, Done),
        "forced_attack": (Strike,),
        "wound": (PlaceWound, Done),
        "resource": (TakeGood,),
        "loss": (LoseGood,),
        "build": (BuildBarricade, BuildWall, Done),
        "warehouse": (UseStock,),
        "payment": (PayCost,),
        "hire": (HireClerk, HireAdvisor, Done),
        "dismissal": (DismissAdvisor, Done),
        "march": (MoveSoldier, Done),
        "shame": (PlaceShame,),
        "shame_return": (ReturnShame, Done),
        "reclaim": (ReclaimCard, Done),
        "command_cards": (TakeBack, ScoreDiscard),
        "trigger": (UseAbility, PlayTactic, Done),
        "tactic": (PlayTactic, Done),
        "response": (Respond,),
        "show_responses": (RevealResponses,),
        "doom": (DoomSoldier,),
        "save": (SaveSoldier, Done),
        "assault": (Assault,),
    }

    follow_ups = frozenset(
        {"payment", "warehouse", "resource", "loss", "discard", "space", "doom", "yield"}
    )
    """Small choices that other ones bring with them; bots do not plan by them."""

    def span(self, state: Position) -> Hashable:
        """A turn, or a season without turns: what a move is worth shows when it is over."""
        return state.year, state.phase, state.active

    def shows_after(self, state: Position) -> int:
        """A command card that is chosen shows its worth in turns that have not begun."""
        before_turns = state.phase is Phase.FALL and state.active == NOBODY
        return 1 + len(state.clans) if before_turns else 1

    def standing(self, state: Position, seat: Seat) -> float:
        """Positions in which a turn is over, compared."""
        return standing.standing(state, seat)

    def setup(self, seats: int, options: GreatWallOptions) -> Position:
        return opening(seats, options)

    def decisions(self, state: Position) -> tuple[Decision, ...]:
        return flow.decisions(state)

    def advance(self, state: Position) -> Position:
        return flow.advance(state)

    def view(self, state: Position, seat: Seat | None) -> view.View:
        return view.view(state, seat)

    def imagine(self, state: Position, seat: Seat | None, chance: Chance) -> Position:
        return imagine.imagine(state, seat, chance)

    def score(self, state: Position) -> tuple[ScoreSheet, ...]:
        return endgame.score(state)

    def result(self, state: Position) -> Result | None:
        return endgame.result(state)

    def evaluate(self, state: Position, seat: Seat) -> float:
        return evaluate.evaluate(state, seat)

    def tale(self, state: Position) -> figures.Tale:
        return figures.tale(state)

    def figures(self, tales: Sequence[Any]) -> dict[str, Any]:
        return figures.figures(tales)


GAME = GreatWall()
